// A drainlab server of a test's own: for limits, for files that change, for an
// end in the middle of something.

import {spawn} from 'node:child_process';
import {join} from 'node:path';
import process from 'node:process';

/** The repository, as seen from where the tests run. */
export const root = join(decodeURIComponent(new URL('.', import.meta.url).pathname), '..', '..', '..');

export interface Server {
  readonly url: string;
  /** Sends TERM, and resolves with the exit code once it has left. */
  stop(): Promise<number>;
}

/** Starts one on a free port; it resolves when it answers. */
export function serve(args: readonly string[] = [], folder = root): Promise<Server> {
  const child = spawn(join(root, 'bin', 'drainlab'), ['serve', '-addr', '127.0.0.1:0', ...args], {
    cwd: folder,
    env: {...process.env, AMQP_URL: ''},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const left = new Promise<number>(resolve => {
    child.once('exit', code => resolve(code ?? -1));
  });
  return new Promise((resolve, reject) => {
    let said = '';
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8');
      output.on('data', text => {
        said += text;
        const url = /drainlab is at (http:\S+)/.exec(said)?.[1];
        if (url === undefined) return;
        resolve({
          url,
          stop: () => {
            child.kill('SIGTERM');
            return left;
          },
        });
      });
    }
    child.once('error', reject);
    void left.then(code => reject(new Error(`drainlab serve exited with ${code}: ${said}`)));
  });
}

// The little of node that the browser tests use beside Playwright. Modules
// only, no globals: the page's own code is checked together with this.

declare module 'node:process' {
  const process: {readonly env: Record<string, string | undefined>};
  export default process;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
}

declare module 'node:os' {
  export function tmpdir(): string;
}

declare module 'node:fs/promises' {
  interface Options {
    readonly recursive?: boolean;
    readonly force?: boolean;
  }
  export function readFile(path: string, encoding: 'utf8'): Promise<string>;
  export function writeFile(path: string, text: string): Promise<void>;
  export function mkdtemp(prefix: string): Promise<string>;
  export function cp(from: string, to: string, options?: Options): Promise<void>;
  export function rm(path: string, options?: Options): Promise<void>;
}

declare module 'node:child_process' {
  interface Output {
    setEncoding(encoding: 'utf8'): void;
    on(event: 'data', take: (text: string) => void): void;
  }
  export interface Child {
    readonly stdout: Output;
    readonly stderr: Output;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    kill(signal: 'SIGTERM' | 'SIGKILL'): boolean;
    once(event: 'exit', take: (code: number | null, signal: string | null) => void): void;
    once(event: 'error', take: (error: Error) => void): void;
  }
  export function spawn(
    command: string,
    args: readonly string[],
    options: {cwd?: string; env?: Record<string, string | undefined>; stdio: readonly ['ignore', 'pipe', 'pipe']},
  ): Child;
}

declare module 'node:http' {
  interface Answer {
    writeHead(status: number, headers: Record<string, string>): void;
    end(text: string): void;
  }
  export interface Server {
    listen(port: number, host: string, ready: () => void): void;
    address(): {readonly port: number};
    close(done: () => void): void;
    closeAllConnections(): void;
  }
  export function createServer(take: (request: {readonly url: string}, answer: Answer) => void): Server;
}

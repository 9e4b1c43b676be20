// A page of somebody else's: a server of its own, on another loopback port.

import {createServer} from 'node:http';

export interface Elsewhere {
  /** Its origin, by a name: '127.0.0.1' is the same site as the lab, 'localhost' another. */
  origin(host: '127.0.0.1' | 'localhost'): string;
  close(): Promise<void>;
}

export function elsewhere(html: string): Promise<Elsewhere> {
  const server = createServer((_, answer) => {
    answer.writeHead(200, {'Content-Type': 'text/html; charset=utf-8'});
    answer.end(html);
  });
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        origin: host => `http://${host}:${server.address().port}`,
        close: () =>
          new Promise(done => {
            server.close(done);
            server.closeAllConnections();
          }),
      });
    });
  });
}

// Playwright's test, with what a test of this course needs: servers of its
// own, and the end of every run that a page of the test began.

import {test as base} from '@playwright/test';
import {serve} from './server.ts';
import type {Server} from './server.ts';

interface Fixtures {
  /** Starts a server that lives as long as the test. */
  readonly ownServer: (args?: readonly string[], folder?: string) => Promise<Server>;
  /** Ids of the runs that the pages of the test's own context began, oldest first. */
  readonly runs: readonly string[];
}

export const test = base.extend<Fixtures>({
  ownServer: async ({}, use) => {
    const servers: Server[] = [];
    await use(async (args, folder) => {
      const server = await serve(args, folder);
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map(server => server.stop()));
  },
  // A context that is closed fires no pagehide, so its runs would go on until
  // they are idle, and the server allows a few at once only.
  runs: [
    async ({context, request}, use) => {
      const ids: string[] = [];
      context.on('response', response => {
        const id = /\/api\/runs\/([^/]+)$/.exec(response.headers()['location'] ?? '')?.[1];
        if (response.status() === 201 && id !== undefined) ids.push(id);
      });
      await use(ids);
      for (const id of ids) await request.post(`/api/runs/${id}/stop`);
    },
    {auto: true},
  ],
});

export {expect} from '@playwright/test';

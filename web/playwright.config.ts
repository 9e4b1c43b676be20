// The browser tests: whole journeys in Debian's Chromium, against the real
// server with real runs. Playwright starts the server, which takes a free port
// and says which in its first line.

import process from 'node:process';
import {defineConfig, devices} from '@playwright/test';
import {chromium} from './test/support/chromium.ts';

export default defineConfig({
  testDir: 'test',
  testMatch: '*.spec.ts',
  outputDir: 'test/out',
  fullyParallel: true, // every test stands by itself
  workers: Number(process.env['WORKERS'] ?? 2),
  retries: 0,
  forbidOnly: true,
  // What measures a time has the machine for itself, after all others.
  projects: [
    {name: 'journeys', testIgnore: /(latency|dev)\.spec/},
    {name: 'times', testMatch: /(latency|dev)\.spec/, dependencies: ['journeys'], workers: 1},
  ],
  reporter: [['list']],
  timeout: 30_000,
  globalTimeout: 10 * 60_000,
  expect: {timeout: 10_000},
  use: {
    ...devices['Desktop Chrome'],
    ...chromium,
    viewport: {width: 1440, height: 900},
    baseURL: `http://127.0.0.1:${process.env['DRAINLAB_PORT'] ?? ''}`,
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
  },
  webServer: {
    command: 'exec ../bin/drainlab serve -addr 127.0.0.1:0',
    // The broker is the embedded one, also where the environment names another.
    env: {AMQP_URL: ''},
    wait: {stdout: /drainlab is at http:\/\/127\.0\.0\.1:(?<drainlab_port>\d+)/},
    gracefulShutdown: {signal: 'SIGTERM', timeout: 10_000},
    timeout: 20_000,
  },
});

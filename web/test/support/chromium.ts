// Debian's Chromium, quiet: nothing that it would do by itself.

export const chromium = {
  launchOptions: {
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  },
};

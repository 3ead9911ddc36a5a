import { defineConfig } from '@playwright/test';
import { findChromium } from './src/chromium.ts';

const executablePath = findChromium();
const gracefulShutdown = { signal: 'SIGTERM', timeout: 5000 } as const;

export default defineConfig({
  testDir: 'e2e',
  workers: 1, // the tests share a sandbox
  use: { launchOptions: { args: ['--no-sandbox'], ...(executablePath !== undefined && { executablePath }) } },
  // Both print where they listen. The addresses become environment variables of the tests.
  webServer: [
    {
      command: 'node ../../dist/main.js serve --seed seed.json',
      env: { PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'error' },
      wait: { stdout: /(?<graphql_url>http:\S+\/graphql)[^]*?(?<sandbox_url>http:\/\/[\d.]+:\d+)\s/ },
      gracefulShutdown,
    },
    { command: 'node app/serve.js', wait: { stdout: /(?<app_url>http:\S+)/ }, gracefulShutdown },
  ],
});

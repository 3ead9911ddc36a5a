import { defineConfig } from '@playwright/test';
import { findChromium } from './src/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  use: { launchOptions: { args: ['--no-sandbox'], ...(executablePath !== undefined && { executablePath }) } },
  webServer: {
    command: 'node app/serve.js',
    wait: { stdout: /(?<app_url>http:\S+)/ }, // its address becomes an environment variable of the tests
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
});

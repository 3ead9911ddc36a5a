import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, type Graphiql, openGraphiql } from './support/chromium.ts';

const executable = findChromium();
if (!executable && process.env.CI === 'true') throw new Error('The browser tests need a Chromium: install one.');
if (!executable) console.warn('No Chromium found, browser tests left out: set CHROMIUM to the path of one.');

describe.skipIf(!executable)('GraphiQL in a browser', () => {
  let graphiql: Graphiql;

  beforeAll(async () => {
    graphiql = await openGraphiql(executable ?? '', ['--import', 'tsx', 'src/main.ts']);
  }, 60_000);

  afterAll(() => graphiql?.close());

  test('opens with an example and the demo credential', async () => {
    await expect.poll(() => graphiql.shown('query')).toMatch(/\bquery \w+ \{/);
    await expect.poll(() => graphiql.shown('headers')).toContain('"Authorization": "Bearer demo-admin"');
  });

  test('runs the example with Ctrl-Enter', async () => {
    await graphiql.page.locator('.graphiql-query-editor').click();
    await graphiql.page.keyboard.press('Control+Enter');

    await expect.poll(() => graphiql.shown('answer')).toContain('"data": {');
    const answer = await graphiql.shown('answer');
    expect(answer).toContain('"displayedDashboard": {');
    expect(answer).not.toContain('"errors"');
  });

  test('opens with the same tabs again, and keeps no credential', async () => {
    await graphiql.page.reload();

    const tabs = graphiql.page.locator('.graphiql-tab');
    await expect
      .poll(() => tabs.allInnerTexts())
      .toEqual(['Everything', 'Tokens', 'Search', 'Sales', 'Home', 'Create']);
    await expect.poll(() => graphiql.shown('query')).toMatch(/\bquery \w+ \{/);
    const stored = () => graphiql.page.evaluate('JSON.stringify(localStorage)');
    await tabs.nth(1).locator('button').first().click();
    await expect.poll(stored).toContain('tabState');
    expect(await stored()).not.toMatch(/Bearer|ZGVtbzpkZW1v/);
  });

  test('asks nobody but this machine', () => {
    const hosts = graphiql.requests.map((url) => new URL(url.replace(/^blob:/, '')).hostname);
    expect(hosts).not.toHaveLength(0);
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']));
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, type Graphiql, openGraphiql } from './support/chromium.ts';

const executable = findChromium();
if (!executable && process.env.CI === 'true') throw new Error('The browser tests need a Chromium: install one.');
if (!executable) console.warn('No Chromium found, browser tests left out: set CHROMIUM to the path of one.');

// One page, which each test finds as the one before has left it. It is a lot of work for a machine that does other work, too.
describe.skipIf(!executable)('GraphiQL in a browser', { shuffle: false, timeout: 60_000 }, () => {
  const names = ['Everything', 'Tokens', 'Search', 'Sales', 'Home', 'Create'];
  let graphiql: Graphiql;
  const tab = (name: string) => graphiql.page.getByRole('button', { name, exact: true });
  const tabs = () => graphiql.page.locator('.graphiql-tab').allInnerTexts();

  beforeAll(async () => {
    graphiql = await openGraphiql(executable ?? '');
  });

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

    await expect.poll(tabs).toEqual(names);
    await expect.poll(() => graphiql.shown('query')).toMatch(/\bquery \w+ \{/);
    const stored = () => graphiql.page.evaluate('JSON.stringify(localStorage)');
    await tab('Tokens').click();
    await expect.poll(stored).toContain('tabState');
    expect(await stored()).not.toMatch(/Bearer|ZGVtbzpkZW1v/);
  });

  describe.each([1300, 640])('in a window that was made %s pixels wide', (width) => {
    beforeAll(async () => {
      await graphiql.page.setViewportSize({ width: 1400, height: 860 });
      await graphiql.page.reload();
      await tab('Create').waitFor();
      await graphiql.page.setViewportSize({ width, height: 860 });
    });

    test('a tab is chosen, and stays in its place, when the mouse moves a little during the click', async () => {
      const { mouse } = graphiql.page;
      const { x, y } = (await tab('Search').boundingBox()) ?? { x: 0, y: 0 };

      await mouse.move(x + 20, y + 10);
      await mouse.down();
      await mouse.move(x + 26, y + 10, { steps: 6 });
      await mouse.up();

      await expect.poll(() => graphiql.shown('query')).toMatch(/^query Search \{/m);
      expect(await tabs()).toEqual(names);
    });

    test.each(['Tokens', 'Search', 'Sales', 'Home', 'Create', 'Everything'])(
      'one click on the tab %s shows its query, which answers data',
      async (name) => {
        await tab(name).click();

        await expect.poll(() => graphiql.shown('query')).toMatch(new RegExp(`^(query|mutation) ${name} \\{`, 'm'));
        // GraphiQL reads the new query 100 ms later, and stores it then. Until that it would run the old one.
        await expect
          .poll(() => graphiql.page.evaluate("localStorage.getItem('graphiql:query')"))
          .toContain(` ${name} {`);
        await graphiql.page.getByRole('button', { name: 'Execute query' }).click();
        await expect.poll(() => graphiql.shown('answer')).toContain('"data": {');
        expect(await graphiql.shown('answer')).not.toContain('"errors"');
      },
    );
  });

  test('shows what comes in parts', async () => {
    const query = '{ apiTokens @stream { name } ... @defer { displayedDashboard(context: MAIN) { context } } }';
    await graphiql.page.goto(`${new URL(graphiql.page.url()).origin}/graphql?${new URLSearchParams({ query })}`);
    await expect.poll(() => graphiql.shown('query')).toContain('@stream');

    const answered = graphiql.page.waitForResponse(async (response) =>
      (response.request().postData() ?? '').includes('@stream'),
    );
    await graphiql.page.locator('.graphiql-query-editor').click();
    await graphiql.page.keyboard.press('Control+Enter');

    expect((await answered).headers()['content-type']).toMatch(/^multipart\/mixed/);
    await expect.poll(() => graphiql.shown('answer')).toMatch(/"name": "Demo"[^]*"context": "main"/i);
  });

  test('does nothing that its Content-Security-Policy forbids', async () => {
    const forbidden = () => graphiql.consoleErrors.filter((text) => text.includes('Content Security Policy'));
    expect(forbidden()).toEqual([]);
    // A script that is not the page's own is refused, and seen here.
    await graphiql.page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { text: '1' }))",
    );
    await expect.poll(forbidden).toHaveLength(1);
  });

  test('asks nobody but this machine', () => {
    const hosts = graphiql.requests.map((url) => new URL(url.replace(/^blob:/, '')).hostname);
    expect(hosts).not.toHaveLength(0);
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']));
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../support/axe.ts';
import { findChromium, type Graphiql, openGraphiql } from '../support/chromium.ts';

const executable = findChromium();
if (!executable) throw new Error('No Chromium found: set CHROMIUM to the path of one.');

// One page, which each test finds as the one before has left it. It is a lot of work for a machine that does other work, too.
describe('GraphiQL in a browser', { shuffle: false, timeout: 60_000 }, () => {
  const names = ['Clients', 'Sales', 'Everything', 'Defer', 'Search', 'Tokens', 'Home', 'Create'];
  let graphiql: Graphiql;
  const tab = (name: string) => graphiql.page.getByRole('button', { name, exact: true });
  const stored = (name: string) => graphiql.page.evaluate(`localStorage.getItem('graphiql:${name}') ?? ''`);
  const tabs = () => graphiql.page.locator('.graphiql-tab').allInnerTexts();

  beforeAll(async () => {
    graphiql = await openGraphiql(executable);
  });

  afterAll(() => graphiql?.close());

  test('opens with an example and the demo credential', async () => {
    await expect.poll(() => graphiql.shown('query')).toMatch(/\bquery \w+\b/);
    await expect.poll(() => graphiql.shown('headers')).toContain('"Authorization": "Bearer demo-admin"');
  });

  test('runs the example with Ctrl-Enter', async () => {
    await graphiql.page.locator('.graphiql-query-editor').click();
    await graphiql.page.keyboard.press('Control+Enter');

    await expect.poll(() => graphiql.shown('answer')).toContain('"data": {');
    const answer = await graphiql.shown('answer');
    expect(answer).toContain('"clients": {');
    expect(answer).not.toContain('null');
    expect(answer).not.toContain('"errors"');
  });

  test('opens with the same tabs again, and keeps no credential', async () => {
    await graphiql.page.reload();

    await expect.poll(tabs).toEqual(names);
    await expect.poll(() => graphiql.shown('query')).toMatch(/\bquery \w+\b/);
    const storage = () => graphiql.page.evaluate('JSON.stringify(localStorage)');
    await tab('Tokens').click();
    await expect.poll(storage).toContain('tabState');
    await expect.poll(() => stored('variables')).toBe(''); // stored after the query
    expect(await storage()).not.toMatch(/Bearer|ZGVtbzpkZW1v/);
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

    test.each([...names.slice(1), 'Clients'])(
      'one click on the tab %s shows its query, which answers data',
      async (name) => {
        await tab(name).click();

        await expect.poll(() => graphiql.shown('query')).toMatch(new RegExp(`^(query|mutation) ${name}\\b`, 'm'));
        // GraphiQL reads the new query 100 ms later, and stores it then. Until that it would run the old one.
        await expect.poll(() => stored('query')).toMatch(new RegExp(`^(query|mutation) ${name}\\b`, 'm'));
        // It stores the variables later. A reload before that would open one more tab.
        const variables = name === 'Clients' ? '{ "first": 3 }' : '';
        await expect.poll(() => stored('variables')).toBe(variables);
        await graphiql.page.getByRole('button', { name: 'Execute query' }).click();
        await expect.poll(() => graphiql.shown('answer')).toContain('"data": {');
        expect(await graphiql.shown('answer')).not.toContain('"errors"');
      },
    );
  });

  describe('the upstream calls below the answer', () => {
    const calls = () => graphiql.page.getByRole('table', { name: 'Upstream calls of the last operation' });
    const open = async (name: string) => {
      await graphiql.page.reload();
      await tab(name).click();
      await expect.poll(() => stored('query')).toContain(`query ${name}`);
      await graphiql.page.getByRole('button', { name: 'Execute query' }).click();
    };

    beforeAll(() => graphiql.page.setViewportSize({ width: 1400, height: 860 }));

    test('are a table: endpoint, time, answer, and the fields that they served', async () => {
      await open('Sales');

      await expect.poll(() => graphiql.page.getByRole('status').innerText()).toMatch(/^Sales: \d+ calls in [\d.]+ ms/);
      const [, first = ''] = await calls().getByRole('row').allInnerTexts();
      expect(first).toMatch(/^crm GET \/app\/deals\.json\s+[\d.]+ ms from [\d.]+ ms, status 200, [\d.]+ kB\s+deals$/);
      expect(await graphiql.shown('answer')).not.toContain('"trace"');
    });

    test('say which are shared, failed, or a list in place of reads, on one axis of time', async () => {
      const call = { api: 'crm', startMs: 0, durationMs: 50, bytes: 999, status: 200, shared: false, paths: [] };
      const trace = {
        ...{ operation: null, totalMs: 100, ownMs: 1 },
        calls: [
          { ...call, endpoint: 'GET /a', shared: true, paths: ['a.b', 'c'], pathsOmitted: 3 },
          { ...call, endpoint: 'GET /b', startMs: 50, insteadOf: { reads: 7, reason: 'it is small' } },
          { ...call, endpoint: 'GET /c', startMs: 90, bytes: null, status: null, error: 'UPSTREAM_TIMEOUT' },
        ],
      };
      await graphiql.page.route('**/graphql', (route) =>
        route.fulfill({ json: { data: null, extensions: { trace, cost: { requested: 1 } } } }),
      );
      await graphiql.page.getByRole('button', { name: 'Execute query' }).click();
      await expect.poll(() => graphiql.page.getByRole('status').innerText()).toBe('3 calls in 100 ms, own time 1.0 ms');
      await graphiql.page.unrouteAll({ behavior: 'wait' });

      const [, ...rows] = await calls().getByRole('row').allInnerTexts();
      expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
        'crm GET /a shared with another operation 50.0 ms from 0.0 ms, status 200, 999 bytes a.b c and 3 more',
        'crm GET /b a list instead of 7 reads: it is small 50.0 ms from 50.0 ms, status 200, 999 bytes',
        'crm GET /c 50.0 ms from 90.0 ms, UPSTREAM_TIMEOUT',
      ]);
      const bars = graphiql.page.locator('#waterfall .bar');
      const styles = await bars.evaluateAll((bars) =>
        bars.map((bar) => `${bar.className} ${bar.getAttribute('style')}`),
      );
      expect(styles).toEqual([
        'bar shared left: 0%; width: 50%;',
        'bar left: 50%; width: 50%;',
        'bar failed left: 90%; width: 10%;',
      ]);
      await expect.poll(() => graphiql.shown('answer')).toContain('"cost"'); // other extensions stay
    });

    test('of an answer in parts come with its last part', async () => {
      await open('Defer');

      await expect.poll(() => graphiql.page.getByRole('status').innerText()).toMatch(/^Defer: \d calls in/);
      expect(await calls().getByRole('row').allInnerTexts()).toContainEqual(
        expect.stringContaining('deals.nodes.client'),
      );
      const answer = await graphiql.shown('answer');
      expect(answer).toMatch(/"client": \{\s+"name"/);
      expect(answer).not.toContain('"trace"');
    });

    test('are opened and closed with the keyboard', async () => {
      const summary = graphiql.page.locator('#waterfall summary');
      await summary.focus();
      await graphiql.page.keyboard.press('Enter');
      await expect.poll(() => calls().isVisible()).toBe(false);
      await graphiql.page.keyboard.press('Space');
      await expect.poll(() => calls().isVisible()).toBe(true);
      await graphiql.page.keyboard.press('Tab');
      expect(await graphiql.page.evaluate('document.activeElement.ariaLabel')).toBe('Upstream calls');
    });

    test('have no fault that axe-core finds', async () => {
      expect(await faultsIn(graphiql.page, '#waterfall')).toEqual([]);
    });

    test('are not asked for where TRACE forbids it, and the page says so', async () => {
      await graphiql.page.route('**/graphql', async (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const response = await route.fetch();
        const body = (await response.text()).replace('data-traces="true"', 'data-traces="false"');
        return route.fulfill({ response, body });
      });
      await graphiql.page.goto(new URL('/graphql', graphiql.page.url()).href);
      expect(await graphiql.page.getByRole('status').innerText()).toBe(
        'To see what an operation calls, set TRACE=true.',
      );
      await graphiql.page.unrouteAll({ behavior: 'wait' });
    });
  });

  describe('GraphiQL has no fault that axe-core finds but its own', () => {
    /** Each tab is an element that can be dragged, with the role of a button, around its own buttons: GraphiQL's markup. */
    const own = names.map((_name, at) =>
      at === 0 ? 'nested-interactive: .graphiql-tab-active' : `nested-interactive: li:nth-child(${at + 1})`,
    );

    test.each([
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const)('at %i pixels, %s', async (width, colorScheme) => {
      const { page } = graphiql;
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await tab('Clients').click();
      await expect.poll(() => stored('query')).toContain('query Clients');
      await page.getByRole('button', { name: 'Execute query' }).click();
      await expect.poll(() => graphiql.shown('answer')).toContain('"totalCount": 2');
      if (width === 390) await page.locator('#waterfall summary').click();
      await page.getByRole('rowheader').first().waitFor();

      expect(await faultsIn(page)).toEqual(own);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('trivium: GraphiQL');
      expect(await page.getByRole('main').getByRole('status').count()).toBe(1);
    });
    afterAll(() => graphiql.page.emulateMedia({ colorScheme: null }));
  });

  describe('on a phone', () => {
    const size = { width: 390, height: 844 };
    beforeAll(async () => {
      await graphiql.page.setViewportSize(size);
      await graphiql.page.reload();
      await tab('Create').waitFor();
    });

    test('a query is chosen, run, and its answer and its calls are in the window', async () => {
      await tab('Sales').click();
      await expect.poll(() => graphiql.shown('query')).toContain('query Sales');
      await expect.poll(() => stored('query')).toContain('query Sales');
      await graphiql.page.getByRole('button', { name: 'Execute query' }).click();
      await expect.poll(() => graphiql.shown('answer')).toContain('"data": {');
      await graphiql.page.locator('#waterfall summary').click();
      await graphiql.page.getByRole('rowheader').first().waitFor();

      for (const part of [
        '.graphiql-query-editor',
        '.graphiql-response',
        '.graphiql-execute-button',
        '#waterfall .calls',
      ]) {
        const box = await graphiql.page.locator(part).boundingBox();
        expect(box, part).not.toBeNull();
        expect(box?.x, part).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0), part).toBeLessThanOrEqual(size.width);
        expect(box?.y, part).toBeLessThan(size.height - 44);
        expect(box?.width, part).toBeGreaterThanOrEqual(40);
        expect(box?.height, part).toBeGreaterThanOrEqual(40);
      }
      expect(await graphiql.page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
    });

    test('the history shows the query that ran, also after a reload, and stores no credential', async () => {
      expect(await stored('queries')).toContain('query Sales');
      expect(await stored('queries')).not.toMatch(/Bearer|ZGVtbzpkZW1v/);
      await graphiql.page.reload();
      await graphiql.page.getByRole('button', { name: 'Show History' }).click();
      await graphiql.page.getByRole('button', { name: 'Clients', exact: true }).last().click();

      await expect.poll(() => graphiql.shown('query')).toContain('query Clients');
      await graphiql.page.getByRole('button', { name: 'Headers', exact: true }).click();
      await expect.poll(() => graphiql.shown('headers')).toContain('Bearer demo-admin');
      await graphiql.page.getByRole('button', { name: 'Hide History' }).click();
    });
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

  describe('the page at /', () => {
    test.each([
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const)('has no fault that axe-core finds, and fits, at %i pixels, %s', async (width, colorScheme) => {
      const { page } = graphiql;
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.goto(new URL('/', page.url()).href);
      await page.locator('main:not([aria-busy])').waitFor();
      expect(await faultsIn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")).toBe('960px'); // has its styles
    });

    test('names the address of the sandbox, whose page has no such fault either', async () => {
      const { page } = graphiql;
      await page.goto(await page.locator('.cards code').first().innerText());
      expect(await page.locator('h1').innerText()).toMatch(/sandbox/i);
      expect(await faultsIn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.goBack();
    });

    test('leads to GraphiQL with the keyboard', async () => {
      const { page } = graphiql;
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await tab('Clients').first().waitFor(); // a page that is left too soon after a change of tab opens one more
      await page.setViewportSize({ width: 1400, height: 860 });
      await page.emulateMedia({ colorScheme: null });
    });
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

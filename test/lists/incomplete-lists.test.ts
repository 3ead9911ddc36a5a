import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Not documented (A129): pages of lists. A list that says that it has more rows is not the whole list.

const CLIENTS = '/app/clients.json';
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_none, index) => ({
    id: first + index,
    name: `Client ${first + index}`,
    external_id: 'x',
  }));
const two = rowsFrom(1, 2);

type Headers = Readonly<Record<string, string>>;
const json = (body: unknown, headers: Headers = {}) => says(JSON.stringify(body), { headers });

/** A gateway over a CRM of clients. `answers` are those of the list of clients, by its number of a page; any other is a 404. */
async function overClients(
  answers: Readonly<Record<number, RequestListener>>,
  {
    settings = {},
    others = {},
  }: { settings?: Partial<Config>; others?: Readonly<Record<string, RequestListener>> } = {},
) {
  const upstream = await stubUpstream((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://crm');
    const page = Number(searchParams.get('page') ?? 1);
    const answer = pathname === CLIENTS ? answers[page] : others[pathname];
    (answer ?? json({ error: 'not_found' }, {}))(request, response);
  });
  const over = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings }, 'own-secret');
  return { ...over, url: upstream.url, received: upstream.received };
}

const PAGE = '{ clients { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }';
const incomplete = (received: number, total?: number) =>
  `The crm API: The list has ${total === undefined ? `${received} rows, and upstream says that more follow` : `${received} of ${total} rows`}.`;

describe('a list says that it has more', () => {
  const wrapped = (more: object) => json({ clients: two, ...more });
  test.each<[string, RequestListener, number | undefined]>([
    ['by a link to the next page', json(two, { link: '<https://other.example/x?page=2>; rel="next"' }), undefined],
    [
      'by a link with several relations',
      json(two, { link: '</x>; rel=prev, </y>; title="<"; rel="last NEXT"' }),
      undefined,
    ],
    ['by X-Total-Count', json(two, { 'x-total-count': '250' }), 250],
    ['by X-Total', json(two, { 'x-total': '250' }), 250],
    ['by Content-Range', json(two, { 'content-range': 'items 0-1/250' }), 250],
    ['by total', wrapped({ total: 250 }), 250],
    ['by total_count', wrapped({ total_count: '3231' }), 3231],
    ['by total-count in meta', wrapped({ meta: { 'total-count': 250 } }), 250],
    ['by total in a part of meta', wrapped({ meta: { pagination: { total: 250 } } }), 250],
    ['by count', wrapped({ count: 250 }), 250],
    ['by count in meta', wrapped({ meta: { count: 250 } }), 250],
    ['by next', wrapped({ next: 'abc' }), undefined],
    ['by next-page', wrapped({ 'next-page': 'https://other.example/' }), undefined],
    ['by next in links', wrapped({ links: { next: { href: '/x' } } }), undefined],
    ['by has_more', wrapped({ has_more: true }), undefined],
  ])('%s: the field has an error, and the page behind its rows is null', async (_signal, answer, total) => {
    const { execute, received } = await overClients({ 1: answer });

    const first = await execute(PAGE);
    const problem = { path: ['clients'], message: incomplete(2, total), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } };
    expect(first.data).toMatchObject({
      clients: {
        totalCount: total ?? 2,
        nodes: [{ id: 'Client:1' }, { id: 'Client:2' }],
        pageInfo: { hasNextPage: true },
      },
    });
    expect(first.errors).toMatchObject([problem]);
    const { endCursor } = Object(first.data).clients.pageInfo;
    const behind = await execute(PAGE.replace('clients', `clients(after: "${endCursor}")`));
    expect(behind).toMatchObject({ data: { clients: null }, errors: [problem] });
    expect(received).toHaveLength(1); // the page goes on in the list of the first
  });

  test('by a total above the rows that were received, those that are left out included', async () => {
    const rows = [{ name: 'no id' }, ...two];
    const whole = await overClients({ 1: json(rows, { 'x-total-count': '3' }) });
    expect((await whole.execute(PAGE)).errors).toMatchObject([{ message: expect.stringContaining('left out') }]);
    const part = await overClients({ 1: json(rows, { 'x-total-count': '4' }) });
    expect((await part.execute(PAGE)).errors).toMatchObject([
      { message: expect.stringContaining('left out') },
      { message: incomplete(3, 4) },
    ]);
  });
});

test.each<[string, RequestListener]>([
  ['a bare list', json(two)],
  ['next is null', json({ clients: two, next: null, next_page: null, has_more: false })],
  ['a total that equals the rows', json({ clients: two, total: 2, count: 2 }, { 'x-total-count': '2' })],
  ['a total below the rows', json(two, { 'content-range': 'items 0-0/1' })],
  ['a total that is no whole number', json({ clients: two, total: 'many', total_count: 250.5, count: -1 })],
  ['an unknown range', json(two, { 'content-range': 'items 0-1/*', 'x-total-count': 'unknown' })],
  ['another relation', json(two, { link: '</app/clients.json?page=2>; rel="last"' })],
  ['a title that looks like one', json(two, { link: '</x>; title="a; rel=next"; rel="last"' })],
  ['a row with such keys', json({ clients: two.map((row) => ({ ...row, total: 250, next: 'x' })) })],
])('%s says nothing: the list is whole, in one call', async (_what, answer) => {
  const { ask, received } = await overClients({ 1: answer });

  expect(await ask(PAGE)).toMatchObject({ clients: { totalCount: 2, pageInfo: { hasNextPage: false } } });
  expect(received).toHaveLength(1);
});

describe('a next page of the same address is read, by its number alone', () => {
  const next = (page: number, more = '') => ({ link: `<${CLIENTS}?api_token=canary&page=${page}${more}>; rel="next"` });

  test.each<[string, Readonly<Record<number, RequestListener>>]>([
    ['a link', { 1: json(two, next(2)), 2: json(rowsFrom(3, 2), next(3)), 3: json(rowsFrom(5, 1)) }],
    [
      'a link and a total',
      { 1: json(two, { ...next(2), 'x-total': '5' }), 2: json(rowsFrom(3, 3), { 'x-total': '5' }) },
    ],
    [
      'next_page as a number',
      { 1: json({ clients: two, next_page: 2 }), 2: json({ clients: rowsFrom(3, 3), next_page: null }) },
    ],
    [
      'next_page in meta',
      { 1: json({ clients: two, meta: { next_page: '2' } }), 2: json({ clients: rowsFrom(3, 3) }) },
    ],
    ['next as a link', { 1: json({ clients: two, next: '?page=2' }), 2: json({ clients: rowsFrom(3, 3) }) }],
    ['numbers that leave some out', { 1: json(two, next(4)), 4: json(rowsFrom(3, 3)) }],
    ['rows that are on two pages', { 1: json(two, next(2)), 2: json(rowsFrom(2, 4)) }],
  ])('%s', async (_how, answers) => {
    const { execute, received, logs } = await overClients(answers);

    const { data, errors } = await execute(PAGE);
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ clients: { totalCount: 5, pageInfo: { hasNextPage: false } } });
    const pages = Object.keys(answers).map((page) => (page === '1' ? '' : `&page=${page}`));
    expect(received).toEqual(pages.map((page) => `GET ${CLIENTS}?api_token=own-secret${page}`));
    expect(JSON.stringify(logs)).not.toContain('canary');
  });

  test('totalCount is not below the rows where a total counts those of a page', async () => {
    const page = (first: number, next: number) => json({ clients: rowsFrom(first, 2), count: 2, next_page: next });
    const { execute } = await overClients({ 1: page(1, 2), 2: page(3, 3) });

    const { data } = await execute(PAGE);
    expect(data).toMatchObject({ clients: { totalCount: 4, pageInfo: { hasNextPage: true } } });
  });

  test('once for all fields of an operation', async () => {
    const { ask, received } = await overClients({ 1: json(two, next(2)), 2: json(rowsFrom(3, 2)) });

    await ask(
      '{ clients { totalCount } a: clients(filter: { text: "4" }) { nodes { id } } clientByExternalId(value: "none") { id } }',
    );
    expect(received).toHaveLength(2);
  });

  test.each<[string, RequestListener]>([
    ['another origin', json(two, { link: '<http://other.example/app/clients.json?page=2>; rel="next"' })],
    ['another path', json(two, { link: '</app/deals.json?page=2>; rel="next"' })],
    ['another parameter', json(two, next(2, '&per_page=2'))],
    ['a parameter twice', json(two, { link: '<?page=2&cursor=3>; rel="next"' })],
    ['the page itself', json(two, next(1))],
    ['no page', json(two, { link: `<${CLIENTS}>; rel="next"` })],
    ['a page beyond 10,000', json(two, next(10_001))],
    ['what is no address', json({ clients: two, next: 'http://[' })],
    ['next_page below the last one', json({ clients: two, next_page: 1 })],
  ])('not one that leads to %s', async (_where, answer) => {
    const { execute, received } = await overClients({
      1: answer,
      2: json(rowsFrom(3, 1)),
      10_001: json(rowsFrom(3, 1)),
    });

    const { data, errors } = await execute(PAGE);
    expect(errors).toMatchObject([{ message: incomplete(2) }]);
    expect(data).toMatchObject({ clients: { totalCount: 2 } });
    expect(JSON.stringify(errors)).not.toMatch(/canary|per_page|other/);
    expect(received).toHaveLength(1);
  });

  test.each<[string, RequestListener, string]>([
    ['has no new row', json(two, next(3)), 'Page 2 has no new row.'],
    ['cannot be read', says('{}', { status: 500 }), 'Page 2 could not be read: '],
    ['is no list', json({ id: 7 }), 'Page 2 could not be read: '],
  ])('up to a page that %s', async (_how, second, reason) => {
    const { execute, received } = await overClients({ 1: json(two, next(2)), 2: second, 3: json(rowsFrom(9, 1)) });

    const { data, errors } = await execute(PAGE);
    expect(data).toMatchObject({ clients: { totalCount: 2, pageInfo: { hasNextPage: true } } });
    expect(errors).toMatchObject([{ message: expect.stringContaining(`${incomplete(2)} ${reason}`) }]);
    expect(received).toHaveLength(2);
  });

  test('up to a page that goes back', async () => {
    const { execute, received } = await overClients({ 1: json(two, next(2)), 2: json(rowsFrom(3, 2), next(2)) });

    expect((await execute(PAGE)).errors).toMatchObject([{ message: incomplete(4) }]);
    expect(received).toHaveLength(2);
  });

  test('within the upstream calls of the operation', async () => {
    const endless: RequestListener = (request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://crm').searchParams.get('page') ?? 1);
      json(rowsFrom(page, 1), next(page + 1))(request, response);
    };
    const answers = Object.fromEntries(Array.from({ length: 20 }, (_none, index) => [index + 1, endless]));
    const { execute, received } = await overClients(answers, { settings: { MAX_UPSTREAM_CALLS: 7 } });

    const { data, errors } = await execute(PAGE);
    expect(data).toMatchObject({ clients: { totalCount: 7 } });
    expect(errors).toMatchObject([{ message: expect.stringContaining(`${incomplete(7)} Page 8 could not be read`) }]);
    expect(received).toHaveLength(7);
  });
});

describe('what follows from the absence of a row is an error', () => {
  const answer = json(two, { 'x-total-count': '3' });
  const post = { id: 5, client_id: 3, title: 'Client' };
  const others = {
    '/app/clients/3.json': json({ id: 3, name: 'Third' }),
    '/app.json': json([post], { 'x-total-count': '9' }),
    '/app/deals.json': json([{ id: 6, name: 'Deal', client_id: 2 }], { 'x-total-count': '2' }),
  };
  const over = async () => overClients({ 1: answer }, { others });

  test.each([
    ['a look-up', 'clientByExternalId(value: "none") { id }'],
    ['a filter', 'clients(filter: { text: "zzz" }) { totalCount }'],
    ['a list below a record', 'client(id: 3) { posts { totalCount } }'],
  ])('%s', async (_what, field) => {
    const { execute } = await over();

    const { errors } = await execute(`{ ${field} }`);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('The list has '), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);
  });

  test('but a look-up that finds a row has it', async () => {
    const { ask } = await over();
    expect(await ask('{ clientByExternalId(value: "x") { id } }')).toEqual({ clientByExternalId: { id: 'Client:1' } });
  });

  test('and a record that the list lacks is read by id', async () => {
    const { execute, received } = await over();

    const { data } = await execute('{ clients { totalCount } posts { nodes { client { name } } } }');
    expect(data).toMatchObject({ posts: { nodes: [{ client: { name: 'Third' } }] } });
    expect(received.filter((call) => call.includes('/clients'))).toHaveLength(2);
  });

  test('and search lists it in failures, beside what was found', async () => {
    const { ask } = await over();

    expect(
      await ask('{ search(text: "Client", in: [CLIENTS]) { nodes { __typename } failures { target message } } }'),
    ).toEqual({
      search: {
        nodes: [{ __typename: 'Client' }, { __typename: 'Client' }],
        failures: [{ target: 'CLIENTS', message: incomplete(2, 3) }],
      },
    });
  });
});

test.each<[string, Partial<Config>, readonly string[]]>([
  ['upstream has said that it still holds', {}, ['none', '"1"', '"1"']],
  ['it was not asked', { CRM_CACHE_TTL_MS: 60_000 }, ['none']],
])('a cached list stays incomplete when %s', async (_when, settings, asked) => {
  const conditions: string[] = [];
  const answer: RequestListener = (request, response) => {
    const condition = request.headers['if-none-match'] ?? 'none';
    conditions.push(condition);
    if (condition === '"1"') response.writeHead(304, { etag: '"1"' }).end();
    else json(two, { etag: '"1"', 'x-total-count': '3' })(request, response);
  };
  const { execute } = await overClients({ 1: answer }, { settings });

  for (let reads = 0; reads < 3; reads += 1) {
    expect((await execute(PAGE)).errors).toMatchObject([{ message: incomplete(2, 3) }]);
  }
  expect(conditions).toEqual(asked);
});

describe('in the other APIs', () => {
  const over = async (answers: Readonly<Record<string, RequestListener>>) => {
    const upstream = await stubUpstream((request, response) =>
      (
        answers[request.url ?? ''] ??
        answers[request.url?.split('?', 1)[0] ?? ''] ??
        says('{"error":"not_found"}', { status: 404 })
      )(request, response),
    );
    return { ...(await gatewayOver(upstream.url, {}, 'secret')), received: upstream.received };
  };
  const TOKENS = '/account/api_tokens.json';
  const RECORDS = '/flex/dbs/7/records.json';
  const last = `${RECORDS}?page=2`;
  const behindFirst = json([{ id: 1, data: {} }], { link: `<${last}>; rel="next"` });
  const record = '{ node(id: "FlexRecord:7:2") { id } }';

  test('pages of tokens that are read without being named make the list whole', async () => {
    const total = { 'x-total-count': '30' };
    const { ask, received } = await over({
      [TOKENS]: json(rowsFrom(1, 25), total),
      [`${TOKENS}?page=2`]: json(rowsFrom(26, 5), total),
    });

    expect(await ask('{ apiTokens { id } }')).toMatchObject({ apiTokens: { length: 30 } });
    expect(received).toHaveLength(2);
  });

  test('tokens beyond those pages are missing', async () => {
    const { execute } = await over({ [TOKENS]: json(rowsFrom(1, 10), { 'x-total-count': '30' }) });

    const { data, errors } = await execute('{ apiTokens { id } }');
    expect(data).toMatchObject({ apiTokens: { length: 10 } });
    expect(errors).toMatchObject([{ path: ['apiTokens'], message: expect.stringContaining('10 of 30 rows') }]);
  });

  test('a flexible record is found on a further page', async () => {
    const { ask, received } = await over({ [RECORDS]: behindFirst, [last]: json([{ id: 2, data: {} }]) });

    expect(await ask(record)).toEqual({ node: { id: 'FlexRecord:7:2' } });
    expect(received).toEqual([`GET ${RECORDS}`, `GET ${last}`]);
  });

  test('a flexible record that the pages lack is an error, and is not changed', async () => {
    const answers = { [RECORDS]: behindFirst };
    const { execute, received } = await over({ ...answers, '/flex/dbs/7.json': json({ id: 7 }) });

    const missing = [{ message: expect.stringContaining('1 rows, and upstream says that more follow') }];
    expect((await execute(record)).errors).toMatchObject(missing);
    const update = 'mutation { updateFlexRecord(id: "FlexRecord:7:2", input: { data: {} }) { __typename } }';
    expect((await execute(update)).errors).toMatchObject(missing);
    expect(received.filter((call) => !call.startsWith('GET '))).toEqual([]);
  });

  test('records of one table are a filter', async () => {
    const { execute } = await over({ [RECORDS]: json([{ id: 1, table_name: 'a' }], { 'x-total': '2' }) });

    const { data, errors } = await execute('{ flexDb(id: "FlexDb:7") { records(table: "b") { nodes { id } } } }');
    expect(data).toEqual({ flexDb: { records: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test.each([
    ['that an application has no databases', '{ dashboard(id: 1) { layout { flexDbs { id } } } }'],
    ['that a code is free', 'mutation { createFlexDb(dryRun: true, input: { name: "A", code: "a" }) { __typename } }'],
  ])('%s does not follow from a part of the databases', async (_what, query) => {
    const { execute } = await over({
      '/flex/dbs.json': json([{ id: 7, app_id: null, code: 'b' }], { 'x-total': '2' }),
      '/toolkit/dashboards/1.json': json({ id: 1, layout: [{ id: 'a', key: 'flex_app:x' }] }),
    });

    const { errors } = await execute(query);
    expect(errors).toMatchObject([{ message: expect.stringContaining('1 of 2 rows') }]);
  });

  test('the company dashboards of a page are a filter', async () => {
    const { execute } = await over({
      '/toolkit/dashboards.json': json({ dashboards: [{ id: 1, context: 'main', shared: false }], has_more: true }),
      '/toolkit/dashboards/1.json': json({ id: 1, context: 'main', shared: false }),
    });

    const { data, errors } = await execute('{ dashboard(id: 1) { companyDashboards { id } } }');
    expect(data).toEqual({ dashboard: { companyDashboards: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
  });

  test('a part that was asked for, such as a page of a search, is no list that lacks rows', async () => {
    const { ask, received } = await over({
      '/flex/dbs/7/search.json': json([{ id: 1 }], { 'x-total-count': '250' }),
    });

    expect(await ask('{ flexDb(id: "FlexDb:7") { search { nodes { id } pageInfo { hasNextPage } } } }')).toMatchObject({
      flexDb: { search: { nodes: [{ id: 'FlexRecord:7:1' }] } },
    });
    expect(received).toHaveLength(1);
  });
});

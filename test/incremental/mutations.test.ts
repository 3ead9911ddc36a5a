import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { ask, type Part, partsOf } from '../support/parts.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Deferred fields and streamed rows of a mutation start after all root fields have completed, so they never show older state.

/** A CRM with one client, whose name mutations change, and three posts of it. */
async function renaming() {
  let name = 'old';
  const upstream = await stubUpstream((request, response) => {
    const [, renamed] = /[?&]name=(\w+)/.exec(request.url ?? '') ?? [];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, written = renamed] = /"name":"(\w+)"/.exec(Buffer.concat(chunks).toString()) ?? [];
      if (request.method === 'PUT' && written !== undefined) name = written;
      const posts = [1, 2, 3].map((id) => ({ id, title: name, client_id: 1 }));
      const isList = request.url?.startsWith('/app.json') === true;
      says(JSON.stringify(isList ? posts : { id: 1, name, note: `note of ${name}` }))(request, response);
    });
  });
  const settings = { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' } as const;
  const { url } = await gatewayOver(upstream.url, settings, 'token');
  const headers = { authorization: 'Bearer token', accept: 'multipart/mixed' };
  return {
    run: async (query: string, variables = {}): Promise<{ parts: Part[] }> => {
      const response = await ask(url, query, { headers, variables });
      const isWhole = response.headers.get('content-type')?.includes('json') === true;
      if (isWhole) return { parts: [await response.json()] };
      const parts: Part[] = [];
      for await (const part of partsOf(response)) parts.push(part);
      return { parts };
    },
    methods: () => upstream.received.map((call) => call.split(' ', 1)[0]),
  };
}

const first = (selection: string) =>
  `a: updateClient(id: 1, input: { name: "one" }) { ... on Client { id ${selection} } }`;
const SECOND = 'b: updateClient(id: 1, input: { name: "two" }) { ... on Client { id name } }';

describe('in a mutation', () => {
  test('a deferred field of the first root field is read after the write of the second one', async () => {
    const { run, methods } = await renaming();
    const { parts } = await run(
      `mutation { ${first('... @defer { posts { totalCount nodes { title } } }')} ${SECOND} }`,
    );
    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatchObject({ data: { a: { id: 'Client:1' }, b: { name: 'two' } } });
    const titles = [1, 2, 3].map(() => ({ title: 'two' }));
    expect(JSON.stringify(parts[1])).toContain(JSON.stringify({ totalCount: 3, nodes: titles }));
    expect(methods()).toEqual(['PUT', 'PUT', 'GET']);
  });

  test('so are the rows of a streamed list, but for those that come at once', async () => {
    const { run, methods } = await renaming();
    const rows = 'posts { nodes @stream(initialCount: 1) { title client { note } } }';
    const { parts } = await run(`mutation { ${first(rows)} ${SECOND} }`);
    expect(parts.length).toBeGreaterThan(1);
    const shown = JSON.stringify(parts);
    expect(shown.match(/note of two/g)).toHaveLength(2);
    expect(shown.match(/note of one/g)).toHaveLength(1);
    expect(methods()).toEqual(['PUT', 'GET', 'GET', 'PUT', 'GET']);
  });

  test('a fragment that is used at once and later is read at both times', async () => {
    const { run } = await renaming();
    const query = `mutation { ${first('... F ... @defer { posts { nodes { client { ...F } } } }')} ${SECOND} }
      fragment F on Client { note }`;
    const { parts } = await run(query);
    expect(parts[0]).toMatchObject({ data: { a: { note: 'note of one' } } });
    expect(JSON.stringify(parts[1])).toContain('note of two');
  });

  test('what is not deferred does not wait, whatever the same document deferred before', async () => {
    const { run } = await renaming();
    const query = `mutation ($later: Boolean!) { ${first('... @defer(if: $later) { posts { totalCount } }')} ${SECOND} }`;
    expect((await run(query, { later: true })).parts).toHaveLength(2);
    const { parts } = await run(query, { later: false });
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ data: { a: { posts: { totalCount: 3 } } } });
  });

  test('a root field whose arguments are refused holds nothing up', async () => {
    const { run } = await renaming();
    const refused = 'b: updateClient(id: 1, input: { name: "" }) { ... on Client { id } }';
    const { parts } = await run(`mutation { ${first('... @defer { posts { totalCount } }')} ${refused} }`);
    expect(JSON.stringify(parts[1])).toContain('"totalCount":3');
  });
});

test.each(['@ defer', '@,defer', '@\n  defer', '@#\ndefer'])(
  '`%s` is the directive, and loses no answer',
  async (directive) => {
    const { run } = await renaming();
    const { parts } = await run(`mutation { ${first(`... ${directive} { posts { totalCount } }`)} }`);
    expect(parts).toHaveLength(2);
  },
);

import { describe, expect, test } from 'vitest';
import { gatewayOverReplies } from '../flex/public-support.ts';
import { publicBook, publicSettings } from './public-gateway.ts';

const READS = { list: true, get: true, search: true };
const rows = { fields: { n: 'integer', author: 'string' } };

describe('records as upstream sends them', () => {
  const answer = async (record: object, selection: string) => {
    const over = await gatewayOverReplies([{ body: [{ id: 1, ...record }] }], await publicSettings(READS));
    return over.execute(`{ publicBook { list { nodes { ${selection} } } } }`, { token: null });
  };

  test('cost the field of a value that does not fit, and no other', async () => {
    const { data, errors } = await answer({ data: { rank: 'high', sent_at: 7, message: 5 } }, 'message rank sentAt');

    expect(data).toEqual({ publicBook: { list: { nodes: [{ message: '5', rank: null, sentAt: null }] } } });
    const codes = errors.map(({ path, extensions: { code } }) => [path?.at(-1), code]);
    expect(codes).toEqual([
      ['rank', 'UPSTREAM_BAD_RESPONSE'],
      ['sentAt', 'UPSTREAM_BAD_RESPONSE'],
    ]);
  });

  test('keep the digits of integers', async () => {
    const { data, errors } = await answer({ data: { rank: '9007199254740993' } }, 'rank');
    expect({ data, errors }).toEqual({
      data: { publicBook: { list: { nodes: [{ rank: '9007199254740993' }] } } },
      errors: [],
    });
  });

  test('may be flat, and may lack their data', async () => {
    const over = await gatewayOverReplies(
      [{ body: [{ id: 1, message: 'Flat', nick: 'B' }] }, { body: [{ id: 2 }] }],
      await publicSettings(READS),
    );
    const { data, errors } = await over.execute('{ publicBook { search { nodes { message extra } } } }', {
      token: null,
    });
    expect({ data, errors }).toEqual({
      data: { publicBook: { search: { nodes: [{ message: 'Flat', extra: { nick: 'B' } }] } } },
      errors: [],
    });
    const bare = await over.execute('{ publicBook { list { nodes { upstreamId message extra } } } }', { token: null });
    expect(bare.data).toEqual({ publicBook: { list: { nodes: [{ upstreamId: '2', message: null, extra: null }] } } });
  });
});

describe('scope_by', () => {
  const own = { auto_fields: { author: '{cookie_key}' }, scope_by: 'author' };

  test('shows each caller their own records: the cookie goes both ways, and the first calls in turn', async () => {
    const methods = { create: own, list: own, get: own, search: own };
    const { run, headers } = await publicBook(methods, { schema: rows }).then((book) => ({
      ...book,
      headers: () => book.sandbox.requests.map(({ headers: sent }) => sent['cookie']),
    }));

    const made = await run('mutation { createPublicBookRow(input: { n: 1 }) { ... on PublicBookRow { n } } }');
    const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? '';
    const read = '{ publicBook { list { nodes { n } } search { nodes { n } } } }';
    const [mine, others] = [await run(read, { cookie: `${cookie}; other=1` }), await run(read)];

    expect(made.data).toEqual({ createPublicBookRow: { n: 1 } });
    expect(cookie).toMatch(/^flex_key=\w{32}$/);
    expect(mine.data).toEqual({ publicBook: { list: { nodes: [{ n: 1 }] }, search: { nodes: [{ n: 1 }] } } });
    expect(others.data).toEqual({ publicBook: { list: { nodes: [] }, search: { nodes: [] } } });
    expect(headers().slice(1, 3)).toEqual([cookie, cookie]);
    const [first, second] = headers().slice(3);
    expect(first).toBeUndefined();
    expect(second).toMatch(/^flex_key=/); // the one that upstream set in its answer to the first
  });

  test('takes the address of a caller from the trusted proxy', async () => {
    const byAddress = { auto_fields: { author: '{ip}' }, scope_by: 'author' };
    const { run, sandbox } = await publicBook(
      { create: byAddress, list: byAddress },
      { schema: rows, settings: { TRUST_PROXY: 1 } },
    );
    const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` });
    await run('mutation { createPublicBookRow(input: { n: 7 }) { __typename } }', from('192.0.2.7'));

    const read = '{ publicBook { list { nodes { n author } } } }';
    const [mine, others] = [await run(read, from('192.0.2.7')), await run(read, from('192.0.2.8'))];

    expect(mine.data).toEqual({ publicBook: { list: { nodes: [{ n: 7, author: '192.0.2.7' }] } } });
    expect(others.data).toEqual({ publicBook: { list: { nodes: [] } } });
    expect(sandbox.requests.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      '192.0.2.7',
      '192.0.2.7',
      '192.0.2.8',
    ]);
  });
});

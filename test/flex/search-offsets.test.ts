import { describe, expect, test } from 'vitest';
import { publicBook } from '../typed-flex/public-gateway.ts';
import { sharedTypedDatabase } from '../typed-flex/support.ts';
import { flexShop, numbered } from './support.ts';
import { all, NOBODY } from './public-support.ts';

// "limit, offset | Pagination" of the search, and of the public methods `list` and `search`.

const typedShop = sharedTypedDatabase({ code: 'shop', schema: { fields: { n: 'integer' } } });

/** Each list that upstream reads from an offset: its operation, and the windows that it asked for as `limit@offset`. */
const lists: Record<string, (args: string, selection: string) => Promise<{ answer: object; windows: string[] }>> = {
  'FlexDb.search': async (args, selection) => {
    const { execute, sandbox, db } = await filled();
    const answer = await execute(`{ flexDb(id: "FlexDb:${db}") { list: search(${args}) { ${selection} } } }`);
    return { answer, windows: windowsOf(sandbox.requests.map(({ query }) => query)) };
  },
  'PublicFlexDb.list': async (args, selection) => {
    const { execute, bodies } = await filled();
    const answer = await execute(`{ publicFlexDb(code: "shop") { list(${args}) { ${selection} } } }`, NOBODY);
    return { answer, windows: windowsOf(bodies()) };
  },
  'PublicFlexDb.search': async (args, selection) => {
    const { execute, bodies } = await filled();
    const answer = await execute(`{ publicFlexDb(code: "shop") { list: search(${args}) { ${selection} } } }`, NOBODY);
    return { answer, windows: windowsOf(bodies()) };
  },
  'a typed list': async (args, selection) => {
    const { execute, sandbox, makeRecords } = await typedShop();
    makeRecords(numbered(9));
    const answer = await execute(`{ shop { list: rows(${args}) { ${selection} } } }`);
    return { answer, windows: windowsOf(sandbox.requests.map(({ query }) => query)) };
  },
  'a typed list in a range': async (args, selection) => {
    const { execute, sandbox, makeRecords } = await typedShop();
    makeRecords(numbered(9));
    const inRange = `${args}, range: { n: { gte: 0 } }`;
    const answer = await execute(`{ shop { list: rows(${inRange}) { ${selection} } } }`);
    return { answer, windows: windowsOf(sandbox.requests.map(({ query }) => query)) };
  },
  'a typed public list': async (args, selection) => {
    const { run, bodies } = await filledBook();
    return { answer: await run(`{ publicBook { list(${args}) { ${selection} } } }`), windows: windowsOf(bodies()) };
  },
  'a typed public search': async (args, selection) => {
    const { run, bodies } = await filledBook();
    const answer = await run(`{ publicBook { list: search(${args}) { ${selection} } } }`);
    return { answer, windows: windowsOf(bodies()) };
  },
};

async function filled() {
  const shop = await flexShop(numbered(9), { schema: { fields: { n: 'integer' } }, public_methods: all });
  shop.sandbox.forgetCalls();
  return shop;
}

async function filledBook() {
  const book = await publicBook({ list: true, search: true }, { schema: { fields: { n: 'integer' } } });
  book.makeRecords(book.db, numbered(9));
  return book;
}

/** @param requests queries, or bodies */
function windowsOf(requests: readonly unknown[]): string[] {
  return requests.flatMap((request) => {
    const { limit, offset } = Object(request);
    return offset === undefined ? [] : [`${limit}@${offset}`];
  });
}

const PAGE = 'edges { cursor } pageInfo { hasPreviousPage endCursor }';
const listIn = (answer: object) => Object.values(Object(answer).data)[0];

describe.each(Object.keys(lists))('offset of %s', (name) => {
  const read = lists[name] ?? expect.unreachable();

  test('is sent as it is, and the cursors of the page go on from it', async () => {
    const { answer, windows } = await read('first: 2, offset: 5', PAGE);

    const cursors = ['offset:5', 'offset:6'];
    const pageInfo = { hasPreviousPage: true, endCursor: cursors[1] };
    expect(answer).toMatchObject({ errors: [] });
    expect(listIn(answer)).toEqual({ list: { edges: cursors.map((cursor) => ({ cursor })), pageInfo } });
    expect(windows).toEqual([name.endsWith('range') ? '100@5' : '2@5']);
  });

  test('0 and null are the start', async () => {
    for (const offset of ['0', 'null']) {
      const { answer } = await read(`first: 1, offset: ${offset}`, PAGE);
      expect(listIn(answer), offset).toMatchObject({ list: { edges: [{ cursor: 'offset:0' }] } });
    }
  });

  test('of the largest Int has a cursor that can be sent', async () => {
    const { answer, windows } = await read('first: 0, offset: 2147483647', 'pageInfo { hasPreviousPage }');
    expect(answer).toMatchObject({ errors: [] });
    expect(windows).toEqual([]);
    const next = await read('first: 1, after: "offset:2147483647"', 'pageInfo { hasPreviousPage }');
    expect(next.answer).toMatchObject({ errors: [] });
  });

  test.each([
    ['first: 1, offset: -1', 'takes 0 or more'],
    ['first: 1, offset: 3, after: "offset:1"', 'cannot be combined with `after`'],
  ])('(%s) is refused before a call', async (args, message) => {
    const { answer, windows } = await read(args, PAGE);

    const fields = [{ field: 'offset', messages: [message] }];
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', fields } }] });
    expect(windows).toEqual([]);
  });
});

test('a typed public search has no `offset` where the method does not allow it', async () => {
  const { run } = await publicBook({ search: { allowed_params: ['q', 'limit'] } });
  const { errors } = await run('{ publicBook { search(offset: 1) { nodes { id } } } }');
  expect(errors).toMatchObject([{ message: expect.stringContaining('Unknown argument "offset"') }]);
});

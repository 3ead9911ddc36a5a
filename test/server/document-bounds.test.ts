import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { redactedMessage } from '../../src/operation/errors/redacted-messages.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A document is refused by the size of its text and of its names before they are compared with anything, and no error repeats
// more than 100 characters of a name.

async function errorsOf(query: string, variables: Readonly<Record<string, unknown>> = {}, settings = {}) {
  const upstream = await stubUpstream(says('[]'));
  const { execute } = await gatewayOver(upstream.url, settings);
  const { errors } = await execute(query, { variables });
  expect(upstream.received).toEqual([]);
  return errors;
}

describe('a document', () => {
  const TEXT =
    'The document has more than 256000 characters or 10000 lines, as MAX_TOKENS (2000) allows: send long texts as variables.';

  test.each([
    ['a long text', `{ node(id: "${'x'.repeat(256_000)}") { id } }`],
    ['a long comment', `{ __typename } # ${'x'.repeat(256_000)}`],
    ['many line feeds', `{ __typename ${'\n'.repeat(10_000)}}`],
    ['many carriage returns', `{ __typename ${'\r'.repeat(10_000)}}`],
    ['a block text of many lines', `{ node(id: """${'\n'.repeat(10_000)}""") { id } }`],
  ])('with %s is refused', async (_name, query) => {
    expect(await errorsOf(query)).toMatchObject([{ message: TEXT, extensions: { code: 'QUERY_LIMIT_EXCEEDED' } }]);
  });

  test('may be so long, and have so many lines', async () => {
    expect(await errorsOf(`{ __typename } # ${'x'.repeat(255_900)}`)).toEqual([]);
    expect(await errorsOf(`{ __typename ${'\r\n'.repeat(4_900)}}`)).toEqual([]);
  });

  test('may be longer where MAX_TOKENS is higher', async () => {
    expect(await errorsOf(`{ __typename } # ${'x'.repeat(300_000)}`, {}, { MAX_TOKENS: 3_000 })).toEqual([]);
  });
});

describe('a name of 257 characters', () => {
  const name = 'x'.repeat(257);
  const refused = [
    {
      message: 'The document has a name of more than 256 characters.',
      extensions: { code: 'QUERY_LIMIT_EXCEEDED' },
      locations: [{ line: 2 }],
    },
  ];

  test.each([
    ['of a field', `{\n${name} }`],
    ['of an alias', `{\n${name}: __typename }`],
    ['of an argument', `{ node(\n${name}: 1) { id } }`],
    ['of an operation', `query\n${name} { __typename }`],
    ['of a variable', `query (\n$${name}: Int) { __typename }`],
    ['of a type', `query ($a:\n${name}) { __typename }`],
    ['of a type condition', `{ ... on\n${name} { __typename } }`],
    ['of a directive', `{ __typename\n@${name} }`],
    ['of an enum value', `{ clients(orderBy: { field:\n${name} }) { totalCount } }`],
    ['of an input field', `{ clients(filter: {\n${name}: 1 }) { totalCount } }`],
  ])('%s is refused', async (_name, query) => {
    expect(await errorsOf(query)).toMatchObject(refused);
  });
});

describe('of a name, an error repeats 100 characters', () => {
  const name = 'x'.repeat(256);
  const cut = `"${'x'.repeat(100)}…"`;

  test.each([
    ['a field', `{ ${name} }`],
    ['an argument', `{ node(${name}: 1) { id } }`],
    ['a type', `query ($a: ${name}) { __typename }`],
    ['a type condition', `{ ... on ${name} { __typename } }`],
    ['an input field', `{ clients(filter: { ${name}: 1 }) { totalCount } }`],
    ['a token that is too many', `{ __typename } ${name}`],
  ])('%s', async (_name, query) => {
    const upstream = await stubUpstream(says('[]'));
    const { url } = await gatewayOver(upstream.url);
    const body = JSON.stringify({ query });
    const headers = { 'content-type': 'application/json' };
    const text = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
    expect(text).toContain(cut.slice(1, -1));
    expect(text).not.toContain('x'.repeat(101));
  });

  test('also of a name in JSON, however long it is and wherever it stands', async () => {
    const long = 'x'.repeat(1_000_000);
    const query = 'query ($filter: ClientFilter) { clients(filter: $filter) { totalCount } }';
    const errors = await errorsOf(query, { filter: { [long]: 1, anyOf: [{ [`"${long}`]: 1 }] } });
    expect(errors.map(({ message }) => message.replace(/^.*; /, ''))).toEqual([
      `Field ""${'x'.repeat(99)}…" is not defined by type "ClientAlternative".`,
      `Field ${cut} is not defined by type "ClientFilter".`,
    ]);
    expect(JSON.stringify(errors).length).toBeLessThan(2_000);
  });

  test('also of a variable', async () => {
    const filter = { [name]: 1 };
    const query = `query ($${name}: ClientFilter, $b${name.slice(1)}: ID!) { clients(filter: $${name}) { totalCount } node(id: $b${name.slice(1)}) { id } }`;
    const errors = await errorsOf(query, { [name]: { anyOf: [filter] } });
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(errors)).not.toContain('x'.repeat(101));
  });

  test('also of a parameter that GraphQL over HTTP does not know', async () => {
    const upstream = await stubUpstream(says('[]'));
    const { url } = await gatewayOver(upstream.url);
    const body = JSON.stringify({ query: '{ __typename }', [`"${'x'.repeat(100_000)}`]: 1 });
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect((await response.text()).length).toBeLessThan(500);
  });
});

test('at most 10 errors of a document are told', async () => {
  const fields = Array.from({ length: 900 }, (_none, at) => `nothing${at}`).join(' ');
  const errors = await errorsOf(`{ ${fields} }`);
  expect(errors).toHaveLength(11);
  expect(errors.at(-1)?.message).toBe('Too many validation errors, error limit reached. Validation aborted.');
});

describe('suggestions', () => {
  const types = Array.from(
    { length: 600 },
    (_none, at) => `type Typed${at} implements Node { id: ID title${at}: String }`,
  );
  const schema = buildSchema(`
    interface Node { id: ID }
    type Small { title(first: Int): String }
    type Query { small: Small ${types.map((_type, at) => `typed${at}: Typed${at}`).join(' ')} }
    ${types.join('\n')}
  `);

  test.each([
    ['Cannot query field "titel" on type "Small".', ' Did you mean "title"?'],
    ['Unknown argument "frist" on field "Small.title".', ' Did you mean "first"?'],
    ['Cannot query field "titl7" on type "Typed7".', ' Did you mean "title7"?'],
    ['Unknown type "Typd7".', ''],
    ['Cannot query field "typd7" on type "Query".', ''],
    ['Cannot query field "title7" on type "Node".', ''],
    [`Cannot query field "title${'e'.repeat(100)}" on type "Small".`, ''],
    ['Cannot query field "titel" on type "constructor".', ''],
    ['Unknown argument "frist" on field "Small.constructor".', ''],
  ])('where more than 500 names would be compared there are none: %s', (message, suggestion) => {
    expect(redactedMessage(message, schema).replace(/…|e{40,}/g, '')).toBe(
      `${message.replace(/e{40,}/g, '')}${suggestion}`,
    );
    expect(redactedMessage(message, undefined)).not.toContain('Did you mean');
  });
});

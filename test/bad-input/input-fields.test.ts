import { GraphQLError, parse } from 'graphql';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { inputFields } from '../../src/operation/errors/input-fields.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A form marks its inputs by `extensions.fields`: of the gateway's errors as of upstream's refusals.

type Variables = Readonly<Record<string, unknown>>;

async function errorsOf(query: string, variables: Variables = {}, settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(says('{}'));
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings }, 'token');
  const { errors } = await execute(query, { variables });
  expect(upstream.received).toEqual([]);
  return errors;
}

const fieldsOf = async (query: string, variables?: Variables) =>
  (await errorsOf(query, variables)).map(({ extensions }) => extensions?.['fields']);

const DECIMAL = 'Expected a decimal such as "19.90".';
const INSTANT = 'Expected an instant such as 2026-03-01T08:00:00Z.';
const TEXT = 'String cannot represent a non string value.';
const NUMBER = 'Int cannot represent non-integer value.';
const MISSING = 'Field "prefix" of required type "String!" was not provided.';

const client = (input: string) => `mutation { createClient(input: ${input}) { __typename } }`;
const CLIENT = 'mutation ($input: ClientInput!) { createClient(input: $input) { __typename } }';
const ACCOUNT = 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename } }';

const contains = (text: string): unknown => expect.stringContaining(text);
const matches = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const ids = (...systems: unknown[]) => systems.map((system) => ({ system, value: 'b' }));
const NULL = /^Variable "\$input" of non-null type "ClientInput!" must not be null\.$|non-nullable/;

/** The messages by the path of the field. */
type Fields = Readonly<Record<string, unknown>>;
const shown = (fields: Fields) => Object.entries(fields).map(([field, message]) => ({ field, messages: [message] }));

test.each<[string, string, Variables, Fields]>([
  ['a field of the input', CLIENT, { input: { discount: 'abc' } }, { discount: DECIMAL }],
  [
    'several fields, one error each',
    CLIENT,
    { input: { discount: 'abc', name: 5, externalIds: ids('a', 5) } },
    { discount: DECIMAL, 'externalIds.1.system': TEXT, name: TEXT },
  ],
  ['an unknown field', CLIENT, { input: { nam: 'a' } }, { nam: contains('Field "nam" is not defined') }],
  ['a missing field', ACCOUNT, { input: { user: { login: 'a', email: 'b', password: 'c' } } }, { prefix: MISSING }],
  [
    'a missing field deeper',
    ACCOUNT,
    { input: { prefix: 'a', user: { login: 'a', email: 'b' } } },
    { 'user.password': 'Field "password" of required type "Password!" was not provided.' },
  ],
  ['the whole input', CLIENT, { input: 'abc' }, { input: 'Expected type "ClientInput" to be an object.' }],
  ['a missing variable', CLIENT, {}, { input: 'Variable "$input" of required type "ClientInput!" was not provided.' }],
  ['a variable that is null', CLIENT, { input: null }, { input: matches(NULL) }],
  [
    'a variable by the argument that takes it',
    'query ($since: DateTime, $ids: [ID!]!) { clients(filter: { createdAt: { from: $since } }) { totalCount } nodes(ids: $ids) { id } }',
    { since: 'now', ids: ['Client:1', {}] },
    { 'filter.createdAt.from': INSTANT, 'ids.1': 'ID cannot represent value.' },
  ],
  [
    'a variable in several places',
    'query ($x: Int) { clients(first: $x) { totalCount } a: deals(first: $x) { totalCount } b: deals(last: $x) { totalCount } }',
    { x: 'many' },
    { first: NUMBER, last: NUMBER },
  ],
  [
    'a variable in a fragment',
    'query ($x: Int) { ...Rows } fragment Rows on Query { clients(first: $x) { totalCount } }',
    { x: 'many' },
    { first: NUMBER },
  ],
  [
    'a variable with a default that is null',
    'query ($ids: [ID!] = ["a"]) { nodes(ids: $ids) { id } }',
    { ids: null },
    { ids: matches(/^Argument "ids" of non-null type .* must not be null\.$/) },
  ],
])('of a variable: %s', async (_name, query, variables, fields) => {
  expect((await fieldsOf(query, variables)).flat()).toEqual(shown(fields));
});

test.each<[string, string, Fields]>([
  ['a field of the input', client('{ discount: "abc" }'), { discount: contains(DECIMAL) }],
  [
    'an item of a list',
    client('{ externalIds: [{ system: "a", value: "b" }, { system: 5, value: "b" }] }'),
    { 'externalIds.1.system': TEXT },
  ],
  ['an unknown field', client('{ nam: "a" }'), { nam: contains('Field "nam" is not defined') }],
  [
    'a missing field',
    'mutation { createAccount(input: { user: { login: "a", email: "b", password: "c" } }) { __typename } }',
    { prefix: contains('of required type "String!" was not provided.') },
  ],
  [
    'an instant',
    '{ clients(filter: { createdAt: { from: "now" } }) { totalCount } }',
    { 'filter.createdAt.from': contains(INSTANT) },
  ],
  [
    'several arguments',
    '{ clients(first: "a") { totalCount } deals(after: 5) { totalCount } }',
    { first: NUMBER, after: TEXT },
  ],
  [
    'an enum',
    '{ clients(filter: { kinds: [NEITHER] }) { totalCount } }',
    { 'filter.kinds.0': contains('does not exist in "ClientKind" enum') },
  ],
])('of a literal: %s', async (_name, query, fields) => {
  expect((await fieldsOf(query)).flat()).toEqual(shown(fields));
});

test.each([
  ['a field that does not exist', '{ nothing }'],
  ['a variable that is not used', 'query ($x: Int) { clients { totalCount } }'],
  ['a directive', '{ clients @include(if: "yes") { totalCount } }'],
  ['a variable that is not there', '{ clients(first: $x) { totalCount } }'],
  ['a default of a variable', 'query ($x: Int = "a") { clients(first: $x) { totalCount } }'],
])('an error about no input has none: %s', async (_name, query) => {
  expect(await fieldsOf(query)).toEqual([undefined]);
});

test('a variable has the places of the operation that is executed alone', async () => {
  const { url } = await gateway();
  const query = `
    query Other($x: Int) { deals(last: $x) { totalCount } ...Unreached }
    query Executed($x: Int) { ...Reached }
    fragment Unreached on Query { posts(last: $x) { totalCount } }
    fragment Reached on Query { clients(first: $x) { totalCount } ...Further }
    fragment Further on Query { posts(first: $x) { totalCount } }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, operationName: 'Executed', variables: { x: 'many' } }),
  });
  const { errors } = await response.json();
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions.fields).toEqual([
    { field: 'first', messages: ['Int cannot represent non-integer value.'] },
  ]);
});

test('many errors of a value cost one visit of the document', () => {
  const document = parse('query ($ids: [ID!]) { nodes(ids: $ids) { id } }');
  const [operation] = document.definitions;
  let visits = 0;
  const watched = new Proxy(document, {
    get: (target, name) => {
      if (name === 'definitions') visits += 1;
      return Reflect.get(target, name);
    },
  });
  const addFields = inputFields(watched);
  const message = 'Variable "$ids" got an invalid value; Expected a list.';
  const all = Array.from({ length: 1_000 }, () => addFields(new GraphQLError(message, { nodes: operation ?? null })));
  expect(all.at(-1)?.extensions['fields']).toEqual([{ field: 'ids', messages: ['Expected a list.'] }]);
  expect(visits).toBe(1);
});

test('the codes and the outcome stay, and production suggests no names', async () => {
  const [literal] = await errorsOf(client('{ nam: "a" }'), {}, { NODE_ENV: 'production' });
  expect(literal).toMatchObject({
    extensions: {
      code: 'GRAPHQL_VALIDATION_FAILED',
      outcome: 'REFUSED',
      fields: [{ field: 'nam', messages: ['Field "nam" is not defined by type "ClientInput".'] }],
    },
  });
  const [variable] = await errorsOf(CLIENT, { input: { nam: 'a' } }, { NODE_ENV: 'production' });
  expect(variable).toMatchObject({
    extensions: {
      code: 'BAD_USER_INPUT',
      outcome: 'REFUSED',
      fields: [{ field: 'nam', messages: ['Field "nam" is not defined by type "ClientInput".'] }],
    },
  });
});

test('a variable that is used very often has a bound of places', async () => {
  const uses = Array.from({ length: 40 }, (_none, index) => `{ system: $x, value: "${index}" }`).join(' ');
  const query = `mutation ($x: String!) { createClient(input: { externalIds: [${uses}] }) { __typename } }`;
  const [fields] = await fieldsOf(query, { x: 5 });
  expect(fields).toHaveLength(20);
});

import { GraphQLEnumType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { schema } from '../../src/apis/schema.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// graphql's own messages quote what they refuse, and all that stands beside it. Here that is a password.

const SECRET = 'hunter2-canary';
const user = { login: 'ada', email: 'ada@example.com', password: SECRET };
const CREATE = 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename } }';
const creating = (input: string) => `mutation { createAccount(input: ${input}) { __typename } }`;
const USER = `user: { login: "ada", email: "a@b.example", password: "${SECRET}" }`;

async function messagesOf(query: string, variables: Readonly<Record<string, unknown>> = {}) {
  const upstream = await stubUpstream(says('{}'));
  const { execute, logs } = await gatewayOver(
    upstream.url,
    { CRM_URL: new URL(upstream.url), LOG_LEVEL: 'debug' },
    'token',
  );
  const { data, errors } = await execute(query, { variables });
  expect(upstream.received).toEqual([]);
  expect(JSON.stringify([data, errors, logs])).not.toMatch(/hunter|canary/);
  return errors.map(({ message }) => message);
}

const wrong = (name: string, ...places: readonly string[]) =>
  places.map((place) => `Variable "$${name}" got an invalid value${place}`);

describe('a variable is named, and the place in it, without what it holds', () => {
  const NO_TEXT = 'String cannot represent a non string value.';
  test.each<[string, unknown, readonly string[]]>([
    [
      'an unknown field',
      { prefix: 'a', user, x: SECRET },
      ['; Field "x" is not defined by type "CreateAccountInput".'],
    ],
    [
      'an unknown field that resembles one',
      { prefix: 'a', user: { ...user, passwort: SECRET } },
      [' at "input.user"; Field "passwort" is not defined by type "NewAccountUser". Did you mean "password"?'],
    ],
    ['a missing field', { user }, ['; Field "prefix" of required type "String!" was not provided.']],
    ['null', { prefix: null, user }, [' at "input.prefix"; Expected non-nullable type "String!" not to be null.']],
    ['an object for a text', { prefix: { a: SECRET }, user }, [` at "input.prefix"; ${NO_TEXT}`]],
    [
      'a list for a password',
      { prefix: 'a', user: { ...user, password: [SECRET] } },
      [' at "input.user.password"; Expected a text.'],
    ],
    [
      'a text for an object',
      { prefix: 'a', user: SECRET },
      [' at "input.user"; Expected type "NewAccountUser" to be an object.'],
    ],
    [
      'a text for all of it, that reads like a message',
      `${SECRET} at "input.user"; Expected ${SECRET}`,
      ['; Expected type "CreateAccountInput" to be an object.'],
    ],
    [
      'several things at once',
      { prefix: 5, user: { ...user, login: 5 } },
      [` at "input.prefix"; ${NO_TEXT}`, ` at "input.user.login"; ${NO_TEXT}`],
    ],
  ])('%s', async (_name, input, places) => {
    expect(await messagesOf(CREATE, { input })).toEqual(wrong('input', ...places));
  });
});

describe('what a variable may be is told, not what it was', () => {
  const KIND = 'Expected one of: BUYER, SELLER.';
  const UNKNOWN = `The value does not exist in "ClientKind" enum. ${KIND}`;
  const KINDS = ['[ClientKind!]', 'filter: { kinds: $x }'] as const;
  const quoting = `a" does not exist in "Other" enum. ${SECRET}`;

  test.each<[string, type: string, argument: string, x: unknown, place: string]>([
    ['Int', 'Int', 'first: $x', SECRET, '; Int cannot represent non-integer value.'],
    ['Boolean', 'Boolean', 'filter: { company: $x }', SECRET, '; Boolean cannot represent a non boolean value.'],
    ['ID', '[ID!]', 'filter: { statusIds: $x }', [{ a: SECRET }], ' at "x[0]"; ID cannot represent value.'],
    ['an enum', ...KINDS, [SECRET], ` at "x[0]"; ${UNKNOWN}`],
    ['an enum, by a text that reads like a message', ...KINDS, quoting, `; ${UNKNOWN}`],
    [
      'an enum, by an object',
      ...KINDS,
      { a: SECRET },
      `; Enum "ClientKind" cannot represent non-string value. ${KIND}`,
    ],
    ['an enum that it resembles', ...KINDS, 'BUYERS', `; ${UNKNOWN} Did you mean the enum value "BUYER"?`],
    [
      'an instant',
      'DateTime',
      'filter: { createdAt: { from: $x } }',
      SECRET,
      '; Expected an instant such as 2026-03-01T08:00:00Z.',
    ],
  ])('%s', async (_name, type, argument, x, place) => {
    const query = `query ($x: ${type}) { clients(${argument}) { totalCount } }`;
    expect(await messagesOf(query, { x })).toEqual(wrong('x', place));
  });
});

describe('a literal is not quoted either', () => {
  test.each([
    [
      'an object for a text',
      creating(`{ prefix: { a: "${SECRET}" }, ${USER} }`),
      'String cannot represent a non string value.',
    ],
    [
      'a text for an object',
      creating(`{ prefix: "a", user: "${SECRET}" }`),
      'Expected value of type "NewAccountUser!".',
    ],
    ['a text for all of it', creating(`"${SECRET}"`), 'Expected value of type "CreateAccountInput!".'],
    ['a list for all of it', creating(`[{ ${USER} }]`), 'Expected value of type "CreateAccountInput".'],
    [
      'a name for a password',
      creating('{ prefix: "a", user: { login: "a", email: "b", password: hunter2 } }'),
      'Expected a text.',
    ],
    [
      'a missing field',
      creating(`{ ${USER} }`),
      'Field "CreateAccountInput.prefix" of required type "String!" was not provided.',
    ],
    [
      'an unknown field',
      creating(`{ prefix: "a", ${USER}, x: "${SECRET}" }`),
      'Field "x" is not defined by type "CreateAccountInput".',
    ],
    ['a number', `{ clients(first: "${SECRET}") { totalCount } }`, 'Int cannot represent non-integer value.'],
    [
      'a number that is too large',
      '{ clients(first: 123456789012) { totalCount } }',
      'Int cannot represent non 32-bit signed integer value.',
    ],
    [
      'an enum',
      '{ clients(filter: { kinds: [hunter2] }) { totalCount } }',
      'The value does not exist in "ClientKind" enum. Expected one of: BUYER, SELLER.',
    ],
    [
      'a text for an enum',
      `{ clients(filter: { kinds: ["${SECRET}"] }) { totalCount } }`,
      'Enum "ClientKind" cannot represent non-enum value. Expected one of: BUYER, SELLER.',
    ],
    [
      'a forgotten colon',
      creating(`{ prefix: "a", user: { password "${SECRET}" } }`),
      'Syntax Error: Expected ":", found String.',
    ],
    [
      'a text that reads like a message',
      creating(`{ prefix "found String ${SECRET}" }`),
      'Syntax Error: Expected ":", found String.',
    ],
    ['a block', creating(`{ prefix """\n${SECRET}\n""" }`), 'Syntax Error: Expected ":", found BlockString.'],
    ['a text where a field is expected', `{ "${SECRET}" }`, 'Syntax Error: Expected Name, found String.'],
    ['a text without an end', creating(`{ prefix: "${SECRET}`), 'Syntax Error: Unterminated string.'],
  ])('%s', async (_name, query, message) => {
    expect(await messagesOf(query)).toEqual([message]);
  });

  test('a field to order by', async () => {
    expect(await messagesOf('{ deals(orderBy: { field: hunter2 }) { totalCount } }')).toEqual([
      'The value does not exist in "DealOrderField" enum. Expected one of: ID, NAME, PRICE.',
    ]);
    expect(
      await messagesOf('query ($by: [DealOrder!]) { deals(orderBy: $by) { totalCount } }', { by: { field: SECRET } }),
    ).toEqual([
      'Variable "$by" got an invalid value at "by.field"; The value does not exist in "DealOrderField" enum. Expected one of: ID, NAME, PRICE.',
    ]);
    expect(await messagesOf('{ deals(orderBy: { field: ID, direction: hunter2 }) { totalCount } }')).toEqual([
      'The value does not exist in "SortDirection" enum. Expected one of: ASC, DESC.',
    ]);
  });

  test('of an enum with many values the first are told, and how many more there are', async () => {
    const layout = '[{ key: "kpi", config: { hiddenCounters: [hunter2] } }]';
    const messages = await messagesOf(
      `mutation { createDashboard(input: { name: "x", layout: ${layout} }) { __typename } }`,
    );
    const counters = z.instanceof(GraphQLEnumType).parse(schema.getType('TileCounter')).getValues();
    const first = counters.slice(0, 20).map(({ name }) => name);
    expect(messages).toEqual([
      `The value does not exist in "TileCounter" enum. Expected one of: ${first.join(', ')} and ${counters.length - 20} more.`,
    ]);
  });

  test('with a variable in it that turns out to be null', async () => {
    const query = `mutation ($p: String = "a") { createAccount(input: { prefix: $p, ${USER} }) { __typename } }`;
    expect(await messagesOf(query, { p: null })).toEqual(['Argument "input" has an invalid value.']);
  });
});

test.each([
  `{"query":"{__typename}","variables":{"password": ${SECRET}}}`,
  `"${SECRET}"`,
  `{"query":"{__typename}","variables":"${SECRET}"}`,
  `{"query":{"password":"${SECRET}"}}`,
  `{"query":"{__typename}","operationName":"${SECRET}"}`,
  `{"query":"{__typename}","extensions":"${SECRET}"}`,
  `[{"query":"${SECRET}"}]`,
])('a request that is none is not quoted: %s', async (body) => {
  const upstream = await stubUpstream(says('{}'));
  const { url, logs } = await gatewayOver(upstream.url, { LOG_LEVEL: 'debug' });
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(400);
  expect(`${await response.text()}${logs.join('')}`).not.toMatch(/hunter|canary/);
});

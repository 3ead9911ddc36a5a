import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { gatewayOver, type TestGateway } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// JSON.parse rounds whole numbers beyond 2^53: a request that names a record by one would reach another record.

/** The digits stand in the JSON of a request as they are here, in the place of a text that marks them. */
const LONG = '9007199254740993';
const MARK = '"the long id"';

/** A value of the type, with the mark at the end of the path. Without a path the least that is valid. */
function valueOf(type: GraphQLInputType, path: readonly string[]): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueOf(nullable.ofType, path)];
  if (isInputObjectType(nullable)) {
    const [marked, ...rest] = path;
    const fields = Object.values(nullable.getFields()).filter(
      (field) => field.name === marked || (isNonNullType(field.type) && field.defaultValue === undefined),
    );
    return Object.fromEntries(fields.map(({ name, type: own }) => [name, valueOf(own, name === marked ? rest : [])]));
  }
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (nullable.name === 'ID' && path[0] === 'ID') return 'the long id';
  const values: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, SafeInt: 1, Boolean: true, Decimal: 1 };
  const objects: Readonly<Record<string, unknown>> = { JSON: {}, JSONObject: {} };
  return values[nullable.name] ?? objects[nullable.name] ?? '2026-03-01';
}

/** The paths to each ID within a type. An input object that holds itself is entered once. */
function pathsToIds(type: GraphQLInputType, entered: readonly string[] = []): string[][] {
  const named = getNamedType(type);
  if (named.name === 'ID') return [['ID']];
  if (!isInputObjectType(named) || entered.includes(named.name)) return [];
  return Object.values(named.getFields()).flatMap((field) =>
    pathsToIds(field.type, [...entered, named.name]).map((rest) => [field.name, ...rest]),
  );
}

interface Place {
  readonly name: string;
  readonly query: string;
  readonly variables: string;
}

/** Each argument of a root field in which an ID can stand, once for each of its places. */
const PLACES: readonly Place[] = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap(({ name: field, args, type: result }) =>
    args.flatMap(({ name: marked, type: holding }) =>
      pathsToIds(holding).map((path): Place => {
        const needed = args.filter(({ name, type }) => name === marked || isNonNullType(type));
        const values = needed.map(({ name, type }) => [name, valueOf(type, name === marked ? path : [])]);
        const variables = JSON.stringify(Object.fromEntries(values)).replace(MARK, LONG);
        const definitions = needed.map(({ name, type }) => `$${name}: ${type}`).join();
        const given = needed.map(({ name }) => `${name}: $${name}`).join();
        const operation = root === schema.getQueryType() ? 'query' : 'mutation';
        const selection = 'getFields' in getNamedType(result) || 'getTypes' in getNamedType(result);
        return {
          name: `${field}.${marked}.${path.join('.')}`,
          query: `${operation} (${definitions}) { ${field}(${given}) ${selection ? '{ __typename }' : ''} }`,
          variables,
        };
      }),
    ),
  ),
);

type Send = (gateway: TestGateway, place: Place) => Promise<Response>;

const post: Send = ({ url }, { query, variables }) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer token', 'x-crm-token': 'crm' },
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  });

const get: Send = ({ url }, { query, variables }) =>
  fetch(`${url}/graphql?${new URLSearchParams({ query, variables })}`, {
    headers: { authorization: 'Bearer token', 'x-crm-token': 'crm' },
  });

async function recording() {
  const upstream = await stubUpstream((_request, response) => response.end('{}'));
  const gateway = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  return { gateway, received: upstream.received };
}

test('the places are all input types that hold an ID, and the arguments of root fields', () => {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const fields = inputs.flatMap((type) => pathsToIds(type).map((path) => path.join('.')));
  const ends = PLACES.map(({ name }) => name);
  expect(fields.filter((path) => !ends.some((name) => name.endsWith(path)))).toEqual([]);
  expect(PLACES.length).toBeGreaterThan(100);
});

test.each<[string, Send, (place: Place) => boolean]>([
  ['POST', post, () => true],
  ['GET', get, ({ query }) => query.startsWith('query')],
])('by %s an id that JSON rounds is refused, wherever it stands', async (_way, send, fits) => {
  const { gateway, received } = await recording();
  for (const place of PLACES.filter(fits)) {
    const response = await send(gateway, place);
    const body: unknown = await response.json();
    const message = expect.stringContaining('Expected an id as a text') as unknown;
    expect(body, place.name).toEqual({ errors: [expect.objectContaining({ message })] });
    expect(body, place.name).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  }
  expect(received).toEqual([]);
});

test.each<[string, Send]>([
  ['POST', post],
  ['GET', get],
])('by %s a text keeps all digits, and so does a number that JSON holds', async (_way, send) => {
  const { gateway, received } = await recording();
  const query = 'query ($id: ID!) { client(id: $id) { name } }';
  const ids = ['"9007199254740993"', '9007199254740991', '"18446744073709551615"', '"-9007199254740993"'];
  for (const id of ids) await send(gateway, { name: id, query, variables: `{"id":${id}}` });
  const paths = ids.map((id) => `GET /app/clients/${id.replaceAll('"', '')}.json?`);
  expect(received.map((call, index) => call.startsWith(paths[index] ?? 'none'))).toEqual(ids.map(() => true));
});

test('a number within the document keeps all digits', async () => {
  const { gateway, received } = await recording();
  await post(gateway, { name: 'literal', query: `{ client(id: ${LONG}) { name } }`, variables: '{}' });
  expect(received).toEqual([expect.stringContaining(`/app/clients/${LONG}.json`)]);
});

test.each(['9007199254740993', '-9007199254740993', '1e21', '1e16', '9007199254740992', '1.5', '1e400'])(
  'the number %s is no id',
  async (id) => {
    const { gateway, received } = await recording();
    const query = 'query ($id: ID!) { client(id: $id) { name } }';
    const response = await post(gateway, { name: id, query, variables: `{"id":${id}}` });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(received).toEqual([]);
  },
);

test('a multipart request is refused whole, whatever its ids', async () => {
  const { gateway, received } = await recording();
  const body = new FormData();
  const query = 'mutation ($id: ID!) { deleteClient(id: $id) { __typename } }';
  body.set('operations', `{"query":${JSON.stringify(query)},"variables":{"id":${LONG}}}`);
  body.set('map', '{}');
  const headers = { authorization: 'Bearer token', 'x-crm-token': 'crm', 'graphql-require-preflight': '1' };
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', body, headers });
  expect(response.status).toBe(415);
  expect(received).toEqual([]);
});

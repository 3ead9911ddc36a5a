import {
  buildSchema,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { read } from '../docs/pages.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A write shows what is, not what was sent. Upstream answers each write with the id alone, and drops one of the fields
// without a word: the payload of the write equals the next read.

const schema = buildSchema(read('schema.graphql'));

interface Written {
  /** The mutation, with `$input` where its input stands. */
  readonly call: string;
  /** Undefined for a mutation whose only argument is written out. */
  readonly input?: string;
  readonly type: string;
  /** From the payload to the record. */
  readonly within?: string;
  /** Fields of the input that cannot be sent beside the others. */
  readonly without?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

const bothDefinitions = ['publicMethods'];
const definition = { code: 'five', schema: { raw: { fields: { a: 'text' } } }, publicMethodsRaw: { list: true } };

const WRITES: readonly Written[] = [
  { call: 'createPost(input: $input)', input: 'CreatePostInput', type: 'Post' },
  { call: 'createPosts(inputs: [$input])', input: 'CreatePostInput', type: 'Post' },
  { call: 'addPostComment(postId: 9, input: $input)', input: 'PostCommentInput', type: 'Post' },
  { call: 'createClient(input: $input)', input: 'ClientInput', type: 'Client' },
  { call: 'updateClient(id: 3, input: $input)', input: 'ClientInput', type: 'Client' },
  { call: 'updateClients(inputs: [{ id: 3, input: $input }])', input: 'ClientInput', type: 'Client' },
  { call: 'createDeal(input: $input)', input: 'DealInput', type: 'Deal', without: ['client'] },
  { call: 'updateDeal(id: 3, input: $input)', input: 'DealInput', type: 'Deal', without: ['client'] },
  { call: 'createContact(input: $input)', input: 'ContactInput', type: 'Contact' },
  { call: 'updateContact(id: 3, input: $input)', input: 'ContactInput', type: 'Contact' },
  { call: 'createDeals(inputs: [$input])', input: 'DealInput', type: 'Deal', without: ['client'] },
  { call: 'updateDeals(inputs: [{ id: 3, input: $input }])', input: 'DealInput', type: 'Deal', without: ['client'] },
  { call: 'createContacts(inputs: [$input])', input: 'ContactInput', type: 'Contact' },
  { call: 'updateContacts(inputs: [{ id: 3, input: $input }])', input: 'ContactInput', type: 'Contact' },
  { call: 'createFlexRecords(db: "FlexDb:7", inputs: [$input])', input: 'FlexRecordInput', type: 'FlexRecord' },
  { call: 'createContactList(name: "5")', type: 'ContactList' },
  { call: 'updateContactList(id: 3, name: "5")', type: 'ContactList' },
  { call: 'createDashboard(input: $input)', input: 'CreateDashboardInput', type: 'Dashboard', without: ['layout'] },
  {
    call: 'updateDashboard(id: 3, input: $input)',
    input: 'UpdateDashboardInput',
    type: 'Dashboard',
    without: ['layout'],
  },
  { call: 'createApiToken(input: $input)', input: 'CreateApiTokenInput', type: 'CreatedApiToken', within: 'apiToken' },
  { call: 'updateApiToken(id: 3, input: $input)', input: 'UpdateApiTokenInput', type: 'ApiToken' },
  {
    call: 'createFlexDb(input: $input)',
    input: 'CreateFlexDbInput',
    type: 'FlexDb',
    without: bothDefinitions,
    values: definition,
  },
  {
    call: 'updateFlexDb(id: "FlexDb:3", input: $input)',
    input: 'UpdateFlexDbInput',
    type: 'FlexDb',
    without: bothDefinitions,
    values: definition,
  },
  { call: 'createFlexRecord(db: "FlexDb:7", input: $input)', input: 'FlexRecordInput', type: 'FlexRecord' },
  {
    call: 'updateFlexRecord(id: "FlexRecord:7:3", input: $input)',
    input: 'UpdateFlexRecordInput',
    type: 'FlexRecord',
    without: ['merge'],
  },
  {
    call: 'updateFlexRecords(inputs: [{ id: "FlexRecord:7:3", input: $input }])',
    input: 'UpdateFlexRecordInput',
    type: 'FlexRecord',
    without: ['merge'],
  },
];

const SAMPLES: Readonly<Record<string, unknown>> = {
  Boolean: true,
  Int: 3,
  SafeInt: 3,
  Float: 1.5,
  Decimal: '2.5',
  Date: '2026-03-01',
  DateTime: '2026-03-01T10:00:00Z',
  DateOrDateTime: '2026-03-01',
  Expiry: '2026-03-01',
  JSONObject: { a: 1 },
};

/** A value of an input type, with all of its fields. */
function sample(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return [sample(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return inputOf(type);
  return SAMPLES[type.name] ?? '5';
}

function inputOf(type: GraphQLInputObjectType): Record<string, unknown> {
  const fields = type.getFields();
  const isInPlaceOf = (name: string) => name.endsWith('Text') && name.replace(/Text$/, '') in fields;
  const named = Object.values(fields)
    .filter(({ name }) => !isInPlaceOf(name))
    .map((field): [string, unknown] => [field.name, sample(field.type)]);
  return Object.fromEntries(type.isOneOf ? named.slice(0, 1) : named);
}

/** Selects the leaves of a type that take no argument, also of the objects that are part of the record. */
function selection(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter(({ args, deprecationReason }) => args.length === 0 && !deprecationReason)
    .map(({ name, type: of }) => {
      const inner = getNamedType(of);
      if (isLeafType(inner)) return name;
      return isObjectType(inner) && !inner.getFields()['id'] && !inner.name.endsWith('Connection')
        ? `${name} { ${selection(inner)} }`
        : '';
    })
    .join(' ');
}

function typeOf<T>(name: string, is: (type: unknown) => type is T): T {
  const type = schema.getType(name);
  if (!is(type)) throw new Error(`The schema has no such type: ${name}.`);
  return type;
}

const ID = 3;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** An upstream that answers a write with the id alone, and a read with what was sent but for one field. */
async function forgetfulUpstream() {
  let stored: Record<string, unknown> = {};
  let dropped: string | undefined;
  const stub = await stubUpstream((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    text(request).then(
      (body) => {
        if (request.method !== 'GET') {
          stored = Object.values(JSON.parse(body)).find(isObject) ?? {};
        }
        const record = { ...stored, ...(dropped !== undefined && { [dropped]: null }), id: ID };
        if (request.method !== 'GET') return says(JSON.stringify({ id: ID }))(request, response);
        const shown = /\/\d+\.json$/.test(path) ? record : [record];
        return says(JSON.stringify(path === '/flex/dbs/7.json' ? { id: 7 } : shown))(request, response);
      },
      () => response.destroy(),
    );
  });
  return {
    url: stub.url,
    /** The keys that the last write sent. */
    sentKeys: () => Object.keys(stored),
    drop: (key: string | undefined) => void (dropped = key),
  };
}

describe.each(WRITES)('$call', ({ call, input, type, within, without = [], values = {} }) => {
  test('shows what the next read shows, whichever field upstream drops', async () => {
    const upstream = await forgetfulUpstream();
    const over = { CRM_URL: new URL(upstream.url) };
    const { execute } = await gatewayOver(upstream.url, over, 'secret');
    const all =
      input &&
      Object.fromEntries(
        Object.entries({ ...inputOf(typeOf(input, isInputObjectType)), ...values }).filter(
          ([key]) => !without.includes(key),
        ),
      );
    const payload = typeOf(type, isObjectType);
    const member = within === undefined ? payload : getNamedType(payload.getFields()[within]?.type);
    if (!isObjectType(member)) throw new Error('The payload has no such record.');
    const shown = selection(member);
    const write = `mutation ${input ? `($input: ${input}!)` : ''} { result: ${call} { __typename ... on ${type} { ${
      within === undefined ? shown : `${within} { ${shown} }`
    } } ... on ValidationError { fields { field messages } } } }`;

    const isFlexRecord = member.name === 'FlexRecord';
    const id = `${member.name}:${isFlexRecord ? '7:' : ''}${ID}`;
    const differing: string[] = [];
    const run = async (dropped: string | undefined) => {
      upstream.drop(dropped);
      const written = await execute(write, { variables: all ? { input: all } : {} });
      const again = await execute(`{ node(id: "${id}") { ... on ${member.name} { ${shown} } } }`);
      const found = [Object(written.data)['result']].flat()[0] ?? written.errors;
      const { __typename, ...record } =
        within === undefined ? found : { ...found, ...found[within], [within]: undefined };
      const { node } = Object(again.data);
      expect(__typename, JSON.stringify(found)).toBe(type);
      for (const name of Object.keys(Object(node))) {
        if (JSON.stringify(record[name]) !== JSON.stringify(node[name])) differing.push(`${dropped}: ${name}`);
      }
      return written;
    };
    const whole = await run(undefined);
    expect(whole.errors).toEqual([]);
    const keys = upstream.sentKeys();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) await run(key);
    expect(differing).toEqual([]);
  });
});

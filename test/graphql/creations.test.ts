import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';

// In a creation, null is what is left out: generated clients send null for what was not set.

type Inputs = readonly (GraphQLArgument | GraphQLInputField)[];

/** How a request omits an optional input. */
type Optional = 'left out' | 'null';

const SCALARS: Readonly<Record<string, unknown>> = {
  ...{ String: 'N', ID: '11', Int: 1, SafeInt: 1, Boolean: true, Decimal: '1', Password: 'long-enough' },
  ...{ JSON: { inner: null }, JSONObject: { inner: null } },
};

/** Values of inputs by name, where any text is not enough: a database that needs no read, and the key of a tile. */
const NAMED: Readonly<Record<string, unknown>> = { db: 'FlexDb:11', key: 'crm_deals' };

/** Inputs whose null is a value: no record of the table that it would name. */
const VALUES: ReadonlySet<string> = new Set(['FlexRecordInput.table']);

/** @param isDeep whether optional input objects are given, and only what is in them is not */
function valueOf(type: GraphQLInputType, optional: Optional, isDeep: boolean): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return [valueOf(bare.ofType, optional, isDeep)];
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (!isInputObjectType(bare)) return SCALARS[bare.name];
  const fields = Object.values(bare.getFields());
  if (!bare.isOneOf) return valuesOf(fields, optional, isDeep, bare.name);
  const [member] = fields;
  return member && { [member.name]: valueOf(member.type, optional, isDeep) };
}

function valuesOf(inputs: Inputs, optional: Optional, isDeep: boolean, owner = ''): Record<string, unknown> {
  const values = inputs.map(({ name, type, defaultValue }) => {
    if (isNonNullType(type)) return [name, defaultValue ?? NAMED[name] ?? valueOf(type, optional, isDeep)];
    if (isDeep && isObjectOrList(type)) return [name, valueOf(type, optional, isDeep)];
    return [name, optional === 'null' && !VALUES.has(`${owner}.${name}`) ? null : undefined];
  });
  return Object.fromEntries(values);
}

function isObjectOrList(type: GraphQLInputType): boolean {
  const bare = getNullableType(type);
  return isListType(bare) ? isObjectOrList(bare.ofType) : isInputObjectType(bare);
}

const creations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
  /^(create|add)/.test(name),
);

test.each(creations.flatMap(({ name, args }) => [false, true].map((isDeep) => ({ name, args, isDeep }))))(
  '$name sends the same with null for what is optional as without it (within inputs: $isDeep)',
  async ({ name, args, isDeep }) => {
    const { url, requests } = await recordingUpstream(({ url: path = '' }, response) => {
      const isXml = path.includes('.xml');
      response.setHeader('content-type', isXml ? 'application/xml' : 'application/json');
      response.end(isXml ? '<post><id type="integer">11</id></post>' : '{"id":11,"token":"t"}');
    });
    const [CRM_URL, FLEX_URL, FORUM_URL] = [new URL(url), new URL(url), new URL(url)];
    const { execute } = await gatewayOver(url, { CRM_URL, FLEX_URL, FORUM_URL }, 'token');
    const headers = { 'x-crm-token': 'crm', 'x-forum-authorization': `Basic ${btoa('login:password')}` };
    const declared = args.map(({ name: argument, type }) => `$${argument}: ${String(type)}`).join(', ');
    const passed = args.map(({ name: argument }) => `${argument}: $${argument}`).join(', ');

    const answers = [];
    const sent: (readonly string[])[] = [];
    for (const optional of ['left out', 'null'] as const) {
      const before = requests.length;
      const variables = {
        ...valuesOf(args, optional, isDeep),
        ...('db' in valuesOf(args, optional, isDeep) && { db: 'FlexDb:11' }),
      };
      const query = `mutation (${declared}) { result: ${name}(${passed}) { __typename ... on MutationError { message } } }`;
      const { data, errors } = await execute(query, { variables, headers });
      answers.push({ data, errors });
      sent.push(requests.slice(before).map(({ method, url: path, body }) => `${method} ${path} ${body}`));
    }

    const [without, withNull] = answers;
    expect(without?.errors).toEqual([]);
    expect(JSON.stringify(without?.data)).not.toContain('message');
    expect(withNull).toEqual(without);
    expect(sent[0]?.length).toBeGreaterThan(0);
    expect(sent[1]).toEqual(sent[0]);
  },
);

import { expect, test } from 'vitest';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { json } from '../outcomes/json-wire.ts';
import { jsonMutations, type Mutation, rootField, xmlMutations } from '../outcomes/mutations.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { textFile } from '../typed-flex/snapshot-files.ts';
import { snapshotOf } from '../typed-flex/snapshots.ts';

// An Idempotency-Key changes nothing of a first attempt: the same calls are made, and the result is the same.

const UPDATED_AT = '2026-03-01T08:00:00Z';
const at = `ifUpdatedAt: "${UPDATED_AT}"`;
const more = { kind: 'update', sendsFields: true, hasKey: true, isFlexible: true, look: 'none' } as const;
const RECORD = '"FlexRecord:11:11"';

/** Mutations that read before they write. */
const reading: readonly Mutation[] = [
  { field: 'updateClient', args: `(id: 11, input: { name: "N" }, ${at})`, ...more },
  { field: 'updateClient', args: '(id: 11, input: { name: "N" }, ifUpdatedAt: "2020-01-01T00:00:00Z")', ...more },
  { field: 'updateDashboard', args: `(id: 11, input: { name: "N" }, ${at})`, ...more },
  { field: 'updateFlexRecord', args: `(id: ${RECORD}, input: { data: { a: 1 }, merge: true })`, ...more },
  { field: 'updateFlexRecord', args: `(id: ${RECORD}, input: { data: { a: 1 } }, ${at})`, ...more },
  {
    field: 'updateFlexRecords',
    args: `(inputs: [{ id: ${RECORD}, input: { data: { a: 1 }, merge: true } }])`,
    ...more,
  },
  { field: 'updateFlexDb', args: '(id: "shop", input: { name: "N" })', ...more },
  { field: 'deleteFlexDb', args: '(id: "shop")', ...more },
  { field: 'createFlexRecord', args: '(db: "shop", input: { data: { a: 1 } })', ...more },
  { field: 'createShopTask', args: '(input: { title: "N" })', ...more },
  { field: 'updateShopTask', args: '(id: 11, input: { title: "N" })', ...more },
  { field: 'updateShopTask', args: `(id: 11, input: { title: "N" }, ${at})`, ...more },
  { field: 'deleteShopTask', args: '(id: 11)', ...more },
];

/** Those that take no key are refused with one: docs/outcomes.md. */
const takesNoKey = /Public|ForumUser/;
const mutations = [...jsonMutations, ...xmlMutations, ...reading].filter(({ field }) => !takesNoKey.test(field));

const FIELDS = {
  name: 'old',
  title: 'old',
  content: 'old',
  code: 'shop',
  updated_at: UPDATED_AT,
  created_at: UPDATED_AT,
};
const schema = { tables: { tasks: { fields: { title: 'string' } }, people: { fields: { title: 'string' } } } };

test.each([
  ['the record exists', 'tasks', true],
  ['the record is of another table', 'people', true],
  ['nothing exists', 'tasks', false],
])(
  'a first attempt makes the same calls with a key, and has the same result: %s',
  async (_name, table_name, exists) => {
    const upstream = await stubUpstream((request, response) => {
      const { method, url = '' } = request;
      const isXml = url.includes('.xml');
      const type = isXml ? 'application/xml' : 'application/json';
      const record = { ...FIELDS, data: { title: 'old' }, schema, table_name };
      const read = json.read(url.includes('/records') ? '/records.json' : url, exists ? record : undefined);
      const body = isXml ? '<post><id>11</id><title>N</title></post>' : method === 'GET' ? read : '{"id":11}';
      const missing = body === undefined || (method !== 'GET' && !exists && /11/.test(url));
      response.writeHead(missing ? 404 : 200, { 'content-type': type }).end(missing ? '' : body);
    });
    const url = new URL(upstream.url);
    const FLEX_SCHEMA = await textFile(snapshotText(snapshotOf([{ id: '7', code: 'shop', schema }])));
    const apis = { FLEX_URL: url, CRM_URL: url, FORUM_URL: url, CRM_SHARES_TOKEN: 'true', FLEX_SCHEMA } as const;
    const { execute } = await gatewayOver(upstream.url, apis);
    let runs = 0;
    const attempt = async (mutation: Mutation, headers: Readonly<Record<string, string>>) => {
      const token = `token${(runs += 1)}`;
      const from = upstream.received.length;
      const forum = `Basic ${Buffer.from(`${token}:x`).toString('base64')}`;
      const query = `mutation { ${rootField(mutation, '')} }`;
      const { data, errors } = await execute(query, { token, headers: { ...headers, 'x-forum-authorization': forum } });
      const calls = upstream.received.slice(from).map((call) => call.replaceAll(token, 'TOKEN'));
      return { name: `${mutation.field}${mutation.args}`, calls, data, errors };
    };
    for (const mutation of mutations) {
      const without = await attempt(mutation, {});
      expect(await attempt(mutation, { 'idempotency-key': 'k' })).toEqual(without);
      expect(await attempt(mutation, { 'idempotency-key': 'k2', 'x-trivium-timeout-ms': '50000' })).toEqual(without);
    }
  },
);

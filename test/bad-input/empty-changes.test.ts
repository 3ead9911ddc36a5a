import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// Upstream takes an update without a field, and notes it as the last change: an `ifUpdatedAt` of somebody else fails then.

const REFUSAL = '{ __typename ... on ValidationError { fields { field messages } } }';

async function recording() {
  const upstream = await stubUpstream((_request, response) => response.end('{"id":1,"name":"Ada","data":{}}'));
  const { ask } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const run = async (mutation: string) => ask(`mutation { ${mutation} }`, { headers: { 'x-crm-token': 'crm' } });
  return { run, received: upstream.received };
}

const refusal = (field: string) => ({
  __typename: 'ValidationError',
  fields: [{ field, messages: ['changes nothing: give at least one field'] }],
});

test.each([
  ['updateApiToken', 'id: 1, input: {}', 'input'],
  ['updateClient', 'id: 1, input: {}', 'input'],
  ['updateClient', 'id: 1, input: { address: {}, customFields: {} }', 'input'],
  ['updateClient', 'id: 1, input: {}, ifUpdatedAt: "2026-03-01T08:00:00Z"', 'input'],
  ['updateContact', 'id: 1, input: {}', 'input'],
  ['updateDeal', 'id: 1, input: {}', 'input'],
  ['updateDashboard', 'id: 1, input: {}', 'input'],
  ['updateFlexDb', 'id: 1, input: {}', 'input'],
  ['updateFlexDb', 'id: 1, input: {}, dryRun: true', 'input'],
  ['updateFlexRecord', 'id: "FlexRecord:1:2", input: { data: {}, merge: true }', 'data'],
])('%s(%s) is refused before a call', async (field, given, path) => {
  const { run, received } = await recording();
  expect(await run(`field: ${field}(${given}) ${REFUSAL}`)).toEqual({ field: refusal(path) });
  expect(received).toEqual([]);
});

test('of a bulk update the item is refused', async () => {
  const { run, received } = await recording();
  const inputs = '[{ id: 1, input: {} }, { id: 2, input: { name: "Ada" } }]';
  const data = await run(`field: updateClients(onFailure: CONTINUE, inputs: ${inputs}) ${REFUSAL}`);
  expect(data).toMatchObject({ field: [{ __typename: 'ValidationError' }, { __typename: 'Client' }] });
  expect(received).toEqual([expect.stringMatching(/^PUT .*clients\/2/)]);
});

test.each([
  ['updateClient', 'id: 1, input: { note: null }', /^PUT /],
  ['updateApiToken', 'id: 1, input: { active: false }', /^PATCH /],
  ['updateFlexRecord', 'id: "FlexRecord:1:2", input: { table: null, data: {} }', /^PATCH /],
])('%s(%s) changes something', async (field, given, call) => {
  const { run, received } = await recording();
  await run(`field: ${field}(${given}) ${REFUSAL}`);
  expect(received[0]).toMatch(call);
});

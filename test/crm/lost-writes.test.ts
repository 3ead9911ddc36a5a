import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// A change without an answer was made where the record shows it: each field is compared by its kind.

const CHANGES = {
  client: 'mutation ($input: ClientInput!) { result: updateClient(id: 1, input: $input) { __typename } }',
  deal: 'mutation ($input: DealInput!) { result: updateDeal(id: 1, input: $input) { __typename } }',
};

/** Changes record 1, whose answer is lost, and which shows these fields then. @returns the outcome */
async function outcome(kind: keyof typeof CHANGES, input: object, shown: object): Promise<unknown> {
  const upstream = await stubUpstream((request, response) => {
    if (request.method === 'PUT') request.socket.destroy();
    else says(JSON.stringify({ id: 1, ...shown }))(request, response);
  });
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
  const { errors } = await execute(CHANGES[kind], { variables: { input }, headers: { 'x-crm-token': 'crm' } });
  return errors[0]?.extensions['outcome'] ?? 'APPLIED';
}

test.each<[keyof typeof CHANGES, object, object]>([
  ['client', { taxNo: '007' }, { tax_no: '007' }],
  ['client', { taxNo: '7' }, { tax_no: 7 }],
  ['client', { discount: '12.50' }, { discount: 12.5 }],
  ['client', { payments: { total: '1000' } }, { paid_total: '1000.00' }],
  ['client', { payments: { from: '2026-03-01T08:00:00Z' } }, { paid_from: '2026-03-01T09:00:00+01:00' }],
  ['client', { customFields: { decimal3: '0.10' } }, { decimal3: '0.1' }],
  ['client', { customFields: { datetime2: '2026-03-01T08:00:00Z' } }, { datetime2: '2026-03-01T08:00:00.000Z' }],
  ['client', { customFields: { integer1: 7, checkbox1: true } }, { integer1: '7', checkbox1: '1' }],
  ['client', { statusId: '42' }, { status_id: 42 }],
  ['deal', { price: '19.90' }, { price: 19.9 }],
])('a %s with %j was changed where it shows %j', async (kind, input, shown) => {
  expect(await outcome(kind, input, shown)).toBe('APPLIED');
});

test.each<[keyof typeof CHANGES, object, object]>([
  ['client', { taxNo: '007' }, { tax_no: '7' }],
  ['client', { phone: '+48600' }, { phone: '48600' }],
  ['client', { note: '1.50' }, { note: '1.5' }],
  ['client', { note: '2026-03-01T08:00:00Z' }, { note: '2026-03-01T09:00:00+01:00' }],
  ['client', { address: { postCode: '00950' } }, { post_code: '950' }],
  ['client', { customFields: { string1: '1e3' } }, { string1: '1000' }],
  ['client', { discount: '12.50' }, { discount: 12 }],
  ['deal', { name: '1.0' }, { name: '1' }],
])('whether a %s with %j was changed is unknown where it shows %j', async (kind, input, shown) => {
  expect(await outcome(kind, input, shown)).toBe('UNKNOWN');
});

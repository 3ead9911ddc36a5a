import { describe, expect, test } from 'vitest';
import { crmOver } from './support.ts';

// A deal may name its client by a nested record, in place of the id.

const nested = { id: 1, name: 'Chairs', client: { id: 5, name: 'Ada' } };
const list = [
  nested,
  { id: 2, client_id: 6 },
  { id: 3, client: null },
  { id: 4, client_id: null, client: { id: '5' } },
];
const ada = { id: 5, name: 'Ada', email: 'ada@example.com' };

describe('the client of a deal that holds a nested record', () => {
  test('is read from it, in a single deal', async () => {
    const { ask, calls } = await crmOver({ 'GET /app/deals/1.json': nested, 'GET /app/clients/5.json': ada });
    const data = await ask('{ deal(id: 1) { clientId client { id email } } }');
    expect(data).toEqual({ deal: { clientId: '5', client: { id: 'Client:5', email: 'ada@example.com' } } });
    expect(calls()).toEqual(['GET /app/deals/1.json', 'GET /app/clients/5.json']);
  });

  test('is read from it, in the response to a creation', async () => {
    const { execute, calls } = await crmOver({ 'POST /app/deals.json': nested });
    const { data } = await execute('mutation { createDeal(input: { name: "x" }) { ... on Deal { clientId } } }');
    expect(data).toEqual({ createDeal: { clientId: '5' } });
    expect(calls()).toEqual(['POST /app/deals.json']);
  });

  test('is read from it after a creation that tells neither', async () => {
    const { execute } = await crmOver({ 'POST /app/deals.json': { id: 1 }, 'GET /app/deals/1.json': nested });
    const { data } = await execute('mutation { createDeal(input: { name: "x" }) { ... on Deal { clientId } } }');
    expect(data).toEqual({ createDeal: { clientId: '5' } });
  });

  test('is read from it, in a list', async () => {
    const { ask, calls } = await crmOver({ 'GET /app/deals.json': list });
    const data = await ask('{ deals { nodes { clientId } } }');
    const nodes = ['5', '6', null, '5'].map((clientId) => ({ clientId }));
    expect(data).toEqual({ deals: { nodes } });
    expect(calls()).toEqual(['GET /app/deals.json']);
  });

  test('is read from it where a list is read in place of single deals', async () => {
    const { ask, calls } = await crmOver({ 'GET /app/deals.json': list }, { BATCH_READS: 'list' });
    const data = await ask('{ nodes(ids: ["Deal:1", "Deal:3", "Deal:4"]) { ... on Deal { clientId } } }');
    expect(data).toEqual({ nodes: [{ clientId: '5' }, { clientId: null }, { clientId: '5' }] });
    expect(calls()).toEqual(['GET /app/deals.json']);
  });

  test('has the deal among its deals, and in a filter', async () => {
    const { ask } = await crmOver({ 'GET /app/deals.json': list, 'GET /app/clients/5.json': ada });
    const data = await ask(`{
      client(id: 5) { deals { nodes { upstreamId } } }
      deals(filter: { clientIds: ["Client:5"] }) { nodes { upstreamId } }
    }`);
    const deals = { nodes: [{ upstreamId: '1' }, { upstreamId: '4' }] };
    expect(data).toEqual({ client: { deals }, deals });
  });

  test('is its own id where a deal holds both', async () => {
    const both = { id: 1, client_id: 7, client: { id: 5 } };
    const { execute } = await crmOver({ 'GET /app/deals/1.json': both });
    expect((await execute('{ deal(id: 1) { clientId } }')).data).toEqual({ deal: { clientId: '7' } });
  });
});

import { expect, test } from 'vitest';
import type { Told } from '../../scripts/chaos/writes/intents.ts';
import { Carried, judge, tallyOf } from '../../scripts/chaos/writes/verdict.ts';
import { callAt, freshSandbox } from '../support/sandbox.ts';

const TOKEN = 'demo-admin';

/** A sandbox that has created clients with these names, and updated the first client of the demo to others. */
async function after({ created = [], updated = [] }: { created?: string[]; updated?: string[] }) {
  const { sandbox } = await freshSandbox({ demo: true });
  const carried = new Carried(sandbox);
  const call = callAt(sandbox.urls.crm);
  const bodyOf = (name: string) => ({ body: { api_token: TOKEN, client: { name } } });
  for (const name of created) await call('POST', '/app/clients.json', bodyOf(name));
  for (const name of updated) await call('PUT', '/app/clients/1.json', bodyOf(name));
  return (...told: readonly Told[]) => judge(told, carried, sandbox, TOKEN);
}

const creation = (name: string, outcome: Told['outcome'], id?: string): Told => ({
  intent: { kind: 'creation', name },
  outcome,
  reason: '',
  ...(id !== undefined && { id }),
});
const update = (name: string, outcome: Told['outcome'], id = '1'): Told => ({
  intent: { kind: 'update', name, target: 1 },
  outcome,
  reason: '',
  id,
});
const sound = { twice: [], lost: [], untold: [], refusedYetApplied: [] };

test('writes that were carried out once and told so are sound, and so are unknown ones and refused ones that were not', async () => {
  const verdictOn = await after({ created: ['A', 'B'], updated: ['C'] });
  const told = [
    creation('A', 'APPLIED', '251'),
    creation('B', 'UNKNOWN'),
    update('C', 'APPLIED'),
    creation('D', 'REFUSED'),
  ];
  expect(await verdictOn(...told)).toEqual({ told, ...sound });
});

test.each(['APPLIED', 'UNKNOWN', 'REFUSED'] as const)(
  'a write that was carried out twice is one, told %s',
  async (outcome) => {
    const verdictOn = await after({ created: ['A', 'A'], updated: ['C', 'D', 'C'] });
    const told = [creation('A', outcome), update('C', outcome), update('D', 'APPLIED')];
    expect((await verdictOn(...told)).twice).toEqual(told.slice(0, 2));
  },
);

test('a write that was told APPLIED, and not carried out, or by the id of another record, is lost', async () => {
  const verdictOn = await after({ created: ['A', 'B'], updated: ['C'] });
  const told = [
    creation('X', 'APPLIED'),
    update('Y', 'APPLIED'),
    creation('A', 'APPLIED', '252'),
    update('C', 'APPLIED', '2'),
  ];
  expect((await verdictOn(...told)).lost).toEqual(told);
});

test('a write that was refused though an earlier attempt was carried out is told apart, and so is one without an outcome', async () => {
  const verdictOn = await after({ created: ['A'] });
  const told = [creation('A', 'REFUSED'), creation('B', 'UNTOLD')];
  expect(await verdictOn(...told)).toEqual({ told, ...sound, refusedYetApplied: [told[0]], untold: [told[1]] });
});

test('the tally names outcomes and reasons, the most frequent first', () => {
  const refused = { ...creation('A', 'REFUSED'), reason: 'ConflictError' };
  expect(tallyOf([refused, creation('B', 'APPLIED'), refused])).toBe('REFUSED 2 (ConflictError 2), APPLIED 1');
});

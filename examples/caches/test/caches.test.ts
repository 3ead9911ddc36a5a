import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { apollo, type CachingClient, graphcache, type Json, type Operation } from '../src/clients.ts';
import { operationNames } from '../src/documents.ts';
import { overlay, plain } from '../src/overlay.ts';
import { apolloSettings, graphcacheSettings } from '../src/settings.ts';
import { type Gateway, operationOf, startGateway } from './gateway.ts';
import { mutations, type Named, preparations, queries } from './operations.ts';

/** A query that the cache has answered, and the answer that it owes. */
interface Kept {
  readonly named: Named;
  readonly operation: Operation;
  data: Json;
}

const caches = [
  { name: 'Apollo Client, by default', connect: apollo, config: {} },
  { name: 'Apollo Client, with settings', connect: apollo, config: apolloSettings },
  { name: 'graphcache, by default', connect: graphcache, config: {} },
  { name: 'graphcache, with settings', connect: graphcache, config: graphcacheSettings },
];

test('every operation of the codegen example is tried', () => {
  const tried = [...queries(String), ...mutations].map(([name]) => name);
  expect(new Set(tried)).toEqual(new Set(operationNames));
});

describe.each(caches)('the cache of $name', ({ connect, config }) => {
  let gateway: Gateway;
  let client: CachingClient;
  const kept: Kept[] = [];
  const read = ({ operation }: Kept) => plain(client.read(operation));
  const ask = ({ named, operation }: Pick<Kept, 'named' | 'operation'>) =>
    gateway.watch(named, () => client.ask(operation));

  /** graphcache takes the lists of a type out, whole, when a record of the type is new to it. Apollo never does. */
  const forgets = (mutation: string) => connect === graphcache && /^(?:Create|Add)/.test(mutation);

  beforeAll(async () => {
    vi.spyOn(console, 'warn').mockReturnValue(); // Apollo advises the settings
    gateway = await startGateway();
    for (const named of preparations) await gateway.ask(named);
    client = connect(gateway.endpoint, config);
  });
  afterAll(() => gateway.close());

  test('gives back every list as the gateway answered it', async () => {
    for (const named of queries(gateway.created)) {
      const query = { named, operation: operationOf(named) };
      kept.push({ ...query, data: await ask(query) });
    }
    for (const query of kept) expect.soft(read(query), JSON.stringify(query.named)).toEqual(query.data);
  });

  test.each(mutations)(
    '%s changes no list but in the fields of the records that it answers',
    async (name, variables) => {
      const named: Named = [name, variables(gateway.created)];
      let shown: Json = null;
      const written = await gateway.watch(named, async () => (shown = plain(await client.write(operationOf(named)))));
      if ('possibleTypes' in config) expect(shown).toEqual(written);

      const refusals = JSON.stringify(written).split('"message":').length - 1;
      expect(refusals).toBe(name === 'CreateClients' ? 2 : 0);

      for (const query of kept) {
        query.data = overlay(query.data, written);
        if (read(query) === null && forgets(name)) query.data = await ask(query);
        expect.soft(read(query), JSON.stringify(query.named)).toEqual(query.data);
      }
    },
  );

  test('shows the dashboards as they are after all that', async () => {
    for (const named of [
      ['DisplayedDashboard', { context: 'MAIN' }],
      ['Dashboards', {}],
    ] as const) {
      const query = { named, operation: operationOf(named), data: await gateway.ask(named) };
      expect(read(query)).toEqual(query.data);
    }
  });
});

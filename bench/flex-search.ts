// How long a search of the sandbox takes among 100,000 records, over HTTP: `npm run bench:flex-search`. It stops after
// 20 rounds of each search.
import { performance } from 'node:perf_hooks';
import { startSandbox } from '../src/sandbox/server.ts';

const count = 100_000;
const rounds = 20;

const searches: readonly [name: string, query: string][] = [
  ['indexed filter, 1 record', 'filter[sku]=SKU-4711'],
  ['indexed filter, 10 records', 'filter[customer]=Customer%2042'],
  ['indexed filter, 25,000 records', 'filter[status]=open'],
  ['indexed filter, sorted by another', 'filter[customer]=Customer%2042&sort=-stock'],
  ['sorted by an indexed field', 'sort=sku'],
  ['unindexed filter, 100 records', 'filter[note]=Notiz%20Nr.%207'],
  ['unindexed filter, 50,000 records', 'filter[active]=true'],
  ['unindexed filter, none', 'filter[note]=nothing'],
  ['unindexed pattern, 100 records', 'filter[note]=NOTIZ*NR.%207'],
  ['sorted by an unindexed field', 'sort=note'],
  ['phrase in the indexed fields', 'q=customer%2042'],
  ['phrase in one unindexed field', 'q=nr.%207&search_in=note'],
];

const sandbox = await startSandbox({ port: 0, demo: false });
const account = sandbox.store.createAccount().id;
const { token } = sandbox.store.createUser({ account });
const { id } = sandbox.store.createFlexDatabase(account, {
  name: 'Orders',
  code: 'orders',
  schema: {
    fields: {
      sku: 'string',
      customer: 'string',
      status: 'string',
      stock: 'integer',
      note: 'string',
      active: 'boolean',
    },
    indexed_fields: ['sku', 'customer', 'status', 'stock'],
  },
});

const started = performance.now();
sandbox.store.createFlexRecords(
  id,
  Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${index}`,
    customer: `Customer ${index % (count / 10)}`,
    status: ['open', 'paid', 'sent', 'closed'][index % 4],
    stock: index % 500,
    note: `Notiz Nr. ${index % 1000}`,
    active: index % 2 === 0,
  })),
);
console.log(`${count} records made in ${(performance.now() - started).toFixed(0)} ms`);

for (const [name, query] of searches) {
  const times: number[] = [];
  // The first round of each is for warming up.
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const response = await fetch(`${sandbox.urls.flex}/flex/dbs/orders/search.json?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await response.json();
    if (round > 0) times.push(performance.now() - start);
  }
  const [median = 0, worst = 0] = [times.toSorted((one, other) => one - other)[rounds / 2], Math.max(...times)];
  console.log(
    `${name.padEnd(36)} median ${median.toFixed(1).padStart(6)} ms   worst ${worst.toFixed(1).padStart(6)} ms`,
  );
}
await sandbox.close();

import { z } from 'zod';
import { callAt } from '../support/sandbox.ts';
import type { House } from './support.ts';

/** Creates records of the CRM, past the gateway: `['clients', { client: { name: 'Oak' } }]`. */
export async function createRecords(
  { sandbox, admin }: House,
  records: readonly (readonly [path: string, body: object])[],
): Promise<void> {
  const call = callAt(sandbox.urls.crm);
  for (const [path, body] of records) {
    const { status } = await call('POST', `/app/${path}.json`, { body: { api_token: admin.token, ...body } });
    if (status >= 300) throw new Error(`The sandbox answered with status ${status}.`);
  }
}

const record = z.object({ id: z.string() });
const inKey = z.union([
  z.object({ db: record }).transform(({ db }) => db),
  z.object({ record }).transform((row) => row.record),
]);
const rows = z.array(z.union([record, inKey]));
/** A list in each way of answering: bare, in a key, or with each row in a key. */
const listed = z.union([
  rows,
  z.object({ dbs: rows }).transform(({ dbs }) => dbs),
  z.object({ records: rows }).transform(({ records }) => records),
]);

/** The uuids of all databases, and those of their records, each in the order of creation. */
export async function flexUuids({ sandbox, admin }: House): Promise<string[]> {
  const call = callAt(sandbox.urls.flex);
  const idsAt = async (path: string) => {
    const { body } = await call('GET', path, { token: admin.token });
    return listed.parse(body).map(({ id }) => id);
  };
  const databases = await idsAt('/flex/dbs.json');
  const records = await Promise.all(databases.map((id) => idsAt(`/flex/dbs/${id}/records.json`)));
  return [...databases, ...records.flatMap((ids) => ids.toReversed())];
}

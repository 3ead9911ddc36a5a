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

const listed = z.array(z.object({ id: z.string() }));

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

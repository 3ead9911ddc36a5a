import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '../../src/sandbox/server.ts';
import { type ServedSchema, servedSchema } from '../../src/apis/served-schema.ts';
import { type Snapshot, snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { snapshotOf } from './snapshots.ts';

/** A text in a file, until the test ends. */
export async function textFile(text: string): Promise<string> {
  const { file, remove } = await written(text);
  onTestFinished(remove);
  return file;
}

/** The snapshot of databases in a file, until the test ends. */
export const snapshotFile = async (...databases: Parameters<typeof snapshotOf>[0]) =>
  textFile(snapshotText(snapshotOf(databases)));

/** The file that a pull would write of the demo data, for all tests of a file. @returns a function that returns its path */
export function sharedDemoSnapshot(): () => string {
  let snapshot: Awaited<ReturnType<typeof written>>;
  beforeAll(async () => {
    const sandbox = await startSandbox({ port: 0 });
    snapshot = await written(snapshotText(await snapshotAt(sandbox.urls.flex)));
    await sandbox.close();
  });
  afterAll(() => snapshot.remove());
  return () => snapshot.file;
}

const database = z.looseObject({ id: z.string() });

/** The snapshot that a pull would write of the account of a token. */
export async function snapshotAt(flexUrl: string, token = 'demo-admin'): Promise<Snapshot> {
  const response = await fetch(`${flexUrl}/flex/dbs.json`, { headers: { authorization: `Bearer ${token}` } });
  return snapshotOf(z.array(database).parse(await response.json()));
}

/** The served schema of a snapshot of databases. */
export async function servedWith(databases: Parameters<typeof snapshotOf>[0], isPublic = false): Promise<ServedSchema> {
  const { file, remove } = await written(snapshotText(snapshotOf(databases)));
  return servedSchema({ FLEX_SCHEMA: file, PUBLIC: isPublic ? 'true' : 'false' }).finally(remove);
}

async function written(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-snapshot-'));
  const file = join(folder, 'flex.schema.json');
  await writeFile(file, text);
  return { file, remove: () => rm(folder, { recursive: true }) };
}

import { ConfigError, readConfig } from '../config.ts';
import { keyedHash, openStore } from '../redis/redis.ts';
import type { SharedStore } from '../redis/shared-store.ts';
import type { TrustedDocument } from '../server/documents/manifest.ts';
import { print, printError } from './output.ts';
import { schemaFlags, UsageError, type Values } from './usage.ts';

/** Time for an answer of Redis, in milliseconds: no operation waits, and CI may be far away from it. */
const PUSH_TIMEOUT_MS = 5_000;

/** `trivium documents check FILE...` and `trivium documents push FILE...` */
export async function runDocuments(values: Values, [action, ...files]: readonly string[]): Promise<number> {
  if ((action !== 'check' && action !== 'push') || files.length === 0)
    throw new UsageError('documents takes check or push, and one manifest or more: trivium documents --help.');
  const config = readConfig(undefined, schemaFlags(values));
  if (action === 'push' && !config.REDIS_URL) throw new ConfigError('documents push needs REDIS_URL.');
  const { checkedManifests } = await import('../server/checked-manifests.ts');
  const { ManifestError } = await import('../server/documents/manifest.ts');
  const documents = await checkedManifests(files, config).catch((error: unknown) => {
    throw error instanceof ManifestError ? new UsageError(error.message, { cause: error }) : error;
  });
  if (action === 'check') return print(`All ${documents.length} documents fit the schema and the limits.\n`);
  const { createLog } = await import('../process/log.ts');
  const log = createLog('silent', { write: () => {} });
  const store = await openStore(config, keyedHash(config), log, PUSH_TIMEOUT_MS);
  return store ? push(documents, store) : 2;
}

async function push(documents: readonly TrustedDocument[], store: SharedStore): Promise<number> {
  const { PushError, pushDocuments } = await import('../server/documents/trusted-redis.ts');
  try {
    await pushDocuments(documents, store);
    return print(`${documents.length} documents are in Redis.\n`);
  } catch (error) {
    if (error instanceof PushError) return printError(error.message, 1);
    throw error;
  } finally {
    await store.close();
  }
}

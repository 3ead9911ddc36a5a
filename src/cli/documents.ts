import { ConfigError, type Config, readConfig } from '../config.ts';
import type { RedisAddress } from '../config/setting.ts';
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
  const redis = config.REDIS_URL?.reveal();
  if (action === 'push' && !redis) throw new ConfigError('documents push needs REDIS_URL.');
  const { checkedManifests } = await import('../server/checked-manifests.ts');
  const { ManifestError } = await import('../server/documents/manifest.ts');
  const documents = await checkedManifests(files, config).catch((error: unknown) => {
    throw error instanceof ManifestError ? new UsageError(error.message, { cause: error }) : error;
  });
  if (action === 'push' && redis) return push(documents, redis, config);
  return print(`All ${documents.length} documents fit the schema and the limits.\n`);
}

async function push(documents: readonly TrustedDocument[], address: RedisAddress, config: Config): Promise<number> {
  const { keyedHash } = await import('../keyed-hash.ts');
  const { createLog } = await import('../log.ts');
  const { SharedStore } = await import('../redis/shared-store.ts');
  const { PushError, pushDocuments } = await import('../server/documents/trusted-redis.ts');
  const log = createLog('silent', { write: () => {} });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log, timeoutMs: PUSH_TIMEOUT_MS });
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

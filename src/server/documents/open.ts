import type { Plugin } from 'graphql-yoga';
import { type Config, ConfigError } from '../../config.ts';
import { REDIS } from '../../config/setting.ts';
import type { SharedStore } from '../../redis/shared-store.ts';
import { checkDocuments, type Pipeline } from './check.ts';
import { ManifestError, readManifest, type TrustedDocument } from './manifest.ts';
import { PersistedDocuments } from './persisted-documents.ts';
import { usePersistedDocuments } from './plugin.ts';
import { TrustedFiles } from './trusted-files.ts';

/** The documents of a process that requests name by an id. */
export interface OpenDocuments {
  readonly documents: PersistedDocuments;
  /** Yoga's plugins, which execute these documents. */
  readonly plugins: readonly Plugin[];
  /** Checks that each trusted document could be executed. @throws ConfigError when one could not be */
  check(pipeline: Pipeline): void;
}

/**
 * Reads the trusted documents of TRUSTED_DOCUMENTS, and makes room for automatic persisted queries. Those in Redis are read
 * when a request names them.
 *
 * @param store what gateways share; undefined without REDIS_URL
 * @throws ConfigError for a manifest that cannot be used
 */
export async function openDocuments(config: Config, store: SharedStore | undefined): Promise<OpenDocuments> {
  if (store && config.TRUSTED_DOCUMENTS.includes(REDIS)) {
    const { TrustedRedis } = await import('./trusted-redis.ts');
    return openWith(new PersistedDocuments(config, new TrustedRedis(store)), []);
  }
  const trusted = namingTheSetting(() => config.TRUSTED_DOCUMENTS.flatMap(readManifest));
  const source = trusted.length > 0 ? namingTheSetting(() => new TrustedFiles(trusted)) : undefined;
  return openWith(new PersistedDocuments(config, source), trusted);
}

function openWith(documents: PersistedDocuments, trusted: readonly TrustedDocument[]): OpenDocuments {
  return {
    documents,
    plugins: usePersistedDocuments(documents),
    check: (pipeline) => namingTheSetting(() => checkDocuments(trusted, pipeline)),
  };
}

function namingTheSetting<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof ManifestError) throw new ConfigError(`TRUSTED_DOCUMENTS: ${error.message}`);
    throw error;
  }
}

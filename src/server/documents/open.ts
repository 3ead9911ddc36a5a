import type { Plugin } from 'graphql-yoga';
import { type Config, ConfigError } from '../../config.ts';
import { checkDocuments, type Pipeline } from './check.ts';
import { ManifestError, readManifest } from './manifest.ts';
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
 * Reads the trusted documents of TRUSTED_DOCUMENTS, and makes room for automatic persisted queries.
 *
 * @throws ConfigError for a manifest that cannot be used
 */
export function openDocuments(config: Config): OpenDocuments {
  return namingTheSetting(() => {
    const trusted = config.TRUSTED_DOCUMENTS.flatMap(readManifest);
    const documents = new PersistedDocuments(config, trusted.length > 0 ? new TrustedFiles(trusted) : undefined);
    return {
      documents,
      plugins: usePersistedDocuments(documents),
      check: (pipeline) => namingTheSetting(() => checkDocuments(trusted, pipeline)),
    };
  });
}

function namingTheSetting<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof ManifestError) throw new ConfigError(`TRUSTED_DOCUMENTS: ${error.message}`);
    throw error;
  }
}

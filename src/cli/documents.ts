import { readConfig } from '../config.ts';
import { print } from './output.ts';
import { UsageError } from './usage-error.ts';
import type { Values } from './values.ts';

/** `trivium documents check FILE...` */
export async function runDocuments(_values: Values, [action, ...files]: readonly string[]): Promise<number> {
  if (action !== 'check' || files.length === 0)
    throw new UsageError('documents takes check, and one manifest or more: trivium documents --help.');
  const config = readConfig();
  const { checkedManifests } = await import('../server/checked-manifests.ts');
  const { ManifestError } = await import('../server/documents/manifest.ts');
  const documents = await checkedManifests(files, config).catch((error: unknown) => {
    throw error instanceof ManifestError ? new UsageError(error.message, { cause: error }) : error;
  });
  return print(`All ${documents.length} documents fit the schema and the limits.\n`);
}

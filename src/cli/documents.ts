import { readConfig } from '../config.ts';
import { print } from './output.ts';
import { schemaFlags, UsageError, type Values } from './usage.ts';

/** `trivium documents check FILE...` */
export async function runDocuments(values: Values, [action, ...files]: readonly string[]): Promise<number> {
  if (action === 'push')
    throw new UsageError(
      'documents push is gone: name the manifest in TRUSTED_DOCUMENTS, in a mounted volume if need be. SIGHUP reads it again.',
    );
  if (action !== 'check' || files.length === 0)
    throw new UsageError('documents takes check, and one manifest or more: trivium documents --help.');
  const config = readConfig(undefined, schemaFlags(values));
  const { checkedManifests } = await import('../edge/checked-manifests.ts');
  const { ManifestError } = await import('../operation/documents/manifest.ts');
  const count = await checkedManifests(files, config).catch((error: unknown) => {
    throw error instanceof ManifestError ? new UsageError(error.message, { cause: error }) : error;
  });
  return print(`All ${count} documents fit the schema and the limits.\n`);
}

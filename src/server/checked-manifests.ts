import type { Config } from '../config.ts';
import { createLog } from '../process/log.ts';
import { servedSchema } from '../schema/served-schema.ts';
import { Upstreams } from '../upstreams/upstreams.ts';
import { OperationCosts } from './cost/operation-costs.ts';
import { createGraphqlServer } from './graphql-server.ts';
import { createDocumentCache } from './operations/document-cache.ts';
import { responseHeaders } from './origins.ts';
import { checkDocuments } from './documents/check.ts';
import { readManifest, type TrustedDocument, TrustedFiles } from './documents/manifest.ts';

/**
 * Reads manifests, and checks that a gateway with these settings would serve them. Calls nothing, and listens nowhere.
 *
 * @throws ConfigError for a file in FLEX_SCHEMA that cannot be used
 * @throws ManifestError with the first reason why it would not
 */
export async function checkedManifests(files: readonly string[], config: Config): Promise<readonly TrustedDocument[]> {
  const served = await servedSchema(config);
  const trusted = files.flatMap(readManifest);
  void new TrustedFiles(trusted); // refuses an id with two documents
  const log = createLog('silent', { write: () => {} });
  const documents = createDocumentCache(config.DOCUMENT_CACHE_BYTES);
  const upstreams = new Upstreams(config);
  try {
    const costs = new OperationCosts(config);
    const operations = { maxBytes: config.MAX_RESPONSE_BYTES, log, costs, observer: undefined, trusted: undefined };
    const headersFor = responseHeaders(config);
    const parts = { served, upstreams, config, log, headersFor, documents, operations, persisted: undefined };
    const yoga = createGraphqlServer(parts);
    checkDocuments(trusted, yoga.getEnveloped({}));
  } finally {
    await upstreams.close();
  }
  return trusted;
}

import type { Config } from '../config.ts';
import { createLog } from '../observe/log.ts';
import { servedSchema } from '../apis/served-schema.ts';
import { Upstreams } from '../apis/upstreams.ts';
import { OperationCosts } from '../operation/cost/operation-costs.ts';
import { createGraphqlServer } from './graphql-server.ts';
import { createDocumentCache } from '../operation/document-cache.ts';
import { responseHeaders } from './origins.ts';
import { readDocuments } from '../operation/documents/check.ts';

/**
 * Reads manifests, and checks that a gateway with these settings would serve them. Calls nothing, and listens nowhere.
 *
 * @returns the number of their documents
 * @throws ConfigError for a file in FLEX_SCHEMA that cannot be used
 * @throws ManifestError with the first reason why it would not
 */
export async function checkedManifests(files: readonly string[], config: Config): Promise<number> {
  const served = await servedSchema(config);
  const log = createLog('silent', { write: () => {} });
  const documents = createDocumentCache(config.DOCUMENT_CACHE_BYTES);
  const upstreams = new Upstreams(config);
  try {
    const costs = new OperationCosts(config);
    const operations = { maxBytes: config.MAX_RESPONSE_BYTES, log, costs, observer: undefined, trusted: undefined };
    const headersFor = responseHeaders(config);
    const parts = { served, upstreams, config, log, headersFor, documents, operations, persisted: undefined };
    const yoga = createGraphqlServer(parts);
    return (await readDocuments(files, yoga.getEnveloped({}))).count;
  } finally {
    await upstreams.close();
  }
}

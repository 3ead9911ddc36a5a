// Rules between settings. Each rule takes the checked settings, and returns a message of one line when they break it.
import { receiptsNeedRedis } from '../idempotency/settings.ts';
import { redisNeedsSecret, type redisSettings } from '../redis/redis.ts';
import { keptAnswersNeedMemory } from '../calls/cache/settings.ts';
import { tlsAddresses, tlsPairs } from './tls-settings.ts';
import { addressOf, byApi } from './apis.ts';
import type { operationSettings } from './operation-settings.ts';
import type { serverSettings } from './server-settings.ts';
import type { ValuesOf } from './setting.ts';
import type { upstreamSettings } from './upstream-settings.ts';

type Values = ValuesOf<
  typeof serverSettings & typeof upstreamSettings & typeof operationSettings & typeof redisSettings
>;

/** Earlier releases read them from Redis. */
function documentsAreFiles({ TRUSTED_DOCUMENTS }: Values): string | undefined {
  if (!TRUSTED_DOCUMENTS.includes('redis')) return undefined;
  return 'TRUSTED_DOCUMENTS=redis is no longer a value: name manifests, such as those of a mounted volume. A file of this name is ./redis.';
}

function onlyTrustedNeedsSome(config: Values): string | undefined {
  if (config.TRUSTED_DOCUMENTS_ONLY !== 'true' || config.TRUSTED_DOCUMENTS.length > 0) return undefined;
  return 'TRUSTED_DOCUMENTS_ONLY=true needs TRUSTED_DOCUMENTS: without any every request would be refused.';
}

function onlyTrustedTakesNoOthers(config: Values): string | undefined {
  if (config.TRUSTED_DOCUMENTS_ONLY !== 'true') return undefined;
  if (config.APQ_CACHE_BYTES > 0)
    return 'TRUSTED_DOCUMENTS_ONLY=true takes no APQ_CACHE_BYTES: these are documents of anyone.';
  if (config.GRAPHIQL === 'true')
    return 'TRUSTED_DOCUMENTS_ONLY=true takes no GRAPHIQL=true: its operations would be refused.';
  return undefined;
}

function publicNeedsTypes({ PUBLIC, FLEX_SCHEMA }: Values): string | undefined {
  if (PUBLIC !== 'true' || FLEX_SCHEMA !== '') return undefined;
  return 'PUBLIC=true needs FLEX_SCHEMA: the anonymous schema is made of the public methods in that file. `trivium flex pull` writes it.';
}

function publicIsNoSubgraph({ PUBLIC, SUBGRAPH }: Values): string | undefined {
  if (PUBLIC !== 'true' || SUBGRAPH !== 'true') return undefined;
  return 'PUBLIC=true takes no SUBGRAPH=true: a router would serve the anonymous schema to callers with credentials.';
}

/** Without the address of any API a sandbox starts, which has one. */
function publicNeedsFlex(config: Values): string | undefined {
  const urls = byApi((name) => addressOf(name, config));
  if (config.PUBLIC !== 'true' || urls.flex || !Object.values(urls).some(Boolean)) return undefined;
  return 'PUBLIC=true needs the address of the flex API, which it calls alone: set FLEX_URL or ACCOUNT_URL.';
}

function unreadHoldsOneResponse({ MAX_RESPONSE_BYTES, MAX_UNREAD_BYTES }: Values): string | undefined {
  if (MAX_UNREAD_BYTES >= MAX_RESPONSE_BYTES) return undefined;
  return 'MAX_UNREAD_BYTES takes MAX_RESPONSE_BYTES at least: a single response would be cut while its caller reads it.';
}

export const rules = [
  redisNeedsSecret,
  documentsAreFiles,
  onlyTrustedNeedsSome,
  onlyTrustedTakesNoOthers,
  keptAnswersNeedMemory,
  receiptsNeedRedis,
  publicNeedsTypes,
  publicIsNoSubgraph,
  publicNeedsFlex,
  unreadHoldsOneResponse,
  tlsPairs,
  tlsAddresses,
];

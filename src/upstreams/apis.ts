import { accountApi } from '../account/source.ts';
import type { ResponseCaches } from '../response-cache/response-caches.ts';
import type { UpstreamContexts } from '../tls/certificates.ts';
import type { Config } from '../config.ts';
import type { CredentialHints } from '../operation/credentials.ts';
import { crmApi } from '../crm/source.ts';
import { flexApi } from '../flex/source.ts';
import { forumApi } from '../forum/source.ts';
import type { Format } from '../http/formats/format.ts';
import { json } from '../http/formats/json.ts';
import type { XmlElement } from '../http/formats/xml-document.ts';
import { xml } from '../http/formats/xml.ts';
import type { AnswerCache } from '../http/session/answer-cache.ts';
import { CredentialStates } from '../http/session/credential-states.ts';
import { ReadCost } from '../http/session/read-cost.ts';
import type { SharedApi } from '../http/session/session-options.ts';
import type { Api } from '../http/transport/api.ts';
import type { CallObserver } from '../http/transport/call-observer.ts';
import type { ByteLimit } from '../http/transport/messages.ts';
import type { Turns } from '../http/transport/turns.ts';
import { Upstream, type UpstreamEvents } from '../http/transport/upstream.ts';

/** The parsed body of responses, by API. */
interface Bodies {
  readonly account: unknown;
  readonly flex: unknown;
  readonly crm: unknown;
  readonly forum: XmlElement;
}

export type ApiName = keyof Bodies;
export type BodyOf<Name extends ApiName> = Bodies[Name];

/** The upstream APIs, as the settings describe them. */
export type Apis = { readonly [Name in ApiName]: SharedApi<BodyOf<Name>> };

interface ApisOptions {
  readonly turns: Turns;
  /** Whether a field of the schema has a name. */
  readonly isFieldName: (name: string) => boolean;
  /** Complete the errors of refused credentials. */
  readonly hints?: CredentialHints | undefined;
  readonly events: UpstreamEvents;
  readonly observer?: CallObserver | undefined;
  /** The certificates of connections over TLS. */
  readonly contexts: UpstreamContexts;
  /** The kept answers, and the subjects of all answers. Undefined when nothing is kept or shared. */
  readonly answers?: ResponseCaches | undefined;
  readonly sharesReads?: boolean;
}

type Addresses = Readonly<Record<ApiName, URL | undefined>>;

/** The base address of each API. For anonymous callers the flex API alone has one, so nothing else can be called. */
export function addressesOf({ PUBLIC, ACCOUNT_URL, FLEX_URL = ACCOUNT_URL, CRM_URL, FORUM_URL }: Config): Addresses {
  const flex = FLEX_URL;
  if (PUBLIC === 'true') return { account: undefined, flex, crm: undefined, forum: undefined };
  return { account: ACCOUNT_URL, flex, crm: CRM_URL, forum: FORUM_URL };
}

/**
 * The flex API under the setting that holds its address: ACCOUNT_URL, unless FLEX_URL is set. For anonymous callers it is always
 * FLEX_URL: their errors name no other API.
 */
export function flexApiOf({ PUBLIC, ACCOUNT_URL, FLEX_URL }: Config): Api {
  const isOwn = FLEX_URL !== undefined || ACCOUNT_URL === undefined || PUBLIC === 'true';
  return isOwn ? flexApi : { ...flexApi, setting: accountApi.setting };
}

export function createApis(config: Config, options: ApisOptions): Apis {
  const { UPSTREAM_TIMEOUT_MS: timeoutMs, UPSTREAM_CONNECTIONS: connections, READS_AT_ONCE: readsAtOnce } = config;
  const { turns, hints, events, observer, contexts, answers, isFieldName, sharesReads = false } = options;
  const common = { timeoutMs, connections, maxWaiting: config.UPSTREAM_QUEUE, turns, observer, ...events };
  const urls = addressesOf(config);
  const maxList = limitOf(config, 'MAX_LIST_BYTES');
  const maxJoinedList = limitOf(config, 'MAX_JOINED_LIST_BYTES');

  const create = <Body>(name: ApiName, { api, format, maxRecord, hint }: ApiRow<Body>, kept?: AnswerCache<Body>) => ({
    upstream: new Upstream(
      { ...api, credentialHint: hints?.[hint] },
      { url: urls[name], secureContext: contexts[name], ...common },
    ),
    format,
    credentials: new CredentialStates<Body>({
      api: api.name,
      onChange: events.onChange,
      answers: kept,
      subjects: answers?.subjects[name],
      sharesReads,
    }),
    readCost: new ReadCost(readsAtOnce),
    maxRecord: limitOf(config, maxRecord),
    maxList,
    maxJoinedList: maxJoinedList.bytes < maxList.bytes ? maxJoinedList : maxList,
    readsAtOnce,
    batchReads: config.BATCH_READS,
    isFieldName,
  });
  const rows = apiRows(config);
  return {
    account: create('account', rows.account, answers?.account),
    flex: create('flex', rows.flex, answers?.flex),
    crm: create('crm', rows.crm, answers?.crm),
    forum: create('forum', rows.forum, answers?.forum),
  };
}

type LimitSetting = 'MAX_RECORD_BYTES' | 'MAX_XML_BYTES' | 'MAX_LIST_BYTES' | 'MAX_JOINED_LIST_BYTES';

function limitOf(config: Config, setting: LimitSetting): ByteLimit {
  return { bytes: config[setting], setting };
}

/** The row of one API in the table. */
interface ApiRow<Body> {
  readonly api: Api;
  readonly format: Format<Body>;
  /** The setting of the largest record. */
  readonly maxRecord: LimitSetting;
  /** The sentence that completes the error of a refused credential. */
  readonly hint: keyof CredentialHints;
}

function apiRows(config: Config) {
  const inJson = { format: json, maxRecord: 'MAX_RECORD_BYTES', hint: 'token' } as const;
  return {
    account: { api: accountApi, ...inJson },
    flex: { api: flexApiOf(config), ...inJson },
    crm: { api: crmApi, ...inJson },
    forum: { api: forumApi, format: xml, maxRecord: 'MAX_XML_BYTES', hint: 'login' },
  } as const;
}

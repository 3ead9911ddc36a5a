import type { SecureContext } from 'node:tls';
import { accountApi } from './account/source.ts';
import type { UpstreamContexts } from './certificates.ts';
import type { Config } from './config.ts';
import type { CredentialHints } from './credentials.ts';
import { crmApi } from './crm/source.ts';
import { flexApi } from './flex/source.ts';
import { forumApi } from './forum/source.ts';
import { json } from './http/formats/json.ts';
import type { XmlElement } from './http/formats/xml-document.ts';
import { xml } from './http/formats/xml.ts';
import { EndpointBreakers } from './http/session/endpoint-breakers.ts';
import { Pauses } from './http/session/pauses.ts';
import { ReadCost } from './http/session/read-cost.ts';
import type { SessionOptions } from './http/session/session.ts';
import type { Api } from './http/transport/api.ts';
import type { CallObserver } from './http/transport/call-observer.ts';
import type { Turns } from './http/transport/turns.ts';
import { Upstream, type UpstreamEvents } from './http/transport/upstream.ts';

/** The part of one API's sessions that all operations share: its connections, the measured times of its reads, settings. */
export type SharedApi<Body> = { readonly pauses: Pauses; readonly endpoints: EndpointBreakers } & Pick<
  SessionOptions<Body>,
  'upstream' | 'readCost' | 'format' | 'maxRecord' | 'maxList' | 'maxJoinedList' | 'readsAtOnce' | 'batchReads'
>;

/** The upstream APIs, as the settings describe them. */
export interface Apis {
  readonly account: SharedApi<unknown>;
  readonly flex: SharedApi<unknown>;
  readonly crm: SharedApi<unknown>;
  readonly forum: SharedApi<XmlElement>;
}

interface ApisOptions {
  readonly turns: Turns;
  /** Complete the errors of refused credentials. */
  readonly hints: CredentialHints | undefined;
  readonly events: UpstreamEvents;
  readonly observer: CallObserver | undefined;
  /** The certificates of connections over TLS. */
  readonly contexts: UpstreamContexts;
}

type Addresses = Readonly<Record<keyof Apis, URL | undefined>>;

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

export function createApis(config: Config, { turns, hints, events, observer, contexts }: ApisOptions): Apis {
  const { UPSTREAM_TIMEOUT_MS: timeoutMs, UPSTREAM_CONNECTIONS: connections, READS_AT_ONCE: readsAtOnce } = config;
  const maxWaiting = config.UPSTREAM_QUEUE;
  const maxList = { bytes: config.MAX_LIST_BYTES, setting: 'MAX_LIST_BYTES' };
  const maxJoinedList = { bytes: config.MAX_JOINED_LIST_BYTES, setting: 'MAX_JOINED_LIST_BYTES' };
  const common = { timeoutMs, connections, maxWaiting, turns, observer, ...events };
  const urls = addressesOf(config);
  const createApi = (
    api: Api,
    url: URL | undefined,
    secureContext: SecureContext | undefined,
    credentialHint = hints?.token,
  ): SharedApi<unknown> => ({
    upstream: new Upstream({ ...api, credentialHint }, { url, secureContext, ...common }),
    readCost: new ReadCost(readsAtOnce),
    pauses: new Pauses(),
    endpoints: new EndpointBreakers(api.name, events.onChange),
    format: json,
    maxRecord: { bytes: config.MAX_RECORD_BYTES, setting: 'MAX_RECORD_BYTES' },
    maxList,
    maxJoinedList: maxJoinedList.bytes < maxList.bytes ? maxJoinedList : maxList,
    readsAtOnce,
    batchReads: config.BATCH_READS,
  });
  return {
    account: createApi(accountApi, urls.account, contexts.account),
    flex: createApi(flexApiOf(config), urls.flex, contexts.flex),
    crm: createApi(crmApi, urls.crm, contexts.crm),
    forum: {
      ...createApi(forumApi, urls.forum, contexts.forum, hints?.login),
      format: xml,
      maxRecord: { bytes: config.MAX_XML_BYTES, setting: 'MAX_XML_BYTES' },
    },
  };
}

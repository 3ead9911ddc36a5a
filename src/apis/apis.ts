import { accountApi } from './account/source.ts';
import type { ResponseCaches } from './response-caches.ts';
import type { UpstreamContexts } from '../calls/transport/certificates.ts';
import type { Config } from '../config.ts';
import { addressOf, type ApiName, apis, type ByApi, byApi } from '../config/apis.ts';
import type { CredentialHints } from '../operation/credentials.ts';
import { crmApi } from './crm/source.ts';
import { flexApi } from './flex/source.ts';
import { forumApi } from './forum/source.ts';
import type { Format } from '../formats/format.ts';
import { json } from '../formats/json.ts';
import { xml } from '../formats/xml.ts';
import { CredentialStates } from '../calls/credential-states.ts';
import { createAsk, createRead } from '../calls/read.ts';
import { SharedCalls } from '../calls/shared-calls.ts';
import { createWrite } from '../calls/write.ts';
import { ReadCost } from '../calls/read-cost.ts';
import type { SharedApi } from '../calls/exchange.ts';
import { AnswerMemory } from '../calls/transport/answer-memory.ts';
import type { Api } from '../calls/transport/api.ts';
import type { CallObserver } from '../calls/transport/call-observer.ts';
import type { ByteLimit } from '../calls/transport/messages.ts';
import type { Turns } from '../calls/transport/turns.ts';
import { Upstream, type UpstreamEvents } from '../calls/transport/upstream.ts';

/** The upstream APIs, as the settings describe them. */
export type Apis = ReturnType<typeof createApis>;

/** An API, and the credential that its requests carry. */
export interface CalledApi<Body> extends SharedApi<Body> {
  readonly name: ApiName;
  readonly credential: CredentialUse;
}

/** How the caller's credential for an API is read. */
interface CredentialUse {
  /** The property that names the caller's header. */
  readonly header: 'bearerHeader' | 'crmHeader' | 'forumHeader';
  /** The method that returns it. */
  readonly read: 'bearer' | 'crmToken' | 'forumLogin';
  /** The sentence that completes the error of a refused one. */
  readonly hint: keyof CredentialHints;
}

interface ApisOptions {
  readonly turns: Turns;
  /** Unlimited unless given. */
  readonly memory?: AnswerMemory | undefined;
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

/** The base address of each API. For anonymous callers the flex API alone has one, so nothing else can be called. */
export function addressesOf(config: Config): ByApi<URL | undefined> {
  const isCalled = (name: ApiName) => config.PUBLIC !== 'true' || apis[name].isPublic;
  return byApi((name) => (isCalled(name) ? addressOf(name, config) : undefined));
}

/**
 * The flex API under the setting that holds its address: ACCOUNT_URL, unless FLEX_URL is set. For anonymous callers it is always
 * FLEX_URL: their errors name no other API.
 */
export function flexApiOf({ PUBLIC, ACCOUNT_URL, FLEX_URL }: Config): Api {
  const isOwn = FLEX_URL !== undefined || ACCOUNT_URL === undefined || PUBLIC === 'true';
  return isOwn ? flexApi : { ...flexApi, setting: accountApi.setting };
}

export function createApis(config: Config, options: ApisOptions) {
  const { UPSTREAM_TIMEOUT_MS: timeoutMs, UPSTREAM_CONNECTIONS: connections, READS_AT_ONCE: readsAtOnce } = config;
  const {
    turns,
    memory = new AnswerMemory(),
    hints,
    events,
    observer,
    contexts,
    answers,
    isFieldName,
    sharesReads = false,
  } = options;
  const { UPSTREAM_QUEUE: maxWaiting, UPSTREAM_COMPRESSION: compression } = config;
  const { UPSTREAM_CONNECTION_MAX_AGE_MS: maxConnectionAgeMs } = config;
  const ofCalls = { timeoutMs, connections, maxWaiting, compression, turns, memory, observer, ...events };
  const urls = addressesOf(config);
  const maxList = limitOf(config, 'MAX_LIST_BYTES');
  const maxJoinedList = limitOf(config, 'MAX_JOINED_LIST_BYTES');

  const create = <Body>(name: ApiName, row: ApiRow<Body>): CalledApi<Body> => {
    const { api, format, maxRecord, credential, related } = row;
    const cache = answers?.createCache<Body>(name);
    const calls = sharesReads ? new SharedCalls<Body>() : undefined;
    const { accept, contentType } = format;
    const common = { accept, 'content-type': contentType };
    return {
      name,
      upstream: new Upstream(
        { ...api, credentialHint: hints?.[credential.hint] },
        { url: urls[name], secureContext: contexts[name], maxConnectionAgeMs, ...ofCalls },
      ),
      format,
      credential,
      credentials: new CredentialStates({ api: api.name, onChange: events.onChange }),
      cache,
      calls,
      subjects: answers?.subjects[name],
      invalidate: (endpoint) => answers?.forget(name, endpoint),
      related,
      headers: { common, packed: { ...common, 'accept-encoding': 'gzip' } },
      read: createRead({ cache, calls }),
      ask: createAsk(),
      write: createWrite(),
      readCost: new ReadCost(readsAtOnce),
      maxRecord: limitOf(config, maxRecord),
      maxList,
      maxJoinedList: maxJoinedList.bytes < maxList.bytes ? maxJoinedList : maxList,
      readsAtOnce,
      batchReads: config.BATCH_READS,
      isFieldName,
    };
  };
  return {
    account: create('account', { api: accountApi, ...inJson, credential: bearer }),
    flex: create('flex', { api: flexApiOf(config), ...inJson, credential: bearer, related: 'flex' }),
    crm: create('crm', { api: crmApi, ...inJson, format: crmJson, credential: crmToken, related: 'forum' }),
    forum: create('forum', {
      api: forumApi,
      format: xml,
      maxRecord: 'MAX_XML_BYTES',
      credential: forumLogin,
      related: 'crm',
    }),
  } satisfies ByApi<unknown>;
}

/** The row of one API in the table. */
interface ApiRow<Body> {
  readonly api: Api;
  readonly format: Format<Body>;
  /** The setting of the largest record. */
  readonly maxRecord: LimitSetting;
  readonly credential: CredentialUse;
  /** The API whose session has some of its records, too: suggestions of the CRM, and records of public methods. */
  readonly related?: ApiName;
}

const inJson = { format: json, maxRecord: 'MAX_RECORD_BYTES' } as const;

/** "`Content-Type: application/json`" is all that the CRM's document has; the account and flex APIs name a charset, too. */
const crmJson: typeof json = { ...json, contentType: json.accept };

const bearer: CredentialUse = { header: 'bearerHeader', read: 'bearer', hint: 'token' };
const crmToken: CredentialUse = { header: 'crmHeader', read: 'crmToken', hint: 'token' };
const forumLogin: CredentialUse = { header: 'forumHeader', read: 'forumLogin', hint: 'login' };

type LimitSetting = 'MAX_RECORD_BYTES' | 'MAX_XML_BYTES' | 'MAX_LIST_BYTES' | 'MAX_JOINED_LIST_BYTES';

function limitOf(config: Config, setting: LimitSetting): ByteLimit {
  return { bytes: config[setting], setting };
}

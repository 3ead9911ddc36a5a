import { accountApi } from '../apis/account/source.ts';
import { addressesOf, flexApiOf } from '../apis/apis.ts';
import type { Config } from '../config.ts';
import type { Caller } from '../operation/context.ts';
import { compareContract } from './contract/reads.ts';
import { probePartialPuts } from './contract/partial-puts.ts';
import { contractJson, contractText, isAsKnown } from './contract/report.ts';
import { Credentials } from '../operation/credentials.ts';
import { crmApi } from '../apis/crm/source.ts';
import { flexApi, type FlexSource } from '../apis/flex/source.ts';
import { useFlexSnapshot } from '../typed-flex/flex-schema.ts';
import { forumApi } from '../apis/forum/source.ts';
import { GatewayError, NotFoundError, RateLimitedError, UnauthenticatedError } from '../errors.ts';
import type { Api } from '../calls/transport/api.ts';
import type { Rows } from '../formats/rows.ts';
import { Departure } from '../calls/transport/departure.ts';
import type { DefinitionWatch } from '../typed-flex/changes/definition-watch.ts';
import { entryPath } from '../typed-flex/snapshot/snapshot-error.ts';
import { sharesToken, Upstreams } from '../apis/upstreams.ts';
import { version } from '../system.ts';
import { print } from './output.ts';

/** The result of one trial call. */
export interface Finding {
  readonly api: string;
  readonly ok: boolean;
  /** A sentence for the user. */
  readonly text: string;
  /** Seconds for which the API asks not to be called. */
  readonly retryAfter?: number | undefined;
}

// Invalid credentials: enough to see whether an address answers.
const UNKNOWN_TOKEN = 'none';
const UNKNOWN_LOGIN = `Basic ${Buffer.from('nobody:').toString('base64')}`;

const MALFORMED_TOKEN = 'is no token: it holds white space, or a character beyond ASCII.';
const MALFORMED_LOGIN = 'is no credential: it takes Basic and the base64 of login:password.';

interface Token {
  readonly setting: string;
  readonly value: string;
  /** The message for a malformed value, which is not sent. */
  readonly malformed: string;
  /** The advice when the setting is empty. */
  readonly missing: string;
}

/** The token of a setting. */
export function tokenFromSetting(setting: string, value: string, malformed = MALFORMED_TOKEN): Token {
  return { setting, value, malformed, missing: `Set ${setting} to try a token with it.` };
}

interface Trial {
  readonly api: Api;
  readonly url: URL | undefined;
  readonly token: Token;
  readonly read: () => Promise<Rows<unknown>>;
  readonly recordsName: string;
}

/**
 * Makes one cheap read at each upstream that the gateway calls, with the tokens of the settings. With FLEX_SCHEMA the databases
 * that it reads are compared with it.
 *
 * @param end cancels the calls, which fail then
 * @throws ConfigError for a file in FLEX_SCHEMA that cannot be used
 */
export async function doctor(config: Config, end?: AbortSignal): Promise<Finding[]> {
  const watch = await definitionWatch(config);
  const upstreams = new Upstreams(config, { databaseWatch: watch });
  const cancel = () => void upstreams.close();
  end?.addEventListener('abort', cancel);
  const token = tokenFromSetting('API_TOKEN', config.API_TOKEN);
  const crmToken = tokenForCrm(config, token);
  const login = tokenFromSetting('FORUM_AUTHORIZATION', config.FORUM_AUTHORIZATION, MALFORMED_LOGIN);
  const headers = {
    authorization: `Bearer ${token.value || UNKNOWN_TOKEN}`,
    'x-crm-token': crmToken.value || UNKNOWN_TOKEN,
    'x-forum-authorization': login.value || UNKNOWN_LOGIN,
  };
  const { account, flex, crm, forum } = upstreams.context(callerWith(headers));
  const urls = addressesOf(config);
  const trials: Trial[] = [
    {
      api: accountApi,
      url: urls.account,
      token,
      read: () => account.apiTokens(),
      recordsName: 'tokens of the caller',
    },
    { api: flexApiOf(config), url: urls.flex, token, read: () => flex.databases(), recordsName: 'databases' },
    { api: crmApi, url: urls.crm, token: crmToken, read: () => crm.deals(), recordsName: 'deals' },
    { api: forumApi, url: urls.forum, token: login, read: () => forum.categories(), recordsName: 'categories' },
  ];
  try {
    const findings = await Promise.all(trials.filter(({ url }) => url).map(runTrial));
    if (!watch || !findings.some(({ api, ok }) => api === flexApi.name && ok)) return findings;
    return [...findings, { api: 'FLEX_SCHEMA', ...(await compareWithSnapshot(watch, flex)) }];
  } finally {
    end?.removeEventListener('abort', cancel);
    await upstreams.close();
  }
}

/** This command, as the caller of an operation. */
export function callerWith(headers: Caller['headers']): Caller {
  return {
    headers,
    address: '',
    setCookie: () => {},
    onSecret: () => {},
    gone: new Departure(),
    onLateWrite: () => {},
  };
}

/** Compares the databases that are read with those of FLEX_SCHEMA. Undefined without it. */
async function definitionWatch({ FLEX_SCHEMA }: Config): Promise<DefinitionWatch | undefined> {
  if (FLEX_SCHEMA === '') return undefined;
  const { DefinitionWatch } = await import('../typed-flex/changes/definition-watch.ts');
  return useFlexSnapshot(FLEX_SCHEMA, (snapshot) => new DefinitionWatch(snapshot, () => {}));
}

/** The token for the CRM: CRM_TOKEN, or API_TOKEN when it is shared with the CRM. Otherwise none, with advice. */
function tokenForCrm(config: Config, token: Token): Token {
  const own = tokenFromSetting('CRM_TOKEN', config.CRM_TOKEN);
  if (own.value !== '') return own;
  if (sharesToken(config)) return token;
  const missing = 'API_TOKEN is not sent there: set CRM_TOKEN, or CRM_SHARES_TOKEN=true where it serves the CRM, too.';
  return token.value === '' ? own : { ...own, missing };
}

async function runTrial({ api: { name, setting }, token, read, recordsName: what }: Trial): Promise<Finding> {
  try {
    return { api: name, ok: true, text: `answers; ${what}: ${(await read()).length}.` };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const retryAfter = error instanceof RateLimitedError ? error.retryAfter : undefined;
    return { api: name, ok: false, text: explainFailure(error, setting, token), retryAfter };
  }
}

/** Says in words what is wrong with the address or the token of an API. */
export function explainFailure(error: GatewayError, setting: string, token: Token): string {
  if (error instanceof NotFoundError)
    return `It has nothing at ${error.upstream?.endpoint}. Is the address in ${setting} right? Its path may be wrong.`;
  if (!(error instanceof UnauthenticatedError)) return error.message;
  if (!error.upstream) return `${token.setting} ${token.malformed}`; // without an upstream call, the token was refused before it was sent
  if (token.value === '') return `The address in ${setting} answers. ${token.missing}`;
  return `${error.message} The address in ${setting} is right; is ${token.setting}?`;
}

/**
 * Compares the databases of FLEX_SCHEMA with those of the account.
 *
 * @param watch has seen the list of databases. Those that the list does not describe are read one by one
 */
async function compareWithSnapshot(watch: DefinitionWatch, flex: FlexSource): Promise<Omit<Finding, 'api'>> {
  await Promise.all(watch.unseen().map(async (id) => flex.database(id).catch(ignoreGatewayError)));
  const { databases, compared, changed, missing } = watch.report();
  const problems = [
    ...(changed.length > 0 ? [`another definition than in the snapshot: ${listed(changed)}`] : []),
    ...(missing.length > 0 ? [`not in the account of API_TOKEN: ${listed(missing)}`] : []),
    ...(compared < databases ? [`could not be read: ${databases - compared}`] : []),
  ];
  if (problems.length === 0) return { ok: true, text: `describes databases as they are: ${databases}.` };
  return { ok: false, text: `${problems.join('; ')}. \`trivium flex diff\` says what that changes.` };
}

/** A code may have any characters, and the line goes to a terminal. */
function listed(keys: readonly string[]): string {
  return keys.map((key) => entryPath([key])).join(', ');
}

/** For `.catch`: the watch counts a database that could not be read as one that is not compared. */
function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}

/**
 * `trivium doctor --contract`.
 *
 * @param writes whether PUT of the CRM is tried, with records of its own
 * @returns 0 when the answers have the known shapes, else 1
 */
export async function compareWithContract(config: Config, asJson: boolean, writes: boolean): Promise<0 | 1> {
  const { API_TOKEN: token, CRM_TOKEN: crmToken, FORUM_AUTHORIZATION: login } = config;
  const headers = {
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(crmToken !== '' && { 'x-crm-token': crmToken }),
    ...(login !== '' && { 'x-forum-authorization': login }),
  };
  const reports = await compareContract(config, new Credentials(headers, { crmSharesToken: sharesToken(config) }));
  if (writes && addressesOf(config).crm) {
    const upstreams = new Upstreams(config);
    reports.push(...(await probePartialPuts(upstreams.context(callerWith(headers)).crm)));
    await upstreams.close();
  }
  print((asJson ? contractJson : contractText)(reports, version()));
  return isAsKnown(reports) ? 0 : 1;
}

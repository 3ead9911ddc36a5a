import { createApis } from '../../apis/apis.ts';
import { readCertificates } from '../../calls/transport/certificates.ts';
import type { Config } from '../../config.ts';
import type { Credentials } from '../../operation/credentials.ts';
import { BadResponseError, UnauthenticatedError, ValidationError } from '../../errors.ts';
import { isObject, rowsWithoutWrapper, rowWithoutWrapper, withoutWrapper } from '../../formats/decode.ts';
import { refusalOfRead } from '../../formats/written.ts';
import type { XmlElement } from '../../formats/xml-document.ts';
import { xmlElement, xmlItems, xmlObject, xmlValue } from '../../formats/xml-values.ts';
import type { SharedApi } from '../../calls/exchange.ts';
import type { Answer } from '../../calls/transport/messages.ts';
import { type Path, withQuery } from '../../calls/transport/path.ts';
import { Turns } from '../../calls/transport/turns.ts';
import { accountReads } from './account.ts';
import { type Bounds, BOUNDS, ContractCalls } from './calls.ts';
import { compare, type Comparison, MAX_ROWS } from './compare.ts';
import { crmReads } from './crm.ts';
import { flexReads } from './flex.ts';
import { forumReads } from './forum.ts';
import { type ContractRead, type Ids, pathOf } from './shape.ts';

/** The outcome of one documented read. It holds no value, no id and no unknown key of an answer. */
export interface ReadReport {
  readonly api: string;
  readonly endpoint: string;
  /** `failed`: there was no answer to compare. `skipped`: it was not called. */
  readonly result: 'same' | 'differs' | 'failed' | 'skipped';
  /** Why it failed or was skipped, or why the answer cannot be compared. */
  readonly reason?: string;
  readonly comparison?: Comparison;
}

type Compared = Omit<ReadReport, 'api' | 'endpoint'>;

/** The reads of one API, and how they are sent and parsed. */
interface ApiContract<Body> {
  readonly api: SharedApi<Body>;
  readonly reads: readonly ContractRead[];
  /** The setting that holds its credential. */
  readonly setting: string;
  /** Adds the credential. @throws UnauthenticatedError when it is missing or malformed */
  readonly authorize: (path: Path) => { readonly path: Path; readonly headers: Readonly<Record<string, string>> };
  /** The parsed answer in the shape that JSON has. @throws BadResponseError for another root */
  readonly valueOf: (body: Body, read: ContractRead) => unknown;
}

/** Takes wrappers off, as the gateway does. */
function valueOfJson(body: unknown, { isList = false, recordKey }: ContractRead): unknown {
  if (!isList) return withoutWrapper(body, recordKey);
  const rows = rowsWithoutWrapper(body, recordKey);
  return Array.isArray(rows) ? rows.map((row: unknown) => rowWithoutWrapper(row, recordKey)) : rows;
}

/**
 * Calls each documented read of the APIs that have an address, one after the other, and compares the answers with their
 * known shapes. A read by id takes an id of an earlier answer.
 */
export async function compareContract(
  config: Config,
  credentials: Credentials,
  bounds: Bounds = BOUNDS,
): Promise<ReadReport[]> {
  const apis = createApis(config, {
    turns: new Turns(),
    isFieldName: () => false,
    events: { onChange: () => {}, onConnectFailure: () => {} },
    contexts: readCertificates(config).upstreams,
  });
  const { account, flex, crm, forum } = apis;
  const calls = new ContractCalls(bounds);
  const bearer = {
    setting: 'API_TOKEN',
    authorize: (path: Path) => ({ path, headers: credentials.bearerHeaders() }),
    valueOf: valueOfJson,
  };
  try {
    return [
      ...(await compareApi(calls, { api: account, reads: accountReads, ...bearer })),
      ...(await compareApi(calls, { api: flex, reads: flexReads, ...bearer })),
      ...(await compareApi(calls, {
        api: crm,
        reads: crmReads,
        setting: 'CRM_TOKEN',
        authorize: (path) => ({ path: withQuery(path, { api_token: credentials.crmToken() }), headers: {} }),
        valueOf: valueOfJson,
      })),
      ...(await compareApi(calls, {
        api: forum,
        reads: forumReads,
        setting: 'FORUM_AUTHORIZATION',
        authorize: (path) => ({ path, headers: credentials.forumHeaders() }),
        valueOf: valueOfXml,
      })),
    ];
  } finally {
    await Promise.all(Object.values(apis).map(({ upstream }) => upstream.close()));
  }
}

async function compareApi<Body>(calls: ContractCalls, contract: ApiContract<Body>): Promise<ReadReport[]> {
  const { upstream } = contract.api;
  if (!upstream.hasAddress) return [];
  const reports: ReadReport[] = [];
  const ids: Record<string, string> = {};
  let stopped: string | undefined;
  for (const read of contract.reads) {
    const compared: Compared & { readonly isFinal?: boolean } =
      stopped === undefined
        ? await compareRead(calls, contract, read, ids)
        : { result: 'skipped', reason: `not called after: ${stopped}` };
    const { isFinal = false, ...report } = compared;
    if (isFinal) stopped = report.reason;
    reports.push({ api: upstream.api.name, endpoint: read.endpoint, ...report });
  }
  return reports;
}

async function compareRead<Body>(
  calls: ContractCalls,
  contract: ApiContract<Body>,
  read: ContractRead,
  ids: Record<string, string>,
): Promise<Compared & { readonly isFinal?: boolean }> {
  const { api, setting } = contract;
  const request = requestOf(contract, read, ids);
  if (typeof request === 'string') return { result: 'skipped', reason: request };
  const { accept, contentType } = api.format;
  const headers = { accept, 'content-type': contentType, ...request.headers };
  const maxBytes = (read.isList ? api.maxList : api.maxRecord).bytes;
  const outcome = await calls.get(api, { endpoint: read.endpoint, path: request.path, headers }, maxBytes);
  if ('reason' in outcome) {
    const { reason, isFinal } = outcome;
    return { result: 'failed', reason: reason === 'status 401' ? `${reason}: is ${setting} right?` : reason, isFinal };
  }
  return compareAnswer(contract, read, outcome.answer, ids);
}

/** The request of a read; in words why there is none. */
function requestOf<Body>({ authorize, setting }: ApiContract<Body>, read: ContractRead, ids: Ids) {
  if (Object.values(read.needs ?? {}).some((name) => !ids[name])) return 'no earlier answer names one';
  try {
    return authorize(pathOf(read, ids));
  } catch (error) {
    if (error instanceof UnauthenticatedError) return `set ${setting}, to a credential that can be sent`;
    if (error instanceof ValidationError) return 'an earlier answer names one that is no part of a path';
    throw error;
  }
}

async function compareAnswer<Body>(
  { api, valueOf }: ApiContract<Body>,
  read: ContractRead,
  answer: Answer,
  ids: Record<string, string>,
): Promise<Compared> {
  const { format, upstream } = api;
  try {
    const body = await format.parse(answer, upstream.api.setting);
    if (refusalOfRead(format.refusalIn(body))) return { result: 'differs', reason: 'a refusal with the status 200' };
    const value = valueOf(body, read);
    const comparison = compare(value, read);
    collectIds(value, read, ids);
    return { result: comparison.differences.length > 0 ? 'differs' : 'same', comparison };
  } catch (error) {
    if (!(error instanceof BadResponseError)) throw error;
    const expected = read.root === undefined ? 'JSON' : `XML with the root <${read.root}>`;
    const got = /\bhtml\b/i.test(answer.contentType)
      ? 'a web page'
      : 'something else, or cut off, too deep or too large';
    return { result: 'differs', reason: `expected ${expected}, got ${got}` };
  }
}

function valueOfXml(root: XmlElement, { isList, root: name = '' }: ContractRead): unknown {
  if (!isList) return xmlObject(xmlElement(root, name));
  return xmlItems(root.name === 'nil-classes' ? root : xmlElement(root, name)).map(xmlValue);
}

/** Keeps what the rows give to later reads. */
function collectIds(value: unknown, { gives }: ContractRead, ids: Record<string, string>): void {
  if (!gives || !Array.isArray(value)) return;
  for (const row of value.slice(0, MAX_ROWS)) {
    if (!isObject(row)) continue;
    for (const [name, id] of Object.entries(gives(row))) {
      if (typeof id === 'string' || Number.isSafeInteger(id)) ids[name] ??= String(id);
    }
  }
}

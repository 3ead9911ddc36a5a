import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Caller, Context } from '../operation/context.ts';
import type { UpstreamCall, WriteOutcome } from '../errors.ts';
import { idempotencyKeyOf, KEY_HEADER, KEY_RULE } from '../idempotency/key-header.ts';
import { Departure } from '../calls/transport/departure.ts';
import { reportUnexpected } from '../operation/errors/public-error.ts';
import { REQUEST_ID, requestIdOf } from '../operation/server-context.ts';
import type { WatchedResponse } from './http-server.ts';
import { refusalBody, type ResponseHeaders, sendJson, type Step } from './steps.ts';

/** Ids of callers that are taken over. Any other text could forge lines of a log, or fill it. */
const SANE = /^[\w.:-]{1,128}$/;

/** Begins the ids that this process makes: no other process has the same. */
const PREFIX = randomBytes(9).toString('base64url');

let made = 0;

/** Gives a request its id: that of its `X-Request-Id` header, else a new one, which replaces the header. */
export const identify: Step = (request, response, next) => {
  const { headers } = request;
  const given = headers[REQUEST_ID];
  if (typeof given !== 'string' || !SANE.test(given)) headers[REQUEST_ID] = `${PREFIX}-${(made += 1).toString(36)}`;
  return next(request, response);
};

/**
 * Takes the credentials out of a request before anything reads them, where PUBLIC serves anonymous callers: then no limit counts
 * them, no operation holds them, and no upstream gets them.
 */
export const dropCredentials: Step = (request, response, next) => {
  const { headers } = request;
  delete headers.authorization;
  delete headers['proxy-authorization'];
  delete headers['x-crm-token'];
  delete headers['x-forum-authorization'];
  return next(request, response);
};

/** The response to a request that is refused before GraphQL sees it. Its headers are a flat [name, value, …] array. */
export type Rejection = readonly [status: number, message: string, ...headers: string[]];

/** Refuses a request. */
type Reject = (request: IncomingMessage, response: WatchedResponse, rejection: Rejection) => unknown;

export function rejecting(log: Logger, headersFor: ResponseHeaders): Reject {
  return ({ headers }, response, [status, message, ...more]) => {
    const code = status === 413 ? 'QUERY_LIMIT_EXCEEDED' : 'BAD_USER_INPUT';
    log.info({ requestId: requestIdOf(headers), status }, 'request refused');
    return sendJson(response, status, refusalBody(message, { code }), [...headersFor(headers), ...more]);
  };
}

/**
 * Creates the step that reads the headers of an operation, once for all later steps. An invalid Host, timeout or idempotency key
 * is answered with 400.
 */
export function readHead(log: Logger, headersFor: ResponseHeaders): Step {
  const reject = rejecting(log, headersFor);
  return (request, response, next) => {
    const { headers } = request;
    if (headers.host !== lastHost && !isHost(headers.host))
      return reject(request, response, [400, 'The Host header names no host.']);
    const { [TIMEOUT_HEADER]: timeout, [KEY_HEADER]: key } = headers;
    if (timeout !== undefined) {
      response.timeoutMs = millisecondsOf(timeout);
      if (Number.isNaN(response.timeoutMs)) return reject(request, response, [400, TIMEOUT_RULE]);
    }
    if (key !== undefined) {
      response.idempotencyKey = idempotencyKeyOf(key);
      if (response.idempotencyKey === undefined) return reject(request, response, [400, KEY_RULE]);
    }
    return next(request, response);
  };
}

const TIMEOUT_HEADER = 'x-trivium-timeout-ms';

/** The time that a caller gives its operation. NaN when the header holds anything but a whole number above 0. */
function millisecondsOf(header: string | string[]): number {
  return typeof header === 'string' && /^0*[1-9]\d{0,11}$/.test(header) ? Number(header) : Number.NaN;
}

/** The last Host header that was checked and valid: most callers send the same one. */
let lastHost = '';

/** Whether a Host header names a host and nothing else, so that an address can be made of it. */
function isHost(host: string | undefined): boolean {
  if (host === undefined || /[\s\\/?#@]/.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
}

const TIMEOUT_RULE = 'The header X-Trivium-Timeout-Ms takes a whole number of milliseconds above 0.';

/** The `Caller` of a request, which the context of its operation is made from. */
class HttpCaller implements Caller {
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly timeoutMs: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly gone = new Departure();
  readonly #request: IncomingMessage;
  readonly #response: WatchedResponse;
  readonly #config: Config;
  readonly #log: Logger;

  constructor(request: IncomingMessage, response: WatchedResponse, config: Config, log: Logger) {
    this.headers = request.headers;
    this.requestId = requestIdOf(request.headers);
    this.timeoutMs = response.timeoutMs;
    this.idempotencyKey = response.idempotencyKey;
    this.#request = request;
    this.#response = response;
    this.#config = config;
    this.#log = log;
    if (response.destroyed) this.gone.happen(); // while its body was read, or its document was asked for
    else response.on('close', () => response.writableFinished || this.#onDeparture());
  }

  #onDeparture(): void {
    try {
      this.gone.happen();
    } catch (error) {
      reportUnexpected(this.#log, this.requestId)(error); // in an event nobody else would handle it
    }
  }

  get address(): string {
    return addressOf(this.#request, this.#config);
  }

  get network(): string {
    return networkOf(this.address);
  }

  setCookie(header: string): void {
    if (this.#response.headersSent) return;
    this.#response.appendHeader('set-cookie', header);
    if (!IS_ASCII.test(header)) sendTextAsBytes(this.#response);
  }

  onSecret(): void {
    this.#response.holdsSecret = true;
  }

  onLateWrite(call: UpstreamCall, outcome: WriteOutcome): void {
    const why = this.gone.happened ? 'its caller had left' : 'the deadline of its operation';
    this.#log.warn({ requestId: this.requestId, ...call, outcome }, `write ended after ${why}`);
  }
}

/** The dependencies of `openOperation`. Structural types, because this module must not import API modules. */
interface OperationParts {
  readonly upstreams: { readonly context: (caller: Caller) => Context };
  readonly config: Config;
  readonly log: Logger;
}

/** Creates the context of a request's operation, and registers the operation on the response. */
export function openOperation(
  { upstreams, config, log }: OperationParts,
  request: IncomingMessage,
  response: WatchedResponse,
): Context {
  const context = upstreams.context(new HttpCaller(request, response, config, log));
  response.operation = context;
  return context;
}

const IS_ASCII = /^[\0-\x7f]*$/;

/**
 * Sends texts of a body as bytes. Node joins a head and the text that follows it into one text of UTF-8, where each byte of a
 * header beyond ASCII becomes two.
 */
function sendTextAsBytes(response: ServerResponse): void {
  for (const name of ['write', 'end'] as const) {
    const send = response[name];
    const sendBytes = (chunk: unknown, ...rest: unknown[]): unknown =>
      Reflect.apply(send, response, [typeof chunk === 'string' ? Buffer.from(chunk) : chunk, ...rest]);
    Object.assign(response, { [name]: sendBytes });
  }
}

/** The client's IP address, as `Caller.address` has it. */
export function addressOf({ headers, socket }: IncomingMessage, { TRUST_PROXY }: Config): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  // Each proxy appends the address of its client. Entries before those of the trusted proxies may be forged.
  const trusted = (TRUST_PROXY > 0 && forwarded.at(-TRUST_PROXY)?.trim()) || '';
  return forwardedAddress(trusted) ?? withoutIpv6Prefix(socket.remoteAddress ?? '');
}

/**
 * Reads an entry of X-Forwarded-For. Some proxies write IPv6 in brackets, and add a port: both are left out. A zone, as in
 * `fe80::1%eth0`, has a meaning on the machine of the proxy only, so an address with one is no address here.
 *
 * @returns undefined for an entry that is no IP address
 */
function forwardedAddress(entry: string): string | undefined {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
  if (ipv6 !== undefined && !isIPv6(ipv6)) return undefined;
  const address = ipv6 ?? ipv4 ?? entry;
  return isIP(address) === 0 || address.includes('%') ? undefined : withoutIpv6Prefix(address);
}

/** Returns an IPv4 address in the notation of IPv6, `::ffff:203.0.113.7`, as IPv4, and any other address as it is. */
function withoutIpv6Prefix(address: string): string {
  const ipv4 = address.replace(/^::ffff:/i, '');
  return isIPv4(ipv4) ? ipv4 : address;
}

/** The groups of an IPv6 address, and those of its network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The network of an address: an IPv4 address itself, the /64 of an IPv6 address, whose user may take any address of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.split('::');
  const first = groupsOf(start);
  const last = end === undefined ? [] : groupsOf(end);
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}

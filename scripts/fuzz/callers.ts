import { hostileText } from './hostile-texts.ts';
import type { Tape } from './tape.ts';

export interface Credentials {
  readonly bearer: string;
  readonly crm: string;
  /** Login and password in base64. */
  readonly forum: string;
  readonly forumPassword: string;
  /** The value of the cookie that public methods of flex databases get. */
  readonly cookie: string;
  /** The value of a cookie that no upstream may see. */
  readonly otherCookie: string;
}

/** Unlike any other text of a case, and with characters that encodings change. */
export const credentials: Credentials = {
  bearer: 'bearerQ7w+/canary=1',
  crm: 'crmZ3k+/canary~2',
  forum: Buffer.from('login:forumP9x+/canary?3').toString('base64'),
  forumPassword: 'forumP9x+/canary?3',
  cookie: 'flexV5n+/canary!4',
  otherCookie: 'otherB8m+/canary!5',
};

/** The headers of a caller who has all credentials. */
const usualHeaders: readonly string[] = [
  'Host: 127.0.0.1',
  `Authorization: Bearer ${credentials.bearer}`,
  `X-CRM-Token: ${credentials.crm}`,
  `X-Forum-Authorization: Basic ${credentials.forum}`,
  `Cookie: flex_key=${credentials.cookie}; session=${credentials.otherCookie}`,
  'Content-Type: application/json',
];

/** The bytes of a request. */
export interface CallerRequest {
  /** Method, target and version. */
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Operation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The operation as a usual POST. */
export function usualRequest(operation: Operation, accept = 'application/json'): CallerRequest {
  const body = JSON.stringify(operation);
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return { line: 'POST /graphql HTTP/1.1', headers: [...usualHeaders, `Accept: ${accept}`, length], body };
}

/** The operation with hostile headers, in an unusual request line or body now and then. Usual on an empty tape. */
export function hostileRequest(tape: Tape, operation: Operation): CallerRequest {
  const usual = usualRequest(operation, tape.once(6) ? strangeAccept(tape) : acceptOf(tape));
  const headers = [...usual.headers];
  for (let left = tape.roll(5); left > 0; left -= 1) {
    const at = tape.roll(headers.length);
    const [name = ''] = headers[at]?.split(':') ?? [];
    const change = tape.roll(8);
    if (change === 5) headers.splice(at, 1);
    else if (change === 6) headers.push(headers[at] ?? '');
    else if (change === 7) headers[at] = `${name}: ${oneLine(hostileText(tape))}`;
    else headers.push(strangeHeader(tape));
  }
  if (tape.once(4)) return { line: strangeLine(tape, operation), headers: withoutBody(headers), body: '' };
  return { line: usual.line, headers, body: usual.body };
}

/** A type that the gateway answers with. */
export function acceptOf(tape: Tape): string {
  return tape.pick([
    'application/json',
    'multipart/mixed, application/json',
    'application/graphql-response+json',
    'text/event-stream',
    '*/*',
  ]);
}

function strangeAccept(tape: Tape): string {
  return tape.pick([
    'text/html',
    'text/html, */*',
    'application/json;charset=utf-16',
    'image/png',
    'multipart/mixed;q=0',
    'multipart/*',
    '*/graphql-response+json',
    ';,;',
    `${'a/b,'.repeat(2_000)}*/*;q=NaN`,
  ]);
}

function strangeHeader(tape: Tape): string {
  const text = oneLine(hostileText(tape));
  return tape.pick([
    'X-Trivium-Timeout-Ms: 1',
    `X-Trivium-Timeout-Ms: ${text}`,
    'X-Trivium-Timeout-Ms: 999999999999',
    'X-Trivium-Not-Sent: 1',
    'X-Trivium-Cost: 1',
    `X-Trivium-Cost: ${text}`,
    `X-Forwarded-For: ${text}`,
    'X-Forwarded-For: 203.0.113.7, ::1, unknown',
    `X-Forwarded-For: ${'1.2.3.4,'.repeat(1_000)}`,
    `Origin: ${text}`,
    'Origin: null',
    'Origin: https://evil.example',
    'Sec-Fetch-Site: cross-site',
    `Host: ${text}`,
    'Host: [::1',
    'Host: a:99999',
    `Content-Type: ${text}`,
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=utf-16',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Encoding: gzip',
    'Content-Encoding: br, gzip, identity',
    `Content-Length: ${text}`,
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Expect: x',
    'Upgrade: h2c',
    'Connection: upgrade, keep-alive',
    `Authorization: ${text}`,
    `Authorization: Basic ${credentials.bearer}`,
    `Authorization: Bearer ${credentials.bearer} ${text}`,
    `authorization: bearer ${credentials.bearer}`,
    `X-CRM-Token: ${text}`,
    `X-CRM-Token: ${credentials.crm}\xff`,
    `X-Forum-Authorization: Basic ${text}`,
    `X-Forum-Authorization: ${credentials.forum}`,
    `Cookie: ${text}`,
    `Cookie: flex_key=${text}`,
    `Cookie: flex_key=a\x80; flex_key="b"; =; ;`,
    `Cookie: ${'flex_key=a; '.repeat(500)}`,
    `X-Long: ${'x'.repeat(17_000)}`,
    `X-Text: ${text}`,
    'GraphQL-Require-Preflight: 1',
    'Access-Control-Request-Headers: *',
    'X-HTTP-Method-Override: DELETE',
    '__proto__: x',
    'constructor: x',
    'Bad Name: x',
    'no colon',
  ]);
}

function strangeLine(tape: Tape, { query, variables = {} }: Operation): string {
  const encoded = encodeURIComponent(query.toWellFormed());
  const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  return tape.pick([
    `GET /graphql?${search} HTTP/1.1`,
    `GET /graphql?query=${encoded}&variables={ HTTP/1.1`,
    `HEAD /graphql?${search} HTTP/1.1`,
    'GET /graphql HTTP/1.1',
    'OPTIONS /graphql HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    `DELETE /graphql?${search} HTTP/1.1`,
    `GET /graphql?${search} HTTP/1.0`,
    `GET /graphql/?${search} HTTP/1.1`,
    `GET http://other.example/graphql?${search} HTTP/1.1`,
    `GET /${encodeURIComponent(hostileText(tape).toWellFormed())} HTTP/1.1`,
    'GET /graphql?extensions=%00&query=%ff HTTP/1.1',
    'GET //[ HTTP/1.1',
    'GET /ready HTTP/1.1',
    'GET /health?x HTTP/1.1',
    'QUERY /graphql HTTP/1.1',
    'PRI * HTTP/2.0',
  ]);
}

function withoutBody(headers: readonly string[]): string[] {
  return headers.filter((header) => !/^content-length/i.test(header));
}

/** Without the characters that would end a header, and as the bytes of its UTF-8. */
function oneLine(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n]/g, ' ')).toString('latin1');
}

// A setup file, loaded by `RECORD=folder npx vitest run`: writes every GraphQL request that a test makes, its response, and
// the upstream calls made meanwhile into the folder, one line of JSON per test. scripts/compare-recordings.ts compares two
// recordings: they differ where the gateway behaves differently.
import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { appendFileSync, mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** GraphQL requests that overlapped in time, or one alone, and the upstream calls until the next began. */
interface Exchange {
  readonly requests: unknown[];
  readonly calls: string[];
}

const folder = process.env['RECORD'];
let exchanges: Exchange[] = [];
let underWay = 0;

beforeEach(() => {
  exchanges = [];
});

afterEach(({ task }) => {
  if (folder === undefined || exchanges.length === 0) return;
  const names: string[] = [];
  for (let suite = task.suite; suite?.name; suite = suite.suite) names.unshift(suite.name);
  const test = [relative(process.cwd(), task.file.filepath), ...names, task.name].join(' > ');
  const sorted = exchanges.map(({ requests, calls }) => ({ requests, calls: calls.toSorted() }));
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ test, exchanges: sorted })}\n`);
});

function onRequest({ request, response }: { request: IncomingMessage; response: ServerResponse }): void {
  if (!request.url?.startsWith('/graphql')) return;
  if (underWay === 0) exchanges.push({ requests: [], calls: [] });
  const exchange = exchanges.at(-1);
  underWay += 1;
  const [sent, answered] = [chunksOf(request, 'push'), chunksOf(response, 'write')];
  const last = chunksOf(response, 'end');
  response.once('close', () => {
    underWay -= 1;
    const [status, headers] = [response.statusCode, response.getHeaders()];
    const body = answerOf(Buffer.concat([...answered, ...last]).toString());
    exchange?.requests.push({
      method: request.method,
      url: normalised(request.url ?? ''),
      body: normalised(Buffer.concat(sent).toString()),
      status,
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => !VARYING.has(name))
          .map(normalisedEntry),
      ),
      answer: body,
    });
  });
}

const VARYING = new Set(['connection', 'content-length', 'date', 'keep-alive']);

const normalisedEntry = ([name, value]: [string, unknown]) => [name, normalised(String(value))] as const;

/** The chunks that a method of a stream is given from now on. */
function chunksOf(stream: object, method: 'push' | 'write' | 'end'): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const original: unknown = Reflect.get(stream, method);
  if (typeof original !== 'function') throw new Error(`There is no ${method}.`);
  Reflect.set(stream, method, (...args: unknown[]): unknown => {
    const [chunk] = args;
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    return Reflect.apply(original, stream, args);
  });
  return chunks;
}

interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: unknown;
  readonly body: unknown;
}

function onUpstreamRequest({ request }: { request: UpstreamRequest }): void {
  if (String(request.headers).includes('sec-fetch-mode')) return; // the test's own `fetch`
  const body = typeof request.body === 'string' || request.body instanceof Uint8Array ? String(request.body) : '';
  exchanges.at(-1)?.calls.push(normalised(`${request.method} ${request.path} ${body}`.trim()));
}

/** A response without its messages: their wording may change. */
function answerOf(body: string): unknown {
  try {
    return JSON.parse(normalised(body), (key, value: unknown) =>
      ['message', 'messages', 'description'].includes(key) ? '…' : value,
    );
  } catch {
    return normalised(body);
  }
}

const DAY = 24 * 60 * 60 * 1000;

/** A longer text is written down as its hash. */
const LONGEST_TEXT = 20_000;

/** A text without what differs from run to run: ports, clocks, random ids and tokens. */
function normalised(text: string): string {
  if (text.length > LONGEST_TEXT) return `${text.length} ${createHash('sha256').update(text).digest('hex')}`;
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g, (instant) =>
      Math.abs(Date.parse(instant) - Date.now()) < 2 * DAY ? '<instant>' : instant,
    )
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '$1:<port>')
    .replaceAll(/(api_token(?:=|":"))[^&"]*/g, '$1<token>')
    .replaceAll(/[\w-]{20,}/g, (word) => (/\d/.test(word) && /[a-z]/.test(word) ? '<random>' : word));
}

// The workers load this file once for each file of tests: the channels are listened to once.
const listening = Symbol.for('trivium.recording');
if (folder !== undefined && !Reflect.has(globalThis, listening)) {
  Reflect.set(globalThis, listening, { onRequest, onUpstreamRequest });
  channel('http.server.request.start').subscribe((message) => current().onRequest(Object(message)));
  channel('undici:request:create').subscribe((message) => current().onUpstreamRequest(Object(message)));
} else if (folder !== undefined) {
  Reflect.set(globalThis, listening, { onRequest, onUpstreamRequest });
}

function current(): { onRequest: typeof onRequest; onUpstreamRequest: typeof onUpstreamRequest } {
  return Reflect.get(globalThis, listening);
}

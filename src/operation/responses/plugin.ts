import type { ExecutionResult } from 'graphql';
import {
  type FetchAPI,
  type GraphQLHTTPExtensions,
  isAsyncIterable,
  type Plugin,
  processRegularResult,
} from 'graphql-yoga';
import { withoutStackTrace } from '../../execution/stack-traces.ts';
import { acceptedJsonType, type JsonType } from '../accept.ts';
import type { ServerContext } from '../server-context.ts';
import { type Body, bodyOf, isWritten, lengthOf, type Part } from './written-results.ts';

/** A response that is one JSON document. */
interface JsonResponse {
  readonly status: number;
  /** Without its length. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body;
}

/** Makes a response with Yoga, which takes headers and a first status from the extensions of errors, and removes these. */
export function responseByYoga(result: ExecutionResult, fetchAPI: FetchAPI, type: JsonType): JsonResponse {
  let shown = result;
  const stringify = (copy: ExecutionResult) => {
    shown = copy; // it has a copy of each error
    return '';
  };
  const { status, headers } = withoutStackTrace(() => processRegularResult({ ...result, stringify }, fetchAPI, type));
  const ofBody = [...headers].filter(([name]) => name !== 'content-length');
  const body = isWritten(result) ? result.pieces(shown) : JSON.stringify(shown);
  return { status: statusOf(result, type, status), headers: ofBody, body };
}

/**
 * Gives responses their status, and sends the pieces of those that were written while they were made. Yoga would make a text of
 * all of them, and its bytes, so that a response would be in memory three times.
 */
export function useWrittenResponses(): Plugin<object, ServerContext> {
  return {
    onResultProcess: ({ request, result: made, resultProcessor, setResultProcessor }) => {
      const accept = request.headers.get('accept') ?? '';
      if (isAsyncIterable<Part>(made)) {
        const end = async () => void (await made[Symbol.asyncIterator]().return?.());
        request.signal.addEventListener('abort', () => void end().catch(() => {})); // the caller has left
        if (!accept.toLowerCase().includes(MULTIPART)) return; // an event stream
        setResultProcessor((result, fetchAPI) => {
          const parts = isAsyncIterable<Part>(result) ? result : made;
          return new fetchAPI.Response(streamOf(multipart(parts), fetchAPI, end), { headers: MULTIPART_HEADERS });
        }, MULTIPART);
        return;
      }
      if (Array.isArray(made) || isAsyncIterable(made) || resultProcessor !== processRegularResult) return;
      const type = acceptedJsonType(accept) ?? 'application/json';
      setResultProcessor((_result, fetchAPI) => {
        const { status, headers, body } = responseByYoga(made, fetchAPI, type);
        const pieces = piecesOf(body);
        const length: readonly [string, string] = ['content-length', String(lengthOf(pieces))];
        return new fetchAPI.Response(streamOf(pieces, fetchAPI), {
          status,
          headers: Object.fromEntries([...headers, length]),
        });
      }, type);
    },
  };
}

const MULTIPART = 'multipart/mixed';

const MULTIPART_HEADERS = { 'Content-Type': `${MULTIPART}; boundary="-"`, 'Transfer-Encoding': 'chunked' };

/** @yields the body of a response in parts, as callers of `multipart/mixed; deferSpec=20220824` read it */
async function* multipart(parts: AsyncIterable<Part>): AsyncGenerator<Buffer, void> {
  yield Buffer.from('\r\n---');
  for await (const part of parts) {
    const pieces = piecesOf(bodyOf(part));
    const head = `\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${lengthOf(pieces)}\r\n\r\n`;
    const whole = [Buffer.from(head), ...pieces, Buffer.from('\r\n---')];
    if (pieces.length === 1) yield Buffer.concat(whole);
    else yield* whole;
  }
  yield Buffer.from('--\r\n');
}

function piecesOf(body: Body): readonly Buffer[] {
  return typeof body === 'string' ? [Buffer.from(body)] : body;
}

function streamOf(
  pieces: AsyncGenerator<Buffer> | readonly Buffer[],
  { ReadableStream }: FetchAPI,
  cancel: () => Promise<void> = async () => {},
): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel,
  });
}

/** "Partial success": data, even null as a whole, beside errors. It tells proxies and logs; clients read the body. */
const PARTIAL_SUCCESS = 294;

/**
 * The value of `extensions.http`, which Yoga removes, of an error about a body that is no JSON: of all requests without a document
 * that alone is a 400. Told apart by its identity, as others ask for the same status.
 */
export const NOT_JSON: GraphQLHTTPExtensions = { status: 400 };

/**
 * The status of a response that is one JSON document. Callers of `application/json` get the status of Yoga.
 *
 * @param byYoga the highest status that an error asks for, and 200 where none does
 * @see docs/errors.md#statuses and GraphQL over HTTP of September 2026, "Status Codes"
 */
function statusOf({ data, errors = [] }: ExecutionResult, type: JsonType, byYoga: number): number {
  if (type === 'application/json') return byYoga;
  if (data !== undefined) return errors.length > 0 ? PARTIAL_SUCCESS : 200;
  // Yoga, the executor and our own refusals ask for 400 or for nothing where the request is at fault, older than the text.
  if (byYoga !== 200 && byYoga !== 400) return byYoga;
  const codes = errors.map(({ extensions }) => extensions['code']);
  if (codes.includes('INTERNAL_SERVER_ERROR')) return 500;
  const isUnreadable = codes.includes('GRAPHQL_PARSE_FAILED') || errors[0]?.extensions.http === NOT_JSON;
  return isUnreadable ? 400 : 422;
}

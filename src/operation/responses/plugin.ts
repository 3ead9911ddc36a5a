import type { ExecutionResult } from 'graphql';
import { type FetchAPI, isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import { withoutStackTrace } from '../../execution/stack-traces.ts';
import { acceptedJsonType, type JsonType } from '../accept.ts';
import type { ServerContext } from '../server-context.ts';
import { statusOf } from './status.ts';
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

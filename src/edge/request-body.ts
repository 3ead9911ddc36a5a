import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Config } from '../config.ts';
import { type JsonBounds, JsonCounts } from '../formats/json-counts.ts';
import { joined } from '../formats/utf8.ts';
import { pause } from '../formats/slices.ts';

/** The settings that bound the JSON of a request. */
export type RequestBounds = Pick<Config, 'MAX_REQUEST_BYTES' | 'MAX_REQUEST_VALUES'>;

/** A JSON value of the schema has 200 levels at most, and stands a few levels below the parameters of a request. */
const MAX_LEVELS = 256;

/** No setting: the largest objects that apps send are flexible records, which have some dozens of fields. */
const MAX_KEYS = 10_000;

/** To read and to check longer ones takes long: several that arrive together take turns. */
const MAX_SHORT_BYTES = 64 * 1024;

/** Bodies that were read, or are being read: the fast path reads them first, and what it passes on is read by Yoga. */
const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/**
 * Reads the body of a request. The promise never settles where the caller leaves before its end.
 *
 * @throws GraphQLError as soon as its bytes, or the levels, values and keys of its JSON, exceed their bounds
 */
export function requestBody(request: IncomingMessage, bounds: RequestBounds): Promise<Buffer> {
  const known = bodies.get(request);
  if (known) return known;
  const body = new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const counts = new JsonCounts(jsonBounds(bounds));
    let left = bounds.MAX_REQUEST_BYTES;
    const onData = (chunk: Buffer) => {
      left -= chunk.length;
      const exceeded = left < 0 ? 'bytes' : counts.exceededBy(chunk);
      if (!exceeded) return void chunks.push(chunk);
      request.off('data', onData); // Node discards the rest
      reject(tooLarge(exceeded, bounds));
    };
    request.on('data', onData);
    request.on('end', () => {
      const turn = MAX_SHORT_BYTES < bounds.MAX_REQUEST_BYTES - left ? pause() : undefined;
      resolve(turn ? turn.then(() => joined(chunks)) : joined(chunks));
    });
  });
  bodies.set(request, body);
  return body;
}

const jsonBounds = ({ MAX_REQUEST_VALUES: values }: RequestBounds): JsonBounds => ({
  levels: MAX_LEVELS,
  values,
  keys: MAX_KEYS,
});

function tooLarge(exceeded: 'bytes' | keyof JsonBounds, { MAX_REQUEST_VALUES: values }: RequestBounds): GraphQLError {
  const messages = {
    bytes: 'The request exceeds MAX_REQUEST_BYTES.',
    values: `The JSON of the request exceeds MAX_REQUEST_VALUES: ${values} values are the limit. Send several requests.`,
    levels: `The JSON of the request nests deeper than ${MAX_LEVELS} levels.`,
    keys: `The JSON of the request has an object with more than ${MAX_KEYS} keys.`,
  };
  return new GraphQLError(messages[exceeded], { extensions: { code: 'QUERY_LIMIT_EXCEEDED', http: { status: 413 } } });
}

/** Parses JSON that has to be within the bounds of a body. @throws GraphQLError beyond them, SyntaxError for anything but JSON */
export function parseBounded(text: string, bounds: RequestBounds): unknown {
  const exceeded = new JsonCounts(jsonBounds(bounds)).exceededBy(Buffer.from(text));
  if (exceeded) throw tooLarge(exceeded, bounds);
  return JSON.parse(text);
}

/**
 * The body of a request as Node's streams have it, for who reads it after the fast path.
 *
 * @yields it as one chunk
 */
export async function* chunksOf(request: IncomingMessage, bounds: RequestBounds): AsyncGenerator<Buffer, void> {
  yield await requestBody(request, bounds);
}

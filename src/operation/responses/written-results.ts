import { type ExecutionResult, locatedError, type OperationDefinitionNode } from 'graphql';
import { mapAsyncIterator } from 'graphql-yoga';
import { endedResult, type ExecutionBounds } from '../../execution/plan-execution.ts';
import { QueryLimitError } from '../../errors.ts';
import { inSlices, pause } from '../../formats/slices.ts';
import { jsonCharacters, jsonPieces } from './json-pieces.ts';

/** The most bytes that JSON takes for one character: an escape such as `\u0000`. */
const MAX_CHARACTER_BYTES = 6;

/** The size of one operation's response, all parts of it together, and its bound: MAX_RESPONSE_BYTES. */
export class ResponseSize implements ExecutionBounds {
  characters: number | undefined;
  /** Each character takes a byte at least. */
  readonly maxCharacters: number;
  readonly pause = pause;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.maxCharacters = maxBytes;
  }

  /** Whether JSON of this number of characters is within the bound, however many bytes each takes, and is written in no time. */
  surelyHolds(characters: number): boolean {
    return characters <= LARGE_CHARACTERS && characters * MAX_CHARACTER_BYTES <= this.#maxBytes;
  }

  /** The bytes that may still be written. */
  get left(): number {
    return this.#maxBytes - this.#bytes;
  }

  /** Counts bytes that are written. @throws QueryLimitError beyond the bound */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw this.tooLarge();
  }

  tooLarge(): QueryLimitError {
    return new QueryLimitError(
      `The response exceeds MAX_RESPONSE_BYTES: ${this.#maxBytes} bytes are the limit. Ask for fewer rows or fields at once.`,
    );
  }
}

/** A whole response, or a part of one with its deferred fragments and streamed rows. */
export interface Part extends ExecutionResult {
  /** False in the last part. Undefined in a whole response. */
  readonly hasNext?: boolean | undefined;
  readonly incremental?: readonly IncrementalResult[] | undefined;
}

/** A deferred fragment, or rows of a streamed list. */
interface IncrementalResult extends ExecutionResult {
  readonly path?: readonly (string | number)[] | undefined;
  readonly items?: unknown;
}

/** A response, or a part of one, whose data were written as JSON while their bytes were counted. */
export interface WrittenPart extends Part {
  /** Writes the result, or a copy of it with other errors or extensions. Yoga calls it in the place of `JSON.stringify`. */
  readonly stringify: (result: Part) => string;
  /** Does the same in UTF-8. */
  readonly pieces: (result: Part) => readonly Buffer[];
}

/** Whether the data of a response are written already. */
export function isWritten(result: object): result is WrittenPart {
  return 'pieces' in result;
}

/** The JSON of a response: a text, or its pieces in UTF-8 where it was written while it was made. */
export type Body = string | readonly Buffer[];

export function bodyOf(result: ExecutionResult): Body {
  return isWritten(result) ? result.pieces(result) : JSON.stringify(result);
}

export function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Responses with fewer characters are written at once, others one after the other: half of each would be in memory. */
const LARGE_CHARACTERS = 1024 ** 2;

/** Settles when no large response is being written. */
let largeWritten: Promise<unknown> = Promise.resolve();

/**
 * Writes the data of a response, or of a part of one, within the bound of its operation. Large data are written in slices.
 *
 * @param counted the characters that were counted while it was made. Without them they are counted first
 * @returns what can be written, or the end of an operation beyond MAX_RESPONSE_BYTES
 */
export async function writtenPart(
  part: Part,
  node: OperationDefinitionNode,
  size: ResponseSize,
  counted?: number,
): Promise<Part> {
  const values = [part.data, ...(part.incremental ?? []).flatMap(({ data, items }) => [data, items])];
  try {
    const characters = counted ?? (await inSlices(jsonCharacters(values, size.left)));
    if (characters > size.left) throw size.tooLarge();
    const write = async () => writtenValues(values, size);
    const isLarge = characters > LARGE_CHARACTERS;
    const writing = isLarge ? largeWritten.then(write) : write();
    if (isLarge) largeWritten = writing.catch(() => {}); // its own operation handles the error
    const written = await writing;
    const pieces = (result: Part) => piecesOf(result, written);
    return Object.assign(
      { ...part },
      { pieces, stringify: (result: Part) => Buffer.concat(pieces(result)).toString() },
    );
  } catch (error) {
    if (error instanceof QueryLimitError) return endedPart(error, part, node);
    throw error;
  }
}

/** @throws QueryLimitError beyond the bound */
async function writtenValues(values: readonly unknown[], size: ResponseSize) {
  const written = new Map<unknown, readonly Buffer[]>();
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    written.set(value, await inSlices(jsonPieces(value, (bytes) => size.add(bytes))));
  }
  return written;
}

/** Writes each part of a response in parts. The part that exceeds the bound is the last one. */
export function writtenParts(
  parts: AsyncIterable<Part>,
  node: OperationDefinitionNode,
  size: ResponseSize,
): AsyncIterableIterator<Part> {
  const iterator = parts[Symbol.asyncIterator]();
  return mapAsyncIterator(iterator, async (part) => {
    const written = await writtenPart(part, node, size);
    if (!isWritten(written)) void iterator.return?.().catch(() => {}); // it fails only where the operation does
    return written;
  });
}

/** The last part of a response that is too large: its errors are in the place of what the part brings. */
function endedPart(error: QueryLimitError, part: Part, node: OperationDefinitionNode): Part {
  const isInParts = part.hasNext !== undefined;
  if (part.incremental) {
    const incremental = part.incremental.map((inner) => ({
      ...inner,
      ...('items' in inner ? { items: null } : { data: null }),
      errors: [locatedError(error, [node], inner.path)],
    }));
    return { incremental, hasNext: false };
  }
  return { ...endedResult(error, node, Object.keys(part.data ?? {})), ...(isInParts && { hasNext: false }) };
}

/** The JSON of a response, in which the pieces of values that are written already stand in the place of these values. */
function piecesOf(result: Part, written: ReadonlyMap<unknown, readonly Buffer[]>): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let text = '';
  const append = (object: object) => {
    let separator = '{';
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined || typeof value === 'function') continue;
      text += `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      const given = written.get(value);
      if (given && given.length === 1) text += String(given[0]);
      else if (given) {
        pieces.push(Buffer.from(text), ...given);
        text = '';
      } else if (key === 'incremental' && Array.isArray(value)) appendAll(value);
      else text += JSON.stringify(value);
    }
    text += separator === '{' ? '{}' : '}';
  };
  const appendAll = (objects: readonly object[]) => {
    text += '[';
    for (const [index, object] of objects.entries()) {
      if (index > 0) text += ',';
      append(object);
    }
    text += ']';
  };
  append(result);
  return [...pieces, Buffer.from(text)];
}

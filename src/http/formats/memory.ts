import type { Steps } from '../slices.ts';
import { isObject } from './decode.ts';

// An upper bound of the memory that a parsed body takes. test/http/answer-memory.test.ts measures it.

/** An object, with the shape that it may not share with others. */
const OBJECT_BYTES = 250;
/** A key, with a number as its value. */
const KEY_BYTES = 48;
const LIST_BYTES = 64;
const ITEM_BYTES = 24;
const TEXT_BYTES = 24;
/** As if each text were beyond Latin-1, which takes twice as much: telling which one is costs more than it saves. */
const BYTES_PER_CHARACTER = 2;

/** The memory that a byte of JSON adds to the parsed value: an object or a list that it opens, a further item, or a character. */
function memoryOfByte(byte: number): number {
  const found = [200, LIST_BYTES, 12]['{[,'.indexOf(String.fromCharCode(byte))];
  return found ?? (byte < 0x80 ? 1 : 2);
}

/** By pairs of bytes. */
const MEMORY_OF_PAIRS = Uint16Array.from(
  { length: 256 ** 2 },
  (_none, pair) => memoryOfByte(pair % 256) + memoryOfByte(Math.floor(pair / 256)),
);

/**
 * The distances of the pairs that are looked at in a longer text: uneven, as the rows of a list often have the same length, and random,
 * so that no upstream can know them. Four on average.
 */
const STRIDES = Uint8Array.from({ length: 1_024 }, () => 1 + Math.floor(Math.random() * 7));
const SHORT_PAIRS = 4_096;

/**
 * Estimates the memory that a JSON text takes when it is parsed, in bytes, in some hundredths of the time that parsing it takes. A
 * bracket or a comma within a text counts as that of a value, and a byte at each end may not count.
 */
export function memoryOfJson({ buffer, byteOffset, length }: Uint8Array): number {
  const odd = byteOffset % 2;
  const count = Math.max(0, Math.floor((length - odd) / 2));
  const pairs = new Uint16Array(buffer, byteOffset + odd, count);
  let bytes = 0;
  if (count <= SHORT_PAIRS) {
    for (const pair of pairs) bytes += MEMORY_OF_PAIRS[pair] ?? 0;
    return bytes;
  }
  let looked = 0;
  for (let at = 0; at < count; at += STRIDES[looked % STRIDES.length] ?? 1) {
    bytes += MEMORY_OF_PAIRS[pairs[at] ?? 0] ?? 0;
    looked += 1;
  }
  return Math.round((bytes * count) / looked);
}

/** The number of values that are looked at in one step. */
const STEP_VALUES = 4_096;

/** Measures the memory of a parsed body in bytes: of values as JSON has them, or of XML elements. */
export function* measuringMemory(body: unknown): Steps<number> {
  let bytes = 0;
  let looked = 0;
  const open: unknown[] = [];
  const look = (value: unknown) => {
    if (typeof value === 'string') bytes += TEXT_BYTES + value.length * BYTES_PER_CHARACTER;
    else if (typeof value === 'object' && value !== null) open.push(value);
    looked += 1;
  };
  look(body);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      bytes += LIST_BYTES + value.length * ITEM_BYTES;
      for (const item of value) look(item);
    } else if (isObject(value)) {
      bytes += OBJECT_BYTES;
      for (const key in value) {
        bytes += KEY_BYTES + key.length;
        look(value[key]);
      }
    }
    if (looked >= STEP_VALUES) {
      looked = 0;
      yield;
    }
  }
  return bytes;
}

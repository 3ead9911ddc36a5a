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

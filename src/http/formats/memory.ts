import { isAscii } from 'node:buffer';

// Upper bounds of the memory that parsed bodies take, by the characters of structure that the bodies have. In texts these
// count, too. test/http/answer-memory.test.ts measures it.

/** The memory that belongs to each byte of a body in bytes, and to each character of structure besides. */
interface Weights {
  readonly perByte: number;
  readonly perCharacter: Uint16Array;
}

/** Objects with keys of their own take more than the rows of a list, which share theirs. */
const JSON_WEIGHTS: Weights = { perByte: 1, perCharacter: weights({ '{': 180, ':': 40, '[': 48, ',': 40 }) };

/** The text of an element may be a part of the document's text, which stays in memory then. */
const XML_WEIGHTS: Weights = { perByte: 2, perCharacter: weights({ '<': 150, '=': 200 }) };

/** Returns an upper bound of the memory that a parsed JSON body takes, in bytes. */
export function jsonMemory(body: readonly Uint8Array[]): number {
  return memory(body, JSON_WEIGHTS);
}

/** Returns an upper bound of the memory that a parsed XML body takes, in bytes. */
export function xmlMemory(body: readonly Uint8Array[]): number {
  return memory(body, XML_WEIGHTS);
}

function memory(body: readonly Uint8Array[], { perByte, perCharacter }: Weights): number {
  let bytes = 0;
  let structure = 0;
  for (const chunk of body) {
    bytes += chunk.length;
    // Backwards: an iterator takes four times as long.
    for (let at = chunk.length - 1; at >= 0; at -= 1) structure += perCharacter[chunk[at] ?? 0] ?? 0;
  }
  return bytes * perByte * (body.every(hasOneByteTexts) ? 1 : 2) + structure;
}

const BACKSLASH = 0x5c;

/** Whether V8 takes one byte for each character. One beyond Latin-1, which may be escaped, doubles its text. */
const hasOneByteTexts = (chunk: Uint8Array) => isAscii(chunk) && !chunk.includes(BACKSLASH);

function weights(byCharacter: Readonly<Record<string, number>>): Uint16Array {
  const table = new Uint16Array(256);
  for (const [character, weight] of Object.entries(byCharacter)) table[character.charCodeAt(0)] = weight;
  return table;
}

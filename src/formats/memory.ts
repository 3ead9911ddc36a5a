// The memory that parsed JSON takes. test/http/answer-memory.test.ts measures it.

/** The memory that a byte of JSON adds to the parsed value: an object or a list that it opens, a further item, or a character. */
function memoryOfByte(byte: number): number {
  const found = [200, 64, 12]['{[,'.indexOf(String.fromCharCode(byte))];
  return found ?? (byte < 0x80 ? 1 : 2);
}

/** By pairs of bytes. */
const MEMORY_OF_PAIRS = Uint16Array.from(
  { length: 256 ** 2 },
  (_none, pair) => memoryOfByte(pair % 256) + memoryOfByte(Math.floor(pair / 256)),
);

/**
 * The distances of the pairs that are looked at in a longer text: uneven, as the rows of a list often have the same length, and random,
 * so that no upstream can know them. Four on average, and so many that rows of any length are looked at in many places.
 */
const STRIDES = Uint8Array.from({ length: 8_192 }, () => 1 + Math.floor(Math.random() * 7));
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

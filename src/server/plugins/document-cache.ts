import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** What a parsed document takes in memory, measured: its text, and for each token the token itself and its share of nodes. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_TOKEN = 300;

/** A longer text is parsed each time: clients repeat short ones. */
const LONGEST_TEXT = 100_000;

/**
 * A cache of parsed documents by their text, bounded by bytes.
 *
 * @param maxBytes the bound for all documents together; the least recently used one goes first
 */
export function createDocumentCache(maxBytes: number): LRUCache<string, DocumentNode> {
  const maxSize = Math.max(1, maxBytes);
  return new LRUCache({
    maxSize,
    sizeCalculation: (document, text) =>
      text.length > LONGEST_TEXT
        ? maxSize + 1 // more than fits: it is not kept
        : text.length * BYTES_PER_CHARACTER + tokensIn(document) * BYTES_PER_TOKEN,
  });
}

function tokensIn({ loc }: DocumentNode): number {
  let count = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) count += 1;
  return count;
}

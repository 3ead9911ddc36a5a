import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/**
 * Memory of a parsed document, measured: bytes per character of its text, and bytes per token with its share of nodes (300),
 * of the plan of its operations, which has a field per token at most (330), and of their costs that depend on variables (70).
 */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_TOKEN = 700;

/** Longer documents are not cached: clients repeat short ones. */
const MAX_TEXT_LENGTH = 100_000;

/**
 * Creates a cache of parsed documents, keyed by their text.
 *
 * @param maxBytes limit for all documents together; the least recently used ones are removed first
 */
export function createDocumentCache(maxBytes: number): LRUCache<string, DocumentNode> {
  const maxSize = Math.max(1, maxBytes);
  return new LRUCache({
    maxSize,
    sizeCalculation: (document, text) =>
      text.length > MAX_TEXT_LENGTH
        ? maxSize + 1 // larger than the cache, so it is not stored
        : text.length * BYTES_PER_CHARACTER + countTokens(document) * BYTES_PER_TOKEN,
  });
}

function countTokens({ loc }: DocumentNode): number {
  let count = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) count += 1;
  return count;
}

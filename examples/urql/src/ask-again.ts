import { type Exchange, makeOperation, type Operation, type OperationResult } from 'urql';
import { map, pipe } from 'wonka';

/**
 * What a query could not read is asked for again when the query is shown the next time: a cache keeps its answer for
 * good. Stands before the cache.
 */
export const askAgain: Exchange = ({ forward }) => {
  const failed = new Set<number>();
  const shown = new Set<number>();

  const passCache = (operation: Operation): Operation => {
    const { kind, key, context } = operation;
    const isVisit = kind === 'query' && !shown.has(key);
    if (kind === 'teardown') shown.delete(key);
    else shown.add(key);
    if (!isVisit || !failed.has(key) || context.requestPolicy !== 'cache-first') return operation;
    return makeOperation(kind, operation, { ...context, requestPolicy: 'cache-and-network' });
  };
  const noteFailure = (result: OperationResult): OperationResult => {
    const { key, context } = result.operation;
    const isCached = ['hit', 'partial'].includes(context.meta?.cacheOutcome ?? 'miss');
    if (result.error) failed.add(key);
    else if (!isCached) failed.delete(key);
    // graphcache asks for a deferred part that it lacks, but urql sends that only for an answer that is stale.
    return isCached && result.hasNext ? { ...result, stale: true } : result;
  };
  return (operations) => pipe(operations, map(passCache), forward, map(noteFailure));
};

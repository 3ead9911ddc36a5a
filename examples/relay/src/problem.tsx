import { startTransition, useCallback, useEffect, useState } from 'react';
import type { FetchPolicy } from 'relay-runtime';

/** Options of `useLazyLoadQuery`, and what asks for the query again, past the store. */
export function useRetry() {
  const [fetchKey, setFetchKey] = useState(0);
  const fetchPolicy: FetchPolicy = fetchKey === 0 ? 'store-or-network' : 'network-only';
  const retry = useCallback(() => startTransition(() => setFetchKey((key) => key + 1)), []);
  return { options: { fetchKey, fetchPolicy }, retry };
}

interface Props {
  /** The title of a page of which nothing could be read. */
  readonly title?: string;
  readonly message: string;
  readonly onRetry: () => void;
}

/** Why something could not be read. It is asked for again by the button, and when the window gets the focus. */
export function Problem({ title, message, onRetry }: Props) {
  useEffect(() => {
    addEventListener('focus', onRetry);
    return () => removeEventListener('focus', onRetry);
  }, [onRetry]);
  return (
    <>
      {title !== undefined && <h1>{title}</h1>}
      <p role="alert">{message}</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}

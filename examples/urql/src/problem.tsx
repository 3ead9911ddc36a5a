import { useEffect } from 'react';
import type { CombinedError } from 'urql';

/**
 * Errors of an answer. The data beside them is shown nonetheless: an API that is down costs its own fields only. What
 * failed is asked for again, past the cache, by the button, and when the window gets the focus.
 */
export function Problem({ error, onRetry }: { error: CombinedError | undefined; onRetry: () => void }) {
  useEffect(() => {
    addEventListener('focus', onRetry);
    return () => removeEventListener('focus', onRetry);
  }, [onRetry]);
  return (
    <div className="problem">
      <div role="alert">
        {messagesOf(error).map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Without an error, the cache lacks a field that could not be read. */
function messagesOf(error: CombinedError | undefined): readonly string[] {
  if (!error) return ['This could not be read.'];
  if (error.networkError) return ['The gateway did not answer. Does it run, and does it allow this page?'];
  return [...new Set(error.graphQLErrors.map(({ message }) => message))];
}

import type { ErrorLike } from '@apollo/client';
import { useEffect } from 'react';

/** Why something could not be read. It is asked for again by the button, and when the window gets the focus. */
export function Problem({ error, onRetry }: { error: ErrorLike | undefined; onRetry: () => void }) {
  useEffect(() => {
    if (!error) return;
    addEventListener('focus', onRetry);
    return () => removeEventListener('focus', onRetry);
  }, [error, onRetry]);
  return (
    <>
      <p role="alert" className="refused">
        {error?.message}
      </p>
      {error && (
        <button type="button" className="quiet" onClick={onRetry}>
          Try again
        </button>
      )}
    </>
  );
}

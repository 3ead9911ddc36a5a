import { Component, type ReactNode, startTransition, useCallback, useEffect, useState } from 'react';
import type { FetchPolicy } from 'relay-runtime';

/** Options of `useLazyLoadQuery` for an attempt, the first of which is 0, and what asks for the query again, past the store. */
export function useRetry(attempt: number) {
  const [fetchKey, setFetchKey] = useState(attempt);
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

/**
 * A page whose query may get no answer at all: Relay throws the error while it is rendered, and keeps it. The next attempt is another
 * `fetchKey`.
 */
export class Unanswered extends Component<{ readonly children: (attempt: number) => ReactNode }> {
  override state: { readonly error: Error | null; readonly attempt: number } = { error: null, attempt: 0 };
  static getDerivedStateFromError = (error: Error) => ({ error });
  readonly retry = () => this.setState({ error: null, attempt: this.state.attempt + 1 });

  override render() {
    const { error, attempt } = this.state;
    if (!error) return this.props.children(attempt);
    return <Problem title="No answer" message={error.message} onRetry={this.retry} />;
  }
}

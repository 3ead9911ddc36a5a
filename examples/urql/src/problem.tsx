import type { CombinedError } from 'urql';

/** Errors of an answer. The data beside them is shown nonetheless: an API that is down costs its own fields only. */
export function Problem({ error }: { readonly error: CombinedError }) {
  const messages = error.networkError
    ? ['The gateway did not answer. Does it run, and does it allow this page?']
    : error.graphQLErrors.map(({ message }) => message);
  return (
    <div className="problem" role="alert">
      {[...new Set(messages)].map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}

import { ApolloLink } from '@apollo/client';
import { concatMap, from, type Observable, of } from 'rxjs';
import type { Session } from './session.ts';

/** Sends the token of the session. An operation whose token was refused waits for the next one, and is sent again. */
export const authorized = (session: Session) =>
  new ApolloLink(function send(operation, forward): Observable<ApolloLink.Result> {
    const { token } = session;
    operation.setContext(({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${token}` } }));
    const sendAgain = () => from(session.renewed(token)).pipe(concatMap(() => send(operation, forward)));
    return forward(operation).pipe(concatMap((result) => (isRefused(result) ? sendAgain() : of(result))));
  });

/** Whether an API refused the credential, and nothing was written. Without `upstream`, a header is missing. */
function isRefused(result: ApolloLink.Result): boolean {
  const errors = 'errors' in result ? (result.errors ?? []) : [];
  return errors.some(({ extensions: { code, upstream, outcome } = {} }) => {
    return code === 'UNAUTHENTICATED' && upstream !== undefined && (outcome ?? 'REFUSED') === 'REFUSED';
  });
}

import { authExchange } from '@urql/exchange-auth';
import type { CombinedError, Exchange } from 'urql';
import type { Session } from './session';

/** Sends the token of the session. Operations whose token was refused wait for the next one, and are sent again. */
export const authorized = (session: Session): Exchange =>
  authExchange(({ appendHeaders }) =>
    Promise.resolve({
      addAuthToOperation: (operation) => appendHeaders(operation, { authorization: `Bearer ${session.token}` }),
      didAuthError: isRefused,
      refreshAuth: () => session.renewed(),
    }),
  );

/** Whether an API refused the credential, and nothing was written. Without `upstream`, a header is missing. */
function isRefused({ graphQLErrors }: CombinedError): boolean {
  return graphQLErrors.some(({ extensions: { code, upstream, outcome } }) => {
    return code === 'UNAUTHENTICATED' && upstream !== undefined && (outcome ?? 'REFUSED') === 'REFUSED';
  });
}

import { commitLocalUpdate, Environment, Network, Observable } from 'relay-runtime';
import { answers, errorsOf } from './answers.ts';
import type { Session } from './session.ts';

/** Runs Relay's operations at an endpoint, for the user of `session`. */
export function createEnvironment(endpoint: string, session: Session): Environment {
  const environment = new Environment({
    network: Network.create((request, variables) =>
      Observable.create((sink) => {
        const send = async () => {
          let hasFailed = false;
          const body = JSON.stringify({ query: request.text, variables });
          for await (const answer of answers(endpoint, session, body)) {
            const [error] = errorsOf(answer);
            // When a next page fails, the rows before it stay.
            if (error && typeof variables['after'] === 'string') throw new Error(error.message);
            hasFailed ||= error !== undefined;
            if (!sink.closed) sink.next(answer);
          }
          sink.complete();
          // The store keeps the null of a field that failed: what is shown the next time is asked for again.
          if (hasFailed) commitLocalUpdate(environment, (store) => store.invalidateStore());
        };
        send().catch((error: Error) => sink.error(error));
      }),
    ),
  });
  return environment;
}

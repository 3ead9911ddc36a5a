// What Apollo Client shows of random pages, after random steps, against what the gateway says.
import { type ApolloClient, gql, NetworkStatus, type TypedDocumentNode } from '@apollo/client';
import { connect, createCache, pages } from 'trivium-kits/apollo';
import { addToList, filterAgain, removeFromList } from 'trivium-kits/apollo-lists';
import { test } from 'vitest';
import { judge } from '../../page-sequences/judge.ts';
import type { Kit, Variables, Write } from '../../page-sequences/kit.ts';
import { textOf } from '../../page-sequences/truth.ts';
import { listOfWrite } from '../../page-sequences/writes.ts';

/** Of each mutation the updater that the guide names. */
function updateOf(write: Write) {
  const list = listOfWrite(write);
  if (write.field.startsWith('delete')) return removeFromList(list);
  return write.field.startsWith('update') ? filterAgain(list) : addToList(list);
}

/** Of the typed database. */
const policies = { Tracker: { merge: true, fields: { tasks: pages() } } };
const refused = ['ConflictError', 'ForbiddenError', 'NotFoundError', 'ValidationError'];
const members = {
  Node: ['TrackerTask'],
  CreateTrackerTaskResult: [...refused, 'TrackerTask'],
  UpdateTrackerTaskResult: [...refused, 'TrackerTask'],
  DeleteTrackerTaskResult: [...refused, 'DeletedNode'],
};

const kit: Kit = {
  readsAgain: true,
  open(connection) {
    const client: ApolloClient = connect(connection, createCache(policies, members));
    return {
      mount(query, variables, fetchPolicy) {
        const observable = client.watchQuery({ query: gql(textOf(query)), variables, fetchPolicy });
        const subscription = observable.subscribe({});
        return {
          shown() {
            const { data, dataState, networkStatus } = observable.getCurrentResult();
            return dataState === 'complete' && networkStatus === NetworkStatus.ready ? data : undefined;
          },
          more: (after) => observable.fetchMore({ variables: { after } }).catch(() => undefined),
          unmount: () => subscription.unsubscribe(),
        };
      },
      write(write) {
        const { text, variables, key, optimistic } = write;
        const context = { headers: { 'idempotency-key': key } };
        const document: TypedDocumentNode<Record<string, object>, Variables> = gql(text);
        const mutation = { mutation: document, variables, context, update: updateOf(write) };
        return client
          .mutate({ ...mutation, ...(optimistic && { optimisticResponse: optimistic }) })
          .catch(() => undefined);
      },
      close: () => client.stop(),
    };
  },
};

test('what Apollo Client shows is what the gateway says, or stale', { timeout: 0 }, () => judge(kit));

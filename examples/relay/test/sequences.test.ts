// What the store shows of random pages, after random steps, against what the gateway says.
import {
  commitMutation,
  type ConcreteRequest,
  ConnectionHandler,
  createOperationDescriptor,
  fetchQuery,
  type MutationParameters,
  ROOT_ID,
} from 'relay-runtime';
import { addToLists, connect, removeFromLists } from 'trivium-kits/relay';
import { assert, beforeAll, test } from 'vitest';
import { judge } from '../../page-sequences/judge.ts';
import type { Kit } from '../../page-sequences/kit.ts';
import { compileDocuments } from './sequence-documents.ts';

let documents: ReadonlyMap<string, ConcreteRequest>;
beforeAll(async () => void (documents = await compileDocuments()));

/** The lists of all records, newest first. Others are read again. */
const lists = [
  ['ClientNewest_clients', 'CREATED_AT'],
  ['DealNewest_deals', 'ID'],
  ['PostNewest_posts', 'CREATED_AT'],
].map(([key = '', field]) =>
  ConnectionHandler.getConnectionID(ROOT_ID, key, { orderBy: { field, direction: 'DESC' } }),
);

function documentOf(name: string): ConcreteRequest {
  const document = documents.get(name);
  assert(document, name);
  return document;
}

const kit: Kit = {
  readsAgain: false,
  open(connection) {
    const environment = connect(connection);
    const open = new Set<() => void>();
    return {
      mount({ name }, variables, policy) {
        const query = documentOf(name);
        const operation = createOperationDescriptor(query, variables);
        const isThere = () => environment.check(operation).status === 'available';
        const read = (more = {}) => fetchQuery(environment, query, { ...variables, ...more }).toPromise();
        const readAgain = () => void (isThere() || read().catch(() => {}));
        if (policy === 'cache-first') readAgain();
        else read().catch(() => {});
        const retained = environment.retain(operation);
        if (policy === 'cache-and-network') open.add(readAgain); // as with `useSubscribeToInvalidationState`
        return {
          shown() {
            const { data, isMissingData } = environment.lookup(operation.fragment);
            return isThere() && !isMissingData ? data : undefined;
          },
          more: (after) => read({ after }).catch(() => {}),
          unmount() {
            retained.dispose();
            open.delete(readAgain);
          },
        };
      },
      async write({ field, variables, key, optimistic }) {
        const expected = { [field]: { message: null, ...optimistic?.[field] } };
        await new Promise<void>((resolve) => {
          commitMutation<MutationParameters & { readonly rawResponse: object }>(environment, {
            mutation: documentOf(field.slice(0, 1).toUpperCase() + field.slice(1)),
            variables,
            ...(optimistic && { optimisticResponse: expected }),
            cacheConfig: { metadata: { idempotencyKey: key } },
            updater: (store) => {
              if (/^(create|add)/.test(field)) addToLists(store, field, lists);
              if (field.startsWith('delete')) removeFromLists(store, field, lists);
            },
            onCompleted: () => resolve(),
            onError: () => resolve(),
          });
        });
        for (const readAgain of open) readAgain();
      },
      close: () => open.clear(),
    };
  },
};

test('what the store shows is what the gateway says, or stale', { timeout: 0 }, () => judge(kit));

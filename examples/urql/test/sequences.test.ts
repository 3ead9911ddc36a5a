// What graphcache shows of random pages, after random steps, against what the gateway says.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { connect } from 'trivium-kits/urql';
import { addToList, createCache, filterAgain, removeFromList } from 'trivium-kits/graphcache';
import { gql, type OperationResult, type RequestPolicy } from 'urql';
import { test } from 'vitest';
import { filter, pipe, subscribe, take, toPromise } from 'wonka';
import { judge } from '../../page-sequences/judge.ts';
import type { Kit, PageQuery, Variables } from '../../page-sequences/kit.ts';
import { textOf } from '../../page-sequences/truth.ts';
import { allWrites, listOfWrite } from '../../page-sequences/writes.ts';

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const command = [path('../dist/main.js'), 'schema', '--flex-schema', path('codegen/flex.schema.json')];
const schema = introspectionFromSchema(buildSchema(execFileSync(process.execPath, command, { encoding: 'utf8' })));

/** Of each mutation the updater that the guide names. */
const updates = Object.fromEntries(
  allWrites().map((write) => {
    const list = { field: listOfWrite(write), query: '{ __typename }' };
    if (write.field.startsWith('delete')) return [write.field, removeFromList(list)];
    return [write.field, write.field.startsWith('update') ? filterAgain(list) : addToList(list)];
  }),
);

/** The mutations that may have an optimistic answer. */
const expecting = ['Client', 'Deal', 'TrackerTask']
  .flatMap((type) => [`create${type}`, `update${type}`, `delete${type}`])
  .concat('createPost', 'deleteFlexRecord');

const kit: Kit = {
  readsAgain: true,
  open(connection) {
    let expected: Variables = {};
    const optimistic = Object.fromEntries(expecting.map((field) => [field, () => expected[field] as never]));
    const client = connect(connection, createCache(schema as never, { updates: { Mutation: updates }, optimistic }));
    const subscribed = new Set<() => void>();
    const firstPages = new Set<() => void>();
    const run = (query: PageQuery, variables: Variables, requestPolicy: RequestPolicy) =>
      client.query<unknown, Variables>(gql(textOf(query)), variables, { requestPolicy });
    return {
      mount(query, variables, policy) {
        let last: OperationResult | undefined;
        const show = (shown: Variables, shownPolicy: RequestPolicy) => {
          last = undefined;
          const { unsubscribe } = pipe(
            run(query, shown, shownPolicy),
            subscribe((result) => (last = result)),
          );
          subscribed.add(unsubscribe);
          return unsubscribe;
        };
        let leave = show(variables, policy);
        const goTo = (shown: Variables) => {
          const left = leave;
          leave = show(shown, 'cache-first');
          left();
          subscribed.delete(left);
        };
        const toFirst = () => goTo(variables);
        const unmount = () => {
          leave();
          subscribed.delete(leave);
          firstPages.delete(toFirst);
        };
        return {
          shown: () => (last?.data && !last.stale && !last.hasNext ? last.data : undefined),
          async more(after) {
            const page = { ...variables, after };
            const read = pipe(
              run(query, page, 'cache-first'),
              filter(({ stale }) => !stale),
              take(1),
              toPromise,
            );
            goTo(page);
            firstPages.add(toFirst);
            await read;
          },
          unmount,
        };
      },
      async write({ text, variables, key, optimistic: answer = {} }) {
        expected = answer;
        const fetchOptions = { headers: { 'idempotency-key': key } };
        await client.mutation<unknown, Variables>(gql(text), variables, { fetchOptions }).toPromise();
        expected = {};
        // As the guide says: all pages of a list may have been forgotten.
        for (const toFirst of firstPages) toFirst();
        firstPages.clear();
      },
      close: () => subscribed.forEach((unsubscribe) => unsubscribe()),
    };
  },
};

test('what graphcache shows is what the gateway says, or stale', { timeout: 0 }, () => judge(kit));

import { brandWithType, type OutputRef } from '@pothos/core';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { clientTextKeys } from '../crm/client-list.ts';
import { Client } from '../crm/clients.ts';
import { dealTextKeys } from '../crm/deal-list.ts';
import { Deal } from '../crm/deals.ts';
import { postTextKeys } from '../crm/post-list.ts';
import { Post } from '../crm/posts.ts';
import { FlexRecord } from '../flex/records.ts';
import { ForumPost } from '../forum/posts.ts';
import { connectionOf, cursorAt, type Page, pageSize } from '../lists/connections.ts';
import { wireEnum, wireValues } from '../graphql/enums.ts';
import { textFilter, applyFilters } from '../lists/filters.ts';
import { GatewayError, invalidInput } from '../http/errors.ts';
import { interleave, searchTables } from './flex-tables.ts';

const targets = {
  clients: 'Clients of the CRM.',
  posts: 'Posts of the helpdesk.',
  deals: 'Deals of the CRM.',
  flex_records: 'Records of the flexible databases: of their first ten tables.',
  forum_posts: 'Suggestions on the first page of the forum.',
};
type Target = keyof typeof targets;

const SearchTarget = wireEnum('SearchTarget', 'Where to search.', targets);

const SearchResult = builder.unionType('SearchResult', {
  description: 'Something that was found.',
  types: [Client, Post, Deal, FlexRecord, ForumPost],
});

/** The result of one target, and the failure that kept it from being searched in full. */
interface TargetResult {
  readonly records: readonly object[];
  /** Whether there may be more matches than upstream returned. */
  readonly mayHaveMore?: boolean;
  readonly error?: GatewayError | undefined;
}

interface SearchTerms {
  /** The text to find, without space around it. */
  readonly text: string;
  /** The most records to take from one target. */
  readonly first: number;
}

/** Searches each target. Lists are searched in the gateway, under the keys that their filter `text` looks at. */
const searchByTarget: Readonly<Record<Target, (search: SearchTerms, context: Context) => Promise<TargetResult>>> = {
  clients: async ({ text, first }, { crm }) =>
    firstResults(Client, applyFilters(await crm.clients(), [textFilter(text, clientTextKeys)]), first),
  posts: async ({ text, first }, { crm }) =>
    firstResults(Post, applyFilters(await crm.posts(), [textFilter(text, postTextKeys)]), first),
  deals: async ({ text, first }, { crm }) =>
    firstResults(Deal, applyFilters(await crm.deals(), [textFilter(text, dealTextKeys)]), first),
  flex_records: async ({ text, first }, { flex }) => {
    const { records, ...more } = await searchTables(text, first, flex);
    return { ...firstResults(FlexRecord, records, first), ...more };
  },
  forum_posts: async ({ text, first }, { forum }) =>
    firstResults(
      ForumPost,
      applyFilters(await forum.firstPosts({ page: '1' }), [textFilter(text, ['title', 'content'])]),
      first,
    ),
};

function firstResults(type: OutputRef, records: readonly object[], first: number): TargetResult {
  const results = records.slice(0, first);
  for (const record of results) brandWithType(record, type); // tells the union which type a record has
  return { records: results };
}

/** Searches one target. A `GatewayError` becomes part of the result. */
async function searchTarget(target: Target, search: SearchTerms, context: Context): Promise<TargetResult> {
  try {
    return await searchByTarget[target](search, context);
  } catch (error) {
    if (error instanceof GatewayError) return { records: [], error };
    throw error;
  }
}

interface Failure {
  readonly target: Target;
  readonly error: GatewayError;
}

const SearchFailure = builder.objectRef<Failure>('SearchFailure').implement({
  description: 'A place that could not be searched, or not as a whole.',
  fields: (t) => ({
    target: t.field({
      type: SearchTarget,
      nullable: false,
      description: 'Which one.',
      resolve: ({ target }) => target,
    }),
    code: t.string({
      nullable: false,
      description: 'The code that an error would have, such as `UPSTREAM_TIMEOUT`.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({ nullable: false, description: 'What went wrong.', resolve: ({ error }) => error.message }),
  }),
});

interface SearchPage extends Page<object> {
  readonly failures: readonly Failure[];
}

const SearchConnection = connectionOf<SearchPage>('Search', SearchResult, 'What was found, in turn from each place.');

builder.objectField(SearchConnection, 'failures', (t) =>
  t.field({
    type: [SearchFailure],
    nullable: false,
    description: 'What could not be searched, and so is missing from the result.',
    resolve: ({ failures }) => [...failures],
  }),
);

/** The most results of one search. Upstream returns at most 100 records of a table. */
const MAX_RESULTS = 100;

builder.queryField('search', (t) =>
  t.field({
    type: SearchConnection,
    description:
      'Looks for a text everywhere. Calls, all at once and each once: `GET /app/clients.json`, `GET /app.json`, ' +
      '`GET /app/deals.json`, `GET /` of the forum, `GET /flex/dbs.json` and then `GET /flex/dbs/:db_id/search.json` for ' +
      'ten tables at most. A place that fails is told in `failures`, and costs its own results only.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'What to look for, in whatever case; `*` and `%` stand for themselves.',
      }),
      in: t.arg({ type: [SearchTarget], description: 'Where; everywhere unless given.' }),
      first: t.arg.int({ defaultValue: 10, description: `How many, at most ${MAX_RESULTS}.` }),
    },
    resolve: async (_root, { text, in: targetsArgument, first }, context): Promise<SearchPage> => {
      if (text.trim() === '') throw invalidInput('text', 'is empty');
      const size = pageSize(first ?? 10, MAX_RESULTS);
      const requestedTargets = [...new Set(targetsArgument ?? wireValues(targets))];
      const search = { text: text.trim(), first: size + 1 }; // one more than the page, to know whether there is a next page
      const results = await Promise.all(
        requestedTargets.map(async (target) => ({ target, ...(await searchTarget(target, search, context)) })),
      );
      const merged = interleave(results.map(({ records }) => records));
      const rows = merged.slice(0, size).map((node, index) => ({ cursor: cursorAt(index), node }));
      return {
        hasPreviousPage: false,
        rows: async () => rows,
        hasNextPage: async () => merged.length > size || results.some(({ mayHaveMore }) => mayHaveMore),
        failures: results.flatMap(({ target, error }) => (error ? [{ target, error }] : [])),
      };
    },
  }),
);

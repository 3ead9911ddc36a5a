import { brandWithType, type OutputRef } from '@pothos/core';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { clientTextFilter } from '../crm/client-filter.ts';
import { Client } from '../crm/clients.ts';
import { dealTextKeys } from '../crm/deal-list.ts';
import { Deal } from '../crm/deals.ts';
import { postTextKeys } from '../crm/post-filter.ts';
import { Post } from '../crm/posts.ts';
import { FlexRecord } from '../flex/records.ts';
import { ForumPost } from '../forum/posts.ts';
import { connectionOf, cursorAt, type Page, pageSize } from '../../graph/lists/connections.ts';
import { wireEnum, wireValues } from '../../graph/enums.ts';
import { applyFilters, type Condition } from '../../graph/lists/filters.ts';
import { assertSearchText, textFilter } from '../../graph/lists/text-filters.ts';
import { GatewayError, invalidInput, shownMessage } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import { interleave, searchTables } from './flex-tables.ts';

const targets = {
  clients: 'Clients of the CRM.',
  posts: 'Posts of the helpdesk.',
  deals: 'Deals of the CRM.',
  flex_records: 'Records of the first ten tables of the flexible databases.',
  forum_posts: 'Suggestions on the first page of the forum.',
};
type Target = keyof typeof targets;

const SearchTarget = wireEnum('SearchTarget', 'Where to search.', targets);

const SearchResult = builder.unionType('SearchResult', {
  description: 'A record that the search found.',
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
  clients: async (search, context) =>
    firstMatches(Client, await context.crm.clients(), clientTextFilter(search.text, 'text'), search),
  posts: async (search, context) =>
    firstMatches(Post, await context.crm.posts(), textFilter(search.text, 'text', postTextKeys), search),
  deals: async (search, context) =>
    firstMatches(Deal, await context.crm.deals(), textFilter(search.text, 'text', dealTextKeys), search),
  flex_records: async ({ text, first }, { flex }) => {
    const { records, ...more } = await searchTables(text, first, flex);
    return { records: branded(FlexRecord, records.slice(0, first)), ...more };
  },
  forum_posts: async (search, context) => {
    const posts = await context.forum.firstPosts({});
    return firstMatches(ForumPost, posts, textFilter(search.text, 'text', ['title', 'content']), search);
  },
};

/** The first records of a list that match. The error is the first problem of the list, or of the filter. */
async function firstMatches<T extends object>(
  type: OutputRef,
  list: Rows<T>,
  filter: Condition<T> | undefined,
  { first }: SearchTerms,
): Promise<TargetResult> {
  const found = await applyFilters(list, [filter], list);
  const [error] = found.problems;
  return { records: branded(type, [...found.slice(0, first)]), error };
}

/** Tells the union which type records have. Returns the records themselves. */
function branded(type: OutputRef, records: readonly object[]): readonly object[] {
  for (const record of records) brandWithType(record, type);
  return records;
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
  description: 'A target that could not be searched, or not in full.',
  fields: (t) => ({
    target: t.field({
      type: SearchTarget,
      nullable: false,
      description: 'The target.',
      resolve: ({ target }) => target,
    }),
    code: t.string({
      nullable: false,
      description: 'The error code, such as `UPSTREAM_TIMEOUT`.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({
      nullable: false,
      description: 'What went wrong.',
      resolve: ({ error }, _args, { hidesAdvice }) => shownMessage(error, hidesAdvice),
    }),
  }),
});

interface SearchPage extends Page<object> {
  readonly failures: readonly Failure[];
}

const SearchConnection = connectionOf<SearchPage>(
  'Search',
  SearchResult,
  'Records that the search found, in turns from each target.',
);

builder.objectField(SearchConnection, 'failures', (t) =>
  t.field({
    type: [SearchFailure],
    nullable: false,
    description: 'Targets that could not be searched in full. Their records may be missing from the result.',
    resolve: ({ failures }) => [...failures],
  }),
);

/** The most results of one search. Upstream returns at most 100 records of a table. */
const MAX_RESULTS = 100;

builder.queryField('search', (t) =>
  t.field({
    type: SearchConnection,
    semanticNonNull: true,
    description:
      'Searches all APIs for a text. Calls, in parallel and once each: `GET /app/clients.json`, `GET /app.json`, ' +
      '`GET /app/deals.json`, `GET /` of the forum, `GET /flex/dbs.json` and then `GET /flex/dbs/:db_id/search.json` for ' +
      'ten tables at most. A target that fails appears in `failures`; the other targets still return their results.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'The text to find, of at most 200 characters. Case does not matter; `*` and `%` are no wildcards.',
      }),
      in: t.arg({ type: [SearchTarget], description: 'Targets to search; all by default.' }),
      first: t.arg.int({ defaultValue: 10, description: `Number of results, at most ${MAX_RESULTS}.` }),
    },
    resolve: async (_root, { text, in: targetsArgument, first }, context): Promise<SearchPage> => {
      if (text.trim() === '') throw invalidInput('text', 'is empty');
      assertSearchText(text.trim(), 'text');
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

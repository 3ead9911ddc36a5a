import { expectTypeOf, test } from 'vitest';
import type { clientList_query$data } from '../src/__generated__/clientList_query.graphql.ts';
import type { clientPage_card$data } from '../src/__generated__/clientPage_card.graphql.ts';
import type { clientPageQuery$data } from '../src/__generated__/clientPageQuery.graphql.ts';
import type {
  createClientMutation$data,
  createClientMutation$variables,
} from '../src/__generated__/createClientMutation.graphql.ts';
import type { flexDb_search$data } from '../src/__generated__/flexDb_search.graphql.ts';

type Result = NonNullable<createClientMutation$data['createClient']>;
/** The node of a row: null beside an error only. */
type NodeOf<TConnection> =
  NonNullable<TConnection> extends { edges: readonly ({ node: infer TNode } | null | undefined)[] | null | undefined }
    ? NonNullable<TNode>
    : never;

test('scalars are what stands in JSON', () => {
  expectTypeOf<clientPage_card$data['discount']>().toEqualTypeOf<string | null | undefined>(); // Decimal
  type Data = flexDb_search$data['search']['edges'][number]['node']['data'];
  expectTypeOf<Data>().toEqualTypeOf<Record<string, unknown> | null | undefined>(); // JSONObject
});

test('enums are unions of their values', () => {
  type Kind = NodeOf<clientList_query$data['clients']>['kind'];
  expectTypeOf<Kind>().toEqualTypeOf<'BUYER' | 'SELLER' | null | undefined>();
  // @ts-expect-error: no such kind
  expectTypeOf<createClientMutation$variables>({ input: { kind: 'CUSTOMER' } });
});

test('a result union narrows by __typename', () => {
  const result = {} as Result;
  type Refusal = 'ConflictError' | 'ForbiddenError' | 'NotFoundError' | 'ValidationError';
  expectTypeOf(result.__typename).toEqualTypeOf<'Client' | Refusal | '%other'>();
  // @ts-expect-error: only a client has a name
  void result.name;
  if (result.__typename === 'Client') expectTypeOf(result.name).toEqualTypeOf<string | null | undefined>();
});

test('a fragment that throws errors needs no check where a null comes with an error only', () => {
  expectTypeOf<flexDb_search$data['search']['edges'][number]['node']['id']>().toEqualTypeOf<string>();
  expectTypeOf<flexDb_search$data['name']>().toEqualTypeOf<string | null | undefined>(); // upstream may have none
  expectTypeOf<null>().toExtend<clientList_query$data['clients']>(); // without the directive
});

test('a fragment is masked', () => {
  type Card = NonNullable<NonNullable<clientPageQuery$data['node']>['card']>;
  expectTypeOf<Card>().not.toHaveProperty('name');
});

import type { ResultOf, VariablesOf } from 'gql.tada';
import { expectTypeOf, test } from 'vitest';
import type { createDealMutation, dealsQuery, line } from '../src/deals.ts';
import type { introspection_types } from '../generated/graphql-env.d.ts';
import { graphql, type Scalars } from '../src/graphql.ts';

type Result = NonNullable<ResultOf<typeof createDealMutation>['createDeal']>;
/** A row of the list. Null beside an error only. */
type Deal = NonNullable<NonNullable<NonNullable<ResultOf<typeof dealsQuery>['deals']>['nodes']>[number]>;

const client = graphql(`
  query Client {
    client(id: "1") {
      kind
      discount
      createdAt
      payments {
        from
      }
      customFields {
        date1
        integer1
      }
    }
    flexDb(id: "products") {
      schema
    }
  }
`);
type Client = NonNullable<ResultOf<typeof client>['client']>;

test('scalars are what stands in JSON', () => {
  expectTypeOf<Client['discount']>().toEqualTypeOf<string | null>(); // Decimal
  expectTypeOf<Client['createdAt']>().toEqualTypeOf<string | null>(); // DateTime
  expectTypeOf<Client['payments']['from']>().toEqualTypeOf<string | null>(); // DateOrDateTime
  expectTypeOf<Client['customFields']['date1']>().toEqualTypeOf<string | null>(); // Date
  expectTypeOf<Client['customFields']['integer1']>().toEqualTypeOf<number | null>(); // SafeInt
  type Db = NonNullable<ResultOf<typeof client>['flexDb']>;
  expectTypeOf<Db['schema']>().toEqualTypeOf<Record<string, unknown> | null>(); // JSONObject
  type Match = VariablesOf<typeof search>['filter'][number]['is'];
  expectTypeOf<Extract<Match, { equals: unknown }>['equals']>().toBeUnknown(); // JSON
});

test('every custom scalar of the schema is mapped', () => {
  // gql.tada says nothing of one that is not: it becomes `unknown`.
  type Scalar = { [Name in keyof introspection_types]: unknown extends introspection_types[Name] ? Name : never };
  type Custom = Exclude<Scalar[keyof Scalar], 'Boolean' | 'Float' | 'ID' | 'Int' | 'String'>;
  expectTypeOf<keyof Scalars>().toEqualTypeOf<Custom>();
});

const search = graphql(`
  query Search($filter: [FlexFilter!]!) {
    flexDb(id: "products") {
      search(filter: $filter) {
        nodes {
          id
        }
      }
    }
  }
`);

test('enums are unions of their values', () => {
  expectTypeOf<Client['kind']>().toEqualTypeOf<'BUYER' | 'SELLER' | null>();
  expectTypeOf<VariablesOf<typeof dealsQuery>>({ first: 5, orderBy: [{ field: 'PRICE' }, { field: 'NAME' }] });
  // @ts-expect-error: no such direction
  expectTypeOf<VariablesOf<typeof dealsQuery>>({ first: 5, orderBy: [{ field: 'PRICE', direction: 'UP' }] });
});

test('a result union narrows by __typename', () => {
  const result = {} as Result;
  type Refusal = 'ConflictError' | 'ForbiddenError' | 'NotFoundError' | 'ValidationError';
  expectTypeOf(result.__typename).toEqualTypeOf<'Deal' | Refusal>();
  // @ts-expect-error: only a refused input has fields
  void result.fields;
  if (result.__typename === 'ValidationError') {
    expectTypeOf(result.fields).toEqualTypeOf<{ field: string; messages: string[] }[]>();
  }
});

test('a fragment is masked', () => {
  const deal = {} as Deal;
  // @ts-expect-error: the price is for who reads the fragment
  void deal.price;
  expectTypeOf(deal.id).toEqualTypeOf<string>();
  expectTypeOf(deal).toExtend<Parameters<typeof line>[0]>();
});

test('variables are checked', () => {
  expectTypeOf<VariablesOf<typeof createDealMutation>>({ input: { name: 'Lathe', price: '1900.00' } });
  // @ts-expect-error: a decimal is a text
  expectTypeOf<VariablesOf<typeof createDealMutation>>({ input: { price: 1900 } });
  // @ts-expect-error: the page size is missing
  expectTypeOf<VariablesOf<typeof dealsQuery>>({});
});

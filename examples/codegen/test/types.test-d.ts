import { type Outcome, outcomeOf } from 'trivium-kits/outcome';
import { expectTypeOf, test } from 'vitest';
import {
  type ApiTokenKind,
  type ClientInput,
  ClientPageDocument,
  type ClientPageQuery,
  type ClientsQuery,
  CreateAccountDocument,
  CreateClientDocument,
  CreateClientsDocument,
  CreateContactListDocument,
  CreateDealDocument,
  type CreateDealMutation,
  CreateTaskDocument,
  type CreateTaskMutation,
  type CreateTrackerTaskInput,
  type DashboardSelection,
  FlexDbsDocument,
  type FlexMatch,
  type PostKind,
  type RefusalFragment,
  SearchFlexDbDocument,
  type SearchFlexDbQuery,
  type TaskFragment,
  TasksDocument,
  UpdateTaskDocument,
} from '../generated/graphql.ts';
import {
  ClientsDocument as ThrowingClientsDocument,
  type ClientsQuery as ThrowingClientsQuery,
  type CreateDealMutation as ThrowingCreateDealMutation,
} from '../generated/throwing/graphql.ts';
import { dataOf, type Execute } from '../src/client.ts';
import { outcomesOf } from '../src/outcomes.ts';
import { accepted } from '../src/results.ts';

declare const execute: Execute;
type Client = NonNullable<ClientPageQuery['client']>;
/** The row of a list: null beside an error only. */
type RowOf<TList> = NonNullable<NonNullable<TList> extends readonly (infer TRow)[] ? TRow : never>;
type Row = RowOf<NonNullable<ClientsQuery['clients']>['nodes']>;
type FlexRow = RowOf<NonNullable<NonNullable<SearchFlexDbQuery['flexDb']>['search']>['nodes']>;

test('scalars are what stands in JSON', () => {
  expectTypeOf<Client['discount']>().toEqualTypeOf<string | null>(); // Decimal
  expectTypeOf<Client['customFields']['date1']>().toEqualTypeOf<string | null>(); // Date
  expectTypeOf<Client['customFields']['integer1']>().toEqualTypeOf<number | null>(); // SafeInt
  expectTypeOf<Client['payments']['from']>().toEqualTypeOf<string | null>(); // DateOrDateTime
  expectTypeOf<Row['avatar']['fileSize']>().toEqualTypeOf<number | null>();
  expectTypeOf<FlexRow['createdAt']>().toEqualTypeOf<string | null>(); // DateTime
  expectTypeOf<FlexRow['data']>().toEqualTypeOf<Record<string, unknown> | null>(); // JSONObject
  expectTypeOf<Extract<FlexMatch, { equals: unknown }>['equals']>().toBeUnknown(); // JSON
});

test('enums are unions of their values', () => {
  expectTypeOf<ApiTokenKind>().toEqualTypeOf<'API' | 'WEB'>();
  expectTypeOf<PostKind>().toEqualTypeOf<'ERROR' | 'PRAISE' | 'PRIVATE' | 'QUESTION' | 'SUGGESTION'>();
  // @ts-expect-error: no such kind
  expectTypeOf<ClientInput>({ kind: 'CUSTOMER' });
});

test('a result union narrows by __typename', () => {
  const result = {} as NonNullable<CreateDealMutation['createDeal']>;
  type Refusal = Exclude<RefusalFragment, { __typename: 'NotAttempted' }>; // only an item of a bulk mutation is that
  expectTypeOf(result.__typename).toEqualTypeOf<'Deal' | Refusal['__typename']>();
  // @ts-expect-error: only a deal has a price
  void result.price;
  if (result.__typename === 'Deal') expectTypeOf(result.price).toEqualTypeOf<string | null>();
  if (result.__typename === 'ValidationError')
    expectTypeOf(result.fields[0]?.messages).toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf(accepted(result)).toEqualTypeOf<Extract<typeof result, { __typename: 'Deal' }>>();
  expectTypeOf<Exclude<typeof result, { __typename: 'Deal' }>>().toEqualTypeOf<Refusal>();
});

test('a client that throws errors needs no check where a null comes with an error only', () => {
  const clients = {} as ThrowingClientsQuery['clients'];
  expectTypeOf(clients.nodes[0]).toEqualTypeOf<Row | undefined>(); // an index may be beyond the end
  expectTypeOf(clients.nodes).items.toEqualTypeOf<Row>();
  expectTypeOf<Row['name']>().toEqualTypeOf<string | null>(); // upstream may have none
  expectTypeOf<null>().not.toExtend<ThrowingCreateDealMutation['createDeal']>();
  expectTypeOf<null>().toExtend<CreateDealMutation['createDeal']>();
  const sent = execute(ThrowingClientsDocument, { first: 5 });
  expectTypeOf(dataOf(sent)).resolves.toEqualTypeOf<ThrowingClientsQuery>();
});

test('the outcome of a mutation has the record of its success', async () => {
  const one = await execute(CreateContactListDocument, { name: 'Fair' });
  expectTypeOf(outcomeOf(one)).toEqualTypeOf<Outcome<{ readonly __typename: 'ContactList'; readonly id: string }>>();
  const several = await execute(CreateClientsDocument, { inputs: [] });
  expectTypeOf(outcomesOf(several, ({ createClients }) => createClients, 0)).items.toEqualTypeOf<
    Outcome<{ readonly __typename: 'Client'; readonly id: string; readonly name: string | null }>
  >();
});

test('of a @oneOf input exactly one field is given', () => {
  expectTypeOf<DashboardSelection>({ layout: 'BUILTIN' });
  // @ts-expect-error: two
  expectTypeOf<DashboardSelection>({ layout: 'BUILTIN', dashboard: '1' });
  // @ts-expect-error: none
  expectTypeOf<DashboardSelection>({});
});

test('variables are checked, and left out where all are optional', () => {
  void execute(FlexDbsDocument);
  void execute(SearchFlexDbDocument, { db: 'products', sort: { field: 'price', direction: 'DESC' } });
  // @ts-expect-error: the id is missing
  void execute(ClientPageDocument);
  // @ts-expect-error: a decimal is a text
  void execute(CreateDealDocument, { input: { price: 19.9 } });
  // @ts-expect-error: a field that clients lack
  void execute(CreateClientDocument, { input: { surname: 'Nowak' } });
  // @ts-expect-error: without a password
  void execute(CreateAccountDocument, { input: { prefix: 'shop', user: { login: 'ada', email: 'ada@shop.example' } } });
  expectTypeOf(execute(ClientPageDocument, { id: 'Client:1' }))
    .resolves.toHaveProperty('data')
    .toEqualTypeOf<ClientPageQuery | null | undefined>();
});

test('a typed table has the types of its definition', () => {
  expectTypeOf<TaskFragment>().toEqualTypeOf<{
    readonly id: string;
    readonly title: string | null;
    readonly status: string | null;
    readonly assignee: string | null;
    readonly priority: number | string | null; // BigInt
    readonly estimate: string | null; // Decimal
    readonly done: boolean | null;
    readonly dueAt: string | null; // DateTime
  }>();
  const result = {} as NonNullable<CreateTaskMutation['createTrackerTask']>;
  if (result.__typename === 'TrackerTask') expectTypeOf(result.priority).toEqualTypeOf<number | string | null>();
});

test('inputs of a typed table are checked', () => {
  void execute(CreateTaskDocument, { input: { title: 'Oil', status: 'open', priority: 1, extra: { wood: 'oak' } } });
  // @ts-expect-error: without the required status
  void execute(CreateTaskDocument, { input: { title: 'Oil' } });
  // @ts-expect-error: a required value is not null
  void execute(CreateTaskDocument, { input: { title: 'Oil', status: null } });
  // @ts-expect-error: a decimal is a text
  void execute(CreateTaskDocument, { input: { title: 'Oil', status: 'open', estimate: 1.5 } });
  // @ts-expect-error: the field is called dueAt
  expectTypeOf<CreateTrackerTaskInput>({ title: 'Oil', status: 'open', due_at: '2026-03-01' });
  void execute(UpdateTaskDocument, { id: 'TrackerTask:1', input: { done: true } });
  void execute(TasksDocument, { first: 5, filter: { title: { matches: 'Oil*' } }, orderBy: { field: 'PRIORITY' } });
  // @ts-expect-error: a text is equal, or matches
  void execute(TasksDocument, { first: 5, filter: { title: { matches: 'Oil*', equals: 'Oil' } } });
  // @ts-expect-error: no field to order by
  void execute(TasksDocument, { first: 5, orderBy: { field: 'COLOUR' } });
});

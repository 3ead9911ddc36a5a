import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { assert, beforeAll, expect, test } from 'vitest';
import { startTrivium } from '../../trivium.ts';
import * as documents from '../generated/graphql.ts';
import manifest from '../generated/persisted-documents.json' with { type: 'json' };
import { connect, type Execute } from '../src/client.ts';
import { everyClient } from '../src/pages.ts';
import { accepted, Refused, summary, title } from '../src/results.ts';
import { openTasks, taskLine } from '../src/tasks.ts';

const flexSchema = fileURLToPath(new URL('../flex.schema.json', import.meta.url));
let execute: Execute;
const ran = new Set<string>();

beforeAll(async () => {
  const { url, onLog, close } = await startTrivium(['serve'], { LOG_LEVEL: 'warn', FLEX_SCHEMA: flexSchema });
  onLog(console.error);
  const login = connect(url, { token: 'demo-admin', forum: { login: 'demo', password: 'demo' } });
  execute = (document, ...variables) => {
    ran.add(String(document.__meta__?.['hash']));
    return login(document, ...variables);
  };
  return close;
});

/** The data of an operation that has no errors. */
const run = async <TData, TVariables>(...operation: Parameters<typeof execute<TData, TVariables>>): Promise<TData> => {
  const { data, errors } = await execute(...operation);
  expect(errors).toBeUndefined();
  assert(data);
  return data;
};

/** What is there: upstream may be down, so most fields may be null. */
function present<T>(value: T | null | undefined): T {
  assert(value !== null && value !== undefined);
  return value;
}

/** The rows of a list. One that could not be shown is null, and there is an error. */
function rows<T>(list: readonly (T | null)[] | null | undefined): T[] {
  return present(list).map(present);
}

test('account: API tokens', async () => {
  const { createApiToken } = await run(documents.CreateApiTokenDocument, { input: { name: 'Import', kind: 'API' } });
  const { token, apiToken } = accepted(present(createApiToken));
  const { id } = present(apiToken);
  expect(token).not.toBe('');

  const { apiTokens } = await run(documents.ApiTokensDocument);
  expect(apiTokens).toContainEqual(expect.objectContaining({ id, name: 'Import', kind: 'API' }));

  const { deleteApiToken } = await run(documents.DeleteApiTokenDocument, { id });
  expect(accepted(present(deleteApiToken)).deleted).toBe(true);
});

test('account: dashboards', async () => {
  const input = { name: 'My week', layout: [{ key: 'tasks', size: 'HALF', config: { scope: 'MINE' } }] } as const;
  const { createDashboard } = await run(documents.CreateDashboardDocument, { input });
  const { id, layout } = accepted(present(createDashboard));
  expect(layout).toMatchObject([{ kind: 'TASKS', size: 'HALF', config: { scope: 'MINE' } }]);

  const { displayedDashboard } = await run(documents.DisplayedDashboardDocument, { context: 'MAIN' });
  expect(displayedDashboard?.current?.id).toBe(id);

  const { selectDashboard } = await run(documents.SelectDashboardDocument, {
    context: 'MAIN',
    selection: { layout: 'BUILTIN' },
  });
  expect(accepted(present(selectDashboard)).current).toBeNull();

  const { updateDashboard } = await run(documents.UpdateDashboardDocument, { id, input: { name: 'Weeks' } });
  expect(accepted(present(updateDashboard))).toMatchObject({ id, name: 'Weeks' });
  const { dashboards } = await run(documents.DashboardsDocument);
  expect(dashboards).toContainEqual(expect.objectContaining({ id, name: 'Weeks', shared: false }));
  const { deleteDashboard } = await run(documents.DeleteDashboardDocument, { id, context: 'MAIN' });
  expect(accepted(present(deleteDashboard))).toMatchObject({ deletedId: id, displayedDashboard: { current: null } });
});

test('flex: databases, records and search', async () => {
  const { flexDbs } = await run(documents.FlexDbsDocument);
  const products = present(flexDbs?.find(({ code }) => code === 'products'));

  const page = async (after: string | null) => {
    const { flexDb } = await run(documents.SearchFlexDbDocument, {
      db: products.id,
      filter: [{ field: 'category', is: { equals: 'Kitchen' } }],
      sort: { field: 'price', direction: 'DESC' },
      first: 10,
      after,
    });
    return present(flexDb?.search);
  };
  const first = await page(null);
  const second = await page(first.pageInfo.endCursor);
  const prices = [first, second].flatMap(({ nodes }) => rows(nodes).map(({ data }) => Number(data?.['price'])));
  expect(prices.length).toBeGreaterThan(10);
  expect(prices).toEqual(prices.toSorted((one, other) => other - one));

  const created = await run(documents.CreateFlexRecordDocument, {
    db: products.id,
    input: { data: { name: 'Stool', sku: 'ST-1', category: 'Kitchen' } },
  });
  const { id } = accepted(present(created.createFlexRecord));
  const { updateFlexRecord } = await run(documents.UpdateFlexRecordDocument, {
    id,
    input: { data: { price: 49.5 }, merge: true },
  });
  expect(accepted(present(updateFlexRecord)).data).toMatchObject({ name: 'Stool', price: 49.5 });
  const { node } = await run(documents.FlexRecordDocument, { id });
  assert(node?.__typename === 'FlexRecord');
  expect(node.data?.['price']).toBe(49.5);
  const { deleteFlexRecord } = await run(documents.DeleteFlexRecordDocument, { id });
  expect(accepted(present(deleteFlexRecord)).deletedId).toBe(id);
});

test('flex: a table with a type of its own', async () => {
  const tasks = await openTasks(execute, 'Jan Żak');
  expect(tasks.length).toBeGreaterThan(2);
  expect(tasks.every(({ status, assignee }) => status === 'open' && assignee === 'Jan Żak')).toBe(true);
  const dueAt = '2026-03-01T08:00:00.000Z';

  const input = { title: 'Oil the bench', status: 'open', priority: '9007199254740993', estimate: '1.50', dueAt };
  const { createTrackerTask } = await run(documents.CreateTaskDocument, { input });
  const task = accepted(present(createTrackerTask));
  expect(task).toMatchObject({ ...input, estimate: '1.5' });
  expect(taskLine(task)).toBe('Oil the bench, priority 9007199254740993, 1.5 hours, due 3/1/2026');

  const { updateTrackerTask } = await run(documents.UpdateTaskDocument, {
    id: task.id,
    input: { priority: 2, done: true },
  });
  expect(accepted(present(updateTrackerTask))).toMatchObject({ title: 'Oil the bench', priority: 2, done: true });
  const { tracker } = await run(documents.TaskDocument, { id: task.id });
  expect(tracker?.task).toMatchObject({ id: task.id, done: true, extra: {} });
  const { deleteTrackerTask } = await run(documents.DeleteTaskDocument, { id: task.id });
  expect(accepted(present(deleteTrackerTask)).deletedId).toBe(task.id);
});

test('flex: public methods with types of their own', async () => {
  const { createPublicGuestbookRow } = await run(documents.SignGuestbookDocument, {
    input: { message: 'Good chairs.' },
  });
  expect(accepted(present(createPublicGuestbookRow))).toMatchObject({ text: 'Good chairs.', author: 'Anonymous' });
  const { publicGuestbook } = await run(documents.GuestbookEntriesDocument, { first: 5 });
  expect(publicGuestbook.list?.nodes).toEqual([]); // the entries of a visitor, who is known by a cookie
});

test('flex: public methods', async () => {
  const code = `poll-${randomUUID()}`;
  const operations = ['LIST', 'GET', 'CREATE', 'UPDATE', 'DELETE', 'SEARCH'] as const;
  const fields = [{ name: 'answer', type: 'STRING' }] as const;
  const { createFlexDb } = await run(documents.CreateFlexDbDocument, {
    input: {
      name: 'Poll',
      code,
      schema: { table: { fields, indexedFields: ['answer'] } },
      publicMethods: operations.map((operation) => ({ operation })),
    },
  });
  const db = accepted(present(createFlexDb));
  assert(db.__typename === 'FlexDb'); // a plan answers `dryRun` alone
  expect(db.publicMethods?.map(({ operation }) => operation)).toEqual(operations);

  const { createPublicFlexRecord } = await run(documents.CreatePublicRecordDocument, { code, data: { answer: 'oak' } });
  const { id } = accepted(present(createPublicFlexRecord));
  const data = { answer: 'ash' };
  const { updatePublicFlexRecord } = await run(documents.UpdatePublicRecordDocument, { code, id, data });
  expect(accepted(present(updatePublicFlexRecord)).data).toEqual(data);
  const { publicFlexDb: one } = await run(documents.PublicRecordDocument, { code, id });
  expect(one.get).toEqual({ id, data });
  const { publicFlexDb: all } = await run(documents.PublicRecordsDocument, { code, first: 5 });
  expect(all.list?.nodes).toEqual([{ id, data }]);
  const { publicFlexDb: found } = await run(documents.SearchPublicRecordsDocument, { code, query: 'ash' });
  expect(found.search?.nodes).toEqual([{ id, data }]);
  const { deletePublicFlexRecord } = await run(documents.DeletePublicRecordDocument, { code, id });
  expect(accepted(present(deletePublicFlexRecord)).deletedId).toBe(id);

  const { deleteFlexDb } = await run(documents.DeleteFlexDbDocument, { id: db.id });
  expect(accepted(present(deleteFlexDb)).deletedId).toBe(db.id);
});

test('CRM: clients, page by page', async () => {
  const filter = { kinds: ['BUYER'] } as const;
  const { clients } = await run(documents.ClientsDocument, { first: 1, filter });
  const ids = new Set<string>();
  for await (const { id, kind } of everyClient(execute, filter)) {
    expect(kind).toBe('BUYER');
    ids.add(id);
  }
  expect(ids.size).toBe(present(clients).totalCount);
  expect(ids.size).toBeGreaterThan(100);
});

test('CRM: a client with its contact, a deal and a post', async () => {
  const { createContact } = await run(documents.CreateContactDocument, { input: { firstName: 'Ada', phone: '123' } });
  const contact = accepted(present(createContact));
  const { contact: read } = await run(documents.ContactDocument, { id: contact.id });
  expect(read).toMatchObject({ firstName: 'Ada', lastName: null });

  const { createClient } = await run(documents.CreateClientDocument, {
    input: { name: 'Turnery', kind: 'BUYER', contactId: contact.id, externalIds: [{ system: 'shop', value: '7' }] },
  });
  expect(summary(present(createClient))).toBe('Client Turnery was created.');
  const client = accepted(present(createClient));
  const { createClients } = await run(documents.CreateClientsDocument, { inputs: [{ name: 'A' }, { name: 'B' }] });
  expect(createClients?.map((one) => accepted(present(one)).name)).toEqual(['A', 'B']);
  const { updateClient } = await run(documents.UpdateClientDocument, { id: client.id, input: { discount: '2.50' } });
  expect(accepted(present(updateClient)).discount).toBe('2.50');

  const externalIds = [{ system: 'shop', value: 'D-7' }];
  const { createDeal } = await run(documents.CreateDealDocument, {
    input: { name: 'Lathe', price: '1900.00', clientId: client.id, externalIds },
  });
  const deal = accepted(present(createDeal));
  const { createPost } = await run(documents.CreatePostDocument, {
    input: { title: 'Which lathe?', content: 'The long one?', kind: 'QUESTION', clientId: client.id },
  });
  const post = accepted(present(createPost));
  const { addPostComment } = await run(documents.AddPostCommentDocument, {
    post: post.id,
    input: { content: 'The short one.' },
  });
  expect(accepted(present(addPostComment)).parent?.id).toBe(post.id);
  const { post: thread } = await run(documents.PostThreadDocument, { id: post.id });
  expect(thread?.comments).toMatchObject({ totalCount: 1, nodes: [{ content: 'The short one.' }] });

  const { client: page } = await run(documents.ClientPageDocument, { id: client.id });
  expect(page).toMatchObject({ contact: { phone: '123' }, externalId: '7' });
  expect(page?.deals?.nodes).toEqual([{ id: deal.id, name: 'Lathe', price: '1900.00', externalIds }]);
  expect(rows(page?.posts?.nodes).map(({ id }) => id)).toContain(post.id);

  const { deleteDeal } = await run(documents.DeleteDealDocument, { id: deal.id });
  expect(accepted(present(deleteDeal)).deletedId).toBe(deal.id);
  const { deleteClient } = await run(documents.DeleteClientDocument, { id: client.id });
  expect(accepted(present(deleteClient)).deletedId).toBe(client.id);
});

test('CRM: posts, deals, contact lists and accounts', async () => {
  const { posts } = await run(documents.PostsDocument, {
    first: 3,
    filter: { tags: ['oak'] },
    orderBy: [{ field: 'PRIORITY' }, { field: 'CREATED_AT', direction: 'DESC' }],
  });
  expect(rows(posts?.nodes).every(({ tags }) => tags?.includes('oak'))).toBe(true);
  const { deals } = await run(documents.DealsDocument, { first: 2, filter: { price: { min: '1000' } } });
  expect(rows(deals?.edges).every(({ node }) => Number(node?.price) >= 1000)).toBe(true);

  const { createContactList } = await run(documents.CreateContactListDocument, { name: 'Fair' });
  const { id } = accepted(present(createContactList));
  const { contactList } = await run(documents.ContactListDocument, { id });
  expect(contactList).toEqual({ id, name: 'Fair' });

  const { createAccount } = await run(documents.CreateAccountDocument, {
    input: { prefix: 'turnery', user: { login: 'ada', email: 'ada@turnery.example', password: 'a long secret' } },
  });
  expect(accepted(present(createAccount)).prefix).toBe('turnery');
});

test('the forum', async () => {
  const { forumMe, forumPosts } = await run(documents.ForumFrontDocument, { order: 'new' });
  expect(forumMe?.login).toBe('demo');
  expect(forumPosts?.nodes).toHaveLength(20);
  const { endCursor: after } = present(forumPosts).pageInfo;
  const { forumPosts: next } = await run(documents.ForumFrontDocument, { order: 'new', after });
  expect(next?.nodes).not.toEqual(forumPosts?.nodes);
  const { forumCategories } = await run(documents.ForumCategoriesDocument);

  const { createForumPost } = await run(documents.CreateForumPostDocument, {
    input: { title: 'Oil', content: 'Sell oil.' },
  });
  const { id } = accepted(present(createForumPost));
  const { forumPost } = await run(documents.ForumThreadDocument, { id });
  expect(forumPost).toMatchObject({ title: 'Oil', category: present(forumCategories)[0], post: { title: 'Oil' } });
  const { deleteForumPost } = await run(documents.DeleteForumPostDocument, { id });
  expect(accepted(present(deleteForumPost)).deletedIds).toContain(id);
});

test('every API at once', async () => {
  const { search } = await run(documents.SearchDocument, { text: 'oak', first: 20 });
  const { nodes, failures } = present(search);
  expect(failures).toEqual([]);
  const hits = rows(nodes);
  expect(new Set(hits.map(({ __typename }) => __typename))).toContain('FlexRecord');
  expect(hits.map(title)).not.toContain('');

  const everything = await run(documents.EverythingDocument, { publicDb: 'guestbook' });
  expect(everything.displayedDashboard?.layout).not.toHaveLength(0);
  expect(everything.deals?.nodes).toHaveLength(2);
  expect(everything.forumPosts?.nodes).toHaveLength(5);
});

test('a refusal is data, with the fields to mark', async () => {
  const { createClient } = await run(documents.CreateClientDocument, { input: { name: 'Ada', email: 'nobody' } });
  expect(() => accepted(present(createClient))).toThrow(Refused);
  expect(summary(present(createClient))).toMatch(/^email: /);
});

test('every operation of the manifest has been run', () => {
  expect([...ran].sort()).toEqual(Object.keys(manifest).sort());
});

import { insertDashboard } from '../account/stored-dashboards.ts';
import { createApplication } from '../account/flex-applications.ts';
import { normalizeLayout } from '../account/layouts.ts';
import { publicPasswordHash } from '../account/secrets.ts';
import { standardLayouts } from '../account/standard-layouts.ts';
import { issueToken } from '../account/stored-tokens.ts';
import { createUser } from '../account/users.ts';
import { insertContactList } from '../crm/contact-lists.ts';
import { insertContact } from '../crm/contacts.ts';
import { insertClient } from '../crm/stored-clients.ts';
import { insertDeal } from '../crm/stored-deals.ts';
import { insertPost } from '../crm/stored-posts.ts';
import { insertDatabase, placeOf } from '../flex/stored-databases.ts';
import { insertRecord } from '../flex/stored-records.ts';
import { findTableByName, validateData } from '../flex/validation.ts';
import { createCategory } from '../forum/stored-categories.ts';
import { isJsonObject } from '../json-object.ts';
import { HttpError } from '../responses.ts';
import { createDemoAccount, createDemoUsers } from '../seed.ts';
import type { SandboxServices } from '../services.ts';
import { SeedFileError } from './error.ts';
import { withIds } from './ids.ts';
import type { SeedDocument } from './shape.ts';

interface Author {
  readonly accountId: number;
  readonly userId: number;
  readonly name: string;
}

/** The arguments of all filling functions. */
interface Filling extends SandboxServices {
  readonly accountId: number;
  /** The user with an id, or the first one. Without users nothing of theirs can be created. */
  readonly author: (id: number | undefined, path: string) => Author;
}

/**
 * Fills an empty store with the records of a document that has no conflicts, in the transaction of its caller.
 *
 * @throws SeedFileError
 */
export function fillFrom(services: SandboxServices, document: SeedDocument): void {
  const { store } = services;
  store.run('PRAGMA defer_foreign_keys = ON'); // a post may refer to a later one
  const accountId = createDemoAccount(store);
  const authors = document.users ? fillUsers(services, accountId, document.users) : demoAuthors(services, accountId);
  const author: Filling['author'] = (id, path) => {
    const found = authors.find(({ userId }) => id === undefined || userId === id);
    if (!found) throw new SeedFileError(`${path} needs a user`);
    return found;
  };
  const filling = { ...services, accountId, author };
  fillAccount(filling, document);
  fillPeople(filling, document);
  fillPosts(filling, document);
  document.flexDbs.forEach((database, index) => fillDatabase(filling, database, `flexDbs[${index}]`));
}

function demoAuthors(services: SandboxServices, accountId: number): Author[] {
  return Object.values(createDemoUsers(services, accountId));
}

function fillUsers(
  { store, now }: SandboxServices,
  account: number,
  users: NonNullable<SeedDocument['users']>,
): Author[] {
  return withIds(users, (user) => user.id).map(({ id, member: { password, token, ...user } }) => {
    const hash = password === undefined ? {} : { passwordHash: publicPasswordHash(password) };
    const userId = createUser(store, { ...user, ...hash, id, account }, now());
    const author = { accountId: account, userId, name: user.name };
    if (token !== undefined) issueToken(store, author, { name: 'Seed' }, token);
    return author;
  });
}

function fillAccount({ store, now, accountId, author }: Filling, document: SeedDocument): void {
  document.apiTokens.forEach(({ own, fields }, index) =>
    issueToken(store, author(own.user_id, `apiTokens[${index}]`), fields, own.token),
  );
  for (const application of document.flexApplications) createApplication(store, { ...application, account: accountId });
  for (const [index, { id, member }] of withIds(document.dashboards, ({ own }) => own.id).entries()) {
    const { own, fields } = member;
    const path = `dashboards[${index}]`;
    const given = fields.layout ?? standardLayouts[fields.context];
    const layout = locateErrors(path, () => normalizeLayout(store, accountId, given));
    const dashboard = { ...fields, id, layout, updated_at: now().toISOString() };
    insertDashboard(store, author(own.user_id, path), dashboard);
  }
}

function fillPeople({ store, now, accountId, author }: Filling, document: SeedDocument): void {
  for (const { id, member } of withIds(document.contacts, ({ own }) => own.id)) {
    insertContact(store, { accountId }, member.fields, member.own.created_at ?? now(), id);
  }
  for (const { id, member } of withIds(document.contactLists, ({ own }) => own.id)) {
    insertContactList(store, { accountId }, member.fields.name, member.own.created_at ?? now(), id);
  }
  for (const [index, { id, member }] of withIds(document.clients, ({ own }) => own.id).entries()) {
    const creator = author(member.own.creator_id, `clients[${index}]`);
    insertClient(store, creator, member.fields, member.own.created_at ?? now(), id);
  }
  for (const { id, member } of withIds(document.deals, ({ own }) => own.id)) {
    insertDeal(store, { accountId }, member.fields, member.own.created_at ?? now(), id);
  }
}

/** Suggestions of the forum are posts: both share their ids. */
function fillPosts({ store, now, accountId, author }: Filling, document: SeedDocument): void {
  const categories = withIds(document.forumCategories, (category) => category.id);
  for (const { id, member } of categories) createCategory(store, accountId, member.name, id);
  const posts = document.posts.map(({ own: { id, user_id, created_at, ...own }, fields }, index) => {
    return { id, user_id, created_at, fields: { ...fields, ...own }, path: `posts[${index}]` };
  });
  const suggestions = document.forumPosts.map(({ id, user_id, created_at, ...fields }, index) => {
    const path = `forumPosts[${index}]`;
    const category_id = fields.category_id ?? categories[0]?.id;
    if (category_id === undefined) throw new SeedFileError(`${path} needs one of forumCategories`);
    const suggestion = { ...fields, category_id, kind: 'suggestion', task_kind: 'idea' };
    return { id, user_id, created_at, fields: suggestion, path };
  });
  for (const { id, member } of withIds([...posts, ...suggestions], (post) => post.id)) {
    insertPost(store, author(member.user_id, member.path), member.fields, member.created_at ?? now(), id);
  }
}

function fillDatabase(filling: Filling, { own, fields }: SeedDocument['flexDbs'][number], path: string): void {
  const { store, now, accountId } = filling;
  const place = placeOf(insertDatabase(filling, { accountId }, fields, own.id));
  for (const [index, { id, table_name = null, data, created_at = now() }] of own.records.entries()) {
    const valid = locateErrors(`${path}.records[${index}]`, () =>
      validateData(findTableByName(place.schema, table_name || null), data),
    );
    insertRecord(store, place, { table_name: table_name || null, data: valid }, created_at, id);
  }
}

/** Names the record whose fields an API would refuse with 422. */
function locateErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const body: unknown = JSON.parse(error.response.body);
    const errors = isJsonObject(body) && isJsonObject(body['errors']) ? body['errors'] : {};
    const [[field, messages] = ['', 'is invalid']] = Object.entries(errors);
    throw new SeedFileError(`${path}.${field} ${[messages].flat().join(', ')}`, { cause: error });
  }
}

import { z } from 'zod';
import { tokenFields } from '../account/api-tokens.ts';
import { dashboardFields } from '../account/dashboards.ts';
import { normalizeLogin, permissionNames } from '../account/users.ts';
import { bool, text } from '../body.ts';
import { clientFields } from '../crm/client-fields.ts';
import { contactListFields } from '../crm/contact-lists.ts';
import { contactFields } from '../crm/contacts.ts';
import { dealFields } from '../crm/deals.ts';
import { isBlank } from '../crm/field-types.ts';
import { postFields } from '../crm/post-fields.ts';
import { convertTo } from '../field-types.ts';
import { databaseFields } from '../flex/databases.ts';
import { exactObject, unknownFields } from '../issues.ts';
import { isJsonObject, type JsonObject, jsonObjectInput } from '../json-object.ts';

const notAnId = 'must be a whole number of 1 or more';
const id = z.int(notAnId).min(1, notAnId).exactOptional();
const uuid = z.guid('must be a uuid').toLowerCase().exactOptional();
const count = z.int('must be a whole number').exactOptional();
const filled = text.refine((value) => !isBlank(value), "can't be blank");
const token = z.string('must be a string').regex(/^[\w.~+/=-]{1,200}$/, 'must be 1 to 200 letters, digits and -._~+/=');

const instant = z
  .unknown()
  .transform((value, context) => {
    const utc = convertTo('datetime', value);
    if (typeof utc === 'string') return new Date(utc);
    context.addIssue({ code: 'custom', message: 'must be a date and a time' });
    return z.NEVER;
  })
  .exactOptional();

const user = exactObject({
  id,
  name: filled,
  permissions: z
    .array(z.enum(permissionNames, `must be one of ${permissionNames.join(', ')}`), 'must be a list of permissions')
    .default([]),
  token: token.exactOptional(),
  login: filled.transform(normalizeLogin).exactOptional(),
  password: text.min(1, "can't be blank").exactOptional(),
  email: text.exactOptional(),
  description: text.exactOptional(),
  www: text.exactOptional(),
}).refine(
  ({ login, password }) => (login === undefined) === (password === undefined),
  'must have both login and password, or neither',
);

const flexRecord = exactObject({
  id: uuid,
  table_name: text.nullable().exactOptional(),
  data: jsonObjectInput,
  created_at: instant,
});

const forumPost = exactObject({
  id,
  title: filled,
  content: text.nullable().exactOptional(),
  category_id: id,
  client_id: id,
  user_id: id,
  votes_cache: count,
  created_at: instant,
});

/** A record of a seed file: the fields that a request may hold, as they are validated in one, beside some of its own. */
function record<Own extends z.ZodRawShape, Fields>(
  own: Own,
  fields: z.ZodType<Fields>,
  names: readonly string[],
  isMissing: (given: JsonObject) => readonly string[] = () => [],
) {
  const known = [...Object.keys(own), ...names];
  const ownFields = z.object(own);
  return z.unknown().transform((value, context) => {
    const given = isJsonObject(value) ? value : {};
    const problem = (message: string, path: PropertyKey[] = []) => context.addIssue({ code: 'custom', message, path });
    if (given !== value) problem('must be an object');
    const unknown = Object.keys(given).filter((name) => !known.includes(name));
    if (unknown.length > 0) problem(unknownFields(unknown, known));
    for (const name of given === value ? isMissing(given) : []) problem("can't be blank", [name]);
    const [mine, rest] = [ownFields.safeParse(given), fields.safeParse(given)];
    for (const { path, message } of [...(mine.error?.issues ?? []), ...(rest.error?.issues ?? [])])
      problem(message, path);
    return mine.success && rest.success ? { own: mine.data, fields: rest.data } : z.NEVER;
  });
}

/** For `record`: requires fields to be filled. */
function blank(...names: string[]) {
  return (given: JsonObject) => names.filter((name) => isBlank(given[name]));
}

const namesOf = (fields: { readonly shape: object }) => Object.keys(fields.shape);
const list = <Member extends z.ZodType>(member: Member) => z.array(member, 'must be a list').default([]);

/** The contents of a seed file: a list of records for each resource. */
export const seedDocument = exactObject({
  users: z.array(user, 'must be a list').exactOptional(),
  apiTokens: list(record({ token, user_id: id }, tokenFields, namesOf(tokenFields))),
  flexApplications: list(exactObject({ id: uuid.unwrap(), name: filled, active: bool.default(true) })),
  dashboards: list(
    record({ id, user_id: id }, dashboardFields, namesOf(dashboardFields)).refine(
      ({ fields }) => fields.shared || !fields.is_default,
      'is_default is for company dashboards only: it needs shared',
    ),
  ),
  clients: list(
    record({ id, creator_id: id, created_at: instant }, clientFields, namesOf(clientFields), blank('name')),
  ),
  contacts: list(
    record({ id, created_at: instant }, contactFields, namesOf(contactFields), (given) =>
      blank('name', 'first_name', 'last_name')(given).length === 3 ? ['name'] : [],
    ),
  ),
  contactLists: list(record({ id, created_at: instant }, contactListFields, namesOf(contactListFields))),
  deals: list(record({ id, created_at: instant }, dealFields, namesOf(dealFields), blank('name'))),
  posts: list(
    record(
      {
        id,
        user_id: id,
        created_at: instant,
        closed: bool.exactOptional(),
        unread: bool.exactOptional(),
        votes_cache: count,
      },
      postFields,
      namesOf(postFields),
      (given) => (given['task_kind'] === 'comment' ? blank('content', 'post_id') : blank('title'))(given),
    ),
  ),
  flexDbs: list(
    record({ id: uuid, records: list(flexRecord) }, databaseFields, [
      'name',
      'code',
      'app_id',
      'schema',
      'public_methods',
    ]),
  ),
  forumCategories: list(exactObject({ id, name: filled })),
  forumPosts: list(forumPost),
});
export type SeedDocument = z.infer<typeof seedDocument>;

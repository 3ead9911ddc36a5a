import { pathText } from '../issues.ts';
import type { JsonObject } from '../json-object.ts';
import { withIds } from './ids.ts';
import type { SeedDocument } from './shape.ts';

type List = keyof SeedDocument;
type Path = readonly PropertyKey[];

/** A field of a record, with the path of the record in the file. */
interface Located {
  readonly path: Path;
  readonly field: string;
  readonly value: unknown;
}

interface Issue {
  readonly path: Path;
  readonly message: string;
}

/** Fields that no two records of these lists may have in common. */
const uniqueFields: readonly (readonly [field: string, ...lists: List[]])[] = [
  ['id', 'posts', 'forumPosts'],
  ['token', 'users', 'apiTokens'],
  ['login', 'users'],
  ['code', 'apiTokens'],
  ['integration_app_code', 'apiTokens'],
  ['code', 'flexDbs'],
  ['name', 'forumCategories'],
  ['id', 'users'],
  ['id', 'dashboards'],
  ['id', 'clients'],
  ['id', 'contacts'],
  ['id', 'contactLists'],
  ['id', 'deals'],
  ['id', 'flexDbs'],
  ['id', 'flexApplications'],
  ['id', 'forumCategories'],
];

/** Fields that hold the id of a record of other lists. */
const references: readonly (readonly [list: List, field: string, ...targets: List[]])[] = [
  ['apiTokens', 'user_id', 'users'],
  ['dashboards', 'user_id', 'users'],
  ['clients', 'creator_id', 'users'],
  ['clients', 'responsible_id', 'users'],
  ['clients', 'contact_id', 'contacts'],
  ['contacts', 'responsible_id', 'users'],
  ['deals', 'client_id', 'clients'],
  ['posts', 'user_id', 'users'],
  ['posts', 'responsible_id', 'users'],
  ['posts', 'client_id', 'clients'],
  ['posts', 'post_id', 'posts', 'forumPosts'],
  ['posts', 'duplicate_from_id', 'posts', 'forumPosts'],
  ['forumPosts', 'user_id', 'users'],
  ['forumPosts', 'client_id', 'clients'],
  ['forumPosts', 'category_id', 'forumCategories'],
];

/** The ids of the demo users, to whom records belong where the file has no users. */
const demoUserIds = [1, 2, 3];

/** The problems between the records of a file: a value that two of them have, and a reference to none of them. */
export function findConflicts(document: SeedDocument): Issue[] {
  const recordsOf = (list: List) => (document[list] ?? []).map(flatten);
  const valuesOf = (list: List, field: string) => locate([list], recordsOf(list), field);
  const idsOf = (lists: readonly List[]) => {
    if (lists[0] === 'users' && !document.users) return demoUserIds;
    return withIds(lists.flatMap(recordsOf), numberOf).map(({ id }) => id);
  };
  const flexRecords = document.flexDbs.flatMap(({ own }, index) =>
    locate(['flexDbs', index, 'records'], own.records, 'id'),
  );
  return [
    ...uniqueFields.flatMap(([field, ...lists]) => duplicates(lists.flatMap((list) => valuesOf(list, field)))),
    ...duplicates(flexRecords),
    ...references.flatMap(([list, field, ...targets]) => dangling(valuesOf(list, field), targets, idsOf(targets))),
  ];
}

/** The fields of a record, its own and those of a request together. */
function flatten(record: { readonly own?: object; readonly fields?: object }): JsonObject {
  return record.own && record.fields ? { ...record.fields, ...record.own } : { ...record };
}

/** The values of a field in the records that have one. */
function locate(path: Path, records: readonly JsonObject[], field: string): Located[] {
  return records.flatMap((record, index) => {
    const value = record[field] ?? null;
    return value === null ? [] : [{ path: [...path, index], field, value }];
  });
}

function numberOf({ id }: JsonObject): number | undefined {
  return typeof id === 'number' ? id : undefined;
}

function duplicates(values: readonly Located[]): Issue[] {
  const seen = new Map<unknown, Located>();
  return values.flatMap((located) => {
    const { path, field, value } = located;
    const before = seen.get(value);
    if (!before) seen.set(value, located);
    return before ? [{ path: [...path, field], message: `is that of ${pathText(before.path)}, too` }] : [];
  });
}

function dangling(values: readonly Located[], targets: readonly List[], ids: readonly number[]): Issue[] {
  const known = new Set<unknown>(ids);
  return values
    .filter(({ value }) => !known.has(value))
    .map(({ path, field }) => ({ path: [...path, field], message: `is no id of ${targets.join(' or ')}` }));
}

/** What a mutation asks of upstream. `change` concerns no record that has an id in the payload. */
export type Kind = 'create' | 'update' | 'delete' | 'change';

export interface Mutation {
  readonly field: string;
  readonly args: string;
  readonly kind: Kind;
  /** Whether it sends fields of a record that an answer could show. */
  readonly sendsFields: boolean;
  /** Whether its request, or that of a read of its record, names a key for the record. */
  readonly hasKey: boolean;
  /** Whether any key of its record may be a field that the caller has defined. */
  readonly isFlexible: boolean;
  /** How the record can be read once after a lost answer. A list proves no absence. */
  readonly look: 'none' | 'by id' | 'in a list';
}

const NAME = '{ name: "N" }';
const DATA = '{ name: "N" }';

const mutation = (field: string, args: string, kind: Kind, more: Partial<Mutation> = {}): Mutation => ({
  field,
  args,
  kind,
  sendsFields: kind === 'create' || kind === 'update',
  hasKey: true,
  isFlexible: /Flex(Record|Row)/.test(field),
  look: kind === 'update' || kind === 'delete' ? 'by id' : 'none',
  ...more,
});

/** Creation, change and deletion of records with a name, one at a time and several. The id of each is 11. */
function crm(type: string, plural: string, deletes: boolean): Mutation[] {
  return [
    mutation(`create${type}`, `(input: ${NAME})`, 'create'),
    mutation(`create${plural}`, `(inputs: [${NAME}])`, 'create'),
    mutation(`update${type}`, `(id: 11, input: ${NAME})`, 'update'),
    mutation(`update${plural}`, `(inputs: [{ id: 11, input: ${NAME} }])`, 'update'),
    ...(deletes
      ? [mutation(`delete${type}`, '(id: 11)', 'delete'), mutation(`delete${plural}`, '(ids: [11])', 'delete')]
      : []),
  ];
}

const inList = { look: 'in a list' } as const;
const RECORD = '"FlexRecord:11:11"';

/** Each mutation over JSON. */
export const jsonMutations: readonly Mutation[] = [
  ...crm('Client', 'Clients', true),
  ...crm('Deal', 'Deals', true),
  ...crm('Contact', 'Contacts', false),
  mutation('createContactList', '(name: "N")', 'create'),
  mutation('updateContactList', '(id: 11, name: "N")', 'update'),
  mutation('createPost', '(input: { title: "N" })', 'create'),
  mutation('createPosts', '(inputs: [{ title: "N" }])', 'create'),
  mutation('addPostComment', '(postId: 5, input: { content: "N" })', 'create'),
  mutation(
    'createAccount',
    '(input: { prefix: "N", user: { login: "N", email: "N", password: "long-enough" } })',
    'change',
  ),
  mutation('createApiToken', `(input: ${NAME})`, 'create'),
  mutation('updateApiToken', `(id: 11, input: ${NAME})`, 'update'),
  mutation('deleteApiToken', '(id: 11)', 'delete'),
  mutation('createDashboard', `(input: ${NAME})`, 'create'),
  mutation('updateDashboard', `(id: 11, input: ${NAME})`, 'update'),
  mutation('deleteDashboard', '(id: 11)', 'delete'),
  mutation('selectDashboard', '(context: MAIN, selection: { layout: BUILTIN })', 'change'),
  mutation('enableDashboards', '', 'change', { hasKey: false }),
  mutation('setAccountField', '(input: { key: "k", actionType: "add", value: "v" })', 'change', { hasKey: false }),
  mutation('createFlexDb', `(input: ${NAME})`, 'create'),
  mutation('updateFlexDb', `(id: "FlexDb:11", input: ${NAME})`, 'update'),
  mutation('replaceInFlexDb', '(id: "FlexDb:11", input: { field: SCHEMA, oldString: "a", newString: "b" })', 'update', {
    sendsFields: false,
    look: 'none',
  }),
  mutation('deleteFlexDb', '(id: "FlexDb:11")', 'delete'),
  mutation('createFlexRecord', `(db: "FlexDb:11", input: { table: null, data: ${DATA} })`, 'create'),
  mutation('createFlexRecords', `(db: "FlexDb:11", inputs: [{ table: null, data: ${DATA} }])`, 'create'),
  mutation('updateFlexRecord', `(id: ${RECORD}, input: { table: null, data: ${DATA} })`, 'update', inList),
  mutation(
    'updateFlexRecords',
    `(inputs: [{ id: ${RECORD}, input: { table: null, data: ${DATA} } }])`,
    'update',
    inList,
  ),
  mutation('deleteFlexRecord', `(id: ${RECORD})`, 'delete', inList),
  mutation('deleteFlexRecords', `(ids: [${RECORD}])`, 'delete', inList),
  mutation('createPublicFlexRecord', `(code: "CODE", data: ${DATA})`, 'create'),
  mutation('updatePublicFlexRecord', `(code: "CODE", id: "11", data: ${DATA})`, 'update'),
  mutation('deletePublicFlexRecord', '(code: "CODE", id: "11")', 'delete'),
];

/** Each mutation over XML. */
export const xmlMutations: readonly Mutation[] = [
  mutation('createForumPost', '(input: { title: "N", content: "N" })', 'create'),
  mutation('deleteForumPost', '(id: 11)', 'delete'),
  mutation('createForumUser', '(input: { login: "N", email: "N", password: "long-enough" })', 'change'),
];

/** One root field. Its payload has the id, where it is about a record. */
export function rootField({ field, args }: Mutation, code: string): string {
  const ids = ['... on Node { id }', ...deletions.map((type) => `... on ${type} { deletedId }`)];
  const created = field === 'createApiToken' ? '... on CreatedApiToken { apiToken { id } }' : '';
  return `${field}${args.replace('CODE', code)} { __typename ${selectionOf(field, ids, created)} }`;
}

const deletions = ['DeletedNode'];

function selectionOf(field: string, ids: readonly string[], created: string): string {
  if (field === 'createApiToken') return created;
  if (field === 'deleteApiToken') return '... on ApiTokenDeletion { deletedId }';
  if (field === 'deleteDashboard') return '... on DashboardDeletion { deletedId }';
  if (field.startsWith('delete')) return ids[1] ?? '';
  return /^(create|update|replace|add)/.test(field) && !/Account|ForumUser/.test(field) ? (ids[0] ?? '') : '';
}

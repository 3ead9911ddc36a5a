// What a user of a page may write. A value is drawn as a number; which record it stands for depends on the records that there are.
import type { Variables, Write } from './kit.ts';

export const kinds = ['Client', 'Deal', 'Post', 'Comment', 'FlexRecord', 'TrackerTask'] as const;
export type Kind = (typeof kinds)[number];
export type Verb = 'create' | 'update' | 'delete';

/** The drawn numbers of a write. */
export interface Draws {
  readonly kind: Kind;
  readonly verb: Verb;
  /** Two of them in one bulk mutation, where there is one. */
  readonly isBulk: boolean;
  /** With a value that is refused. A change and a deletion of a record that does not exist are, too. */
  readonly isRefused: boolean;
  readonly record: number;
  readonly value: number;
}

/** The ids of records of each type, those that may be gone as well. */
export type Ids = ReadonlyMap<string, readonly string[]>;

const refusal = '... on MutationError { message }';
const selections: Readonly<Record<Kind, string>> = {
  Client: '... on Client { id name }',
  Deal: '... on Deal { id name price }',
  Post: '... on Post { id title }',
  Comment: '... on Post { id title }',
  FlexRecord: '... on FlexRecord { id data(fields: ["name"]) }',
  TrackerTask: '... on TrackerTask { id title status }',
};
/** The verbs and bulk mutations that there are: posts can only be created. */
const isWritable = ({ kind, verb }: Draws) => verb === 'create' || !['Post', 'Comment'].includes(kind);
const hasBulk = ({ kind }: Draws) => !['Comment', 'TrackerTask'].includes(kind);

/** Words with and without the letter that the queries look for. */
const words = ['Zoë', 'Anna', 'Bob', 'Mary', 'Olga', 'Ulf', 'Ida', 'Tom', 'Jo', 'Max', 'Eve', 'Abe'];
const wordOf = ({ value, isRefused }: Draws, more = 0) => (isRefused ? '' : `${words[(value + more) % 12]} ${value}`);

function inputOf(draws: Draws, ids: Ids, more = 0): Variables {
  const { kind, verb, value } = draws;
  const name = wordOf(draws, more);
  if (kind === 'Client') return { name };
  if (kind === 'Deal') {
    const price = `${10 + ((value * 7 + more) % 50)}.00`;
    return { name, price, ...(verb === 'create' && { clientId: idOf(draws, ids, 'Client') }) };
  }
  if (kind === 'Post')
    return { title: name, content: draws.isRefused ? '' : 'Some text', clientId: idOf(draws, ids, 'Client') };
  if (kind === 'Comment') return { content: name, title: name };
  if (kind === 'TrackerTask') return { title: name, status: value % 2 ? 'open' : 'done' };
  const sku = verb === 'create' ? `N${value}${more}` : 'S0';
  return { data: { name: draws.isRefused ? null : name, sku, category: value % 2 ? 'wood' : 'glass' } };
}

const idOf = ({ record }: Draws, ids: Ids, type: string, more = 0): string => {
  const all = ids.get(type) ?? [];
  return all[(record + more) % all.length] ?? '';
};

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

function argumentsOf(draws: Draws, ids: Ids, isBulk: boolean): Argument[] {
  const { kind, verb } = draws;
  const numbers = isBulk ? [0, 1] : [0];
  const found = numbers.map((more) => idOf(draws, ids, kind, more));
  const inputs = numbers.map((more) => inputOf(draws, ids, more));
  const inputType = inputTypes[kind][verb === 'create' ? 0 : 1];
  const id = { name: 'id', type: 'ID!', value: found[0] };
  if (kind === 'Comment')
    return [
      { name: 'postId', type: 'ID!', value: idOf(draws, ids, 'Post') },
      { name: 'input', type: `${inputType}!`, value: inputs[0] },
    ];
  if (verb === 'delete') return [isBulk ? { name: 'ids', type: '[ID!]!', value: [...new Set(found)] } : id];
  const db = kind === 'FlexRecord' && verb === 'create' ? [{ name: 'db', type: 'ID!', value: 'products' }] : [];
  if (!isBulk) return [...(verb === 'update' ? [id] : db), { name: 'input', type: `${inputType}!`, value: inputs[0] }];
  const changes = inputs.map((input, index) => ({ id: found[index], input }));
  const type = verb === 'create' ? inputType : `${kind}Change`;
  return [...db, { name: 'inputs', type: `[${type}!]!`, value: verb === 'create' ? inputs : changes }];
}

/** The types of the input of a creation and of a change. */
const inputTypes: Readonly<Record<Kind, readonly [string, string]>> = {
  Client: ['ClientInput', 'ClientInput'],
  Deal: ['DealInput', 'DealInput'],
  Post: ['CreatePostInput', 'CreatePostInput'],
  Comment: ['PostCommentInput', 'PostCommentInput'],
  FlexRecord: ['FlexRecordInput', 'UpdateFlexRecordInput'],
  TrackerTask: ['CreateTrackerTaskInput', 'UpdateTrackerTaskInput'],
};

/** The write that was drawn. What there is no mutation for, is another one of the same kind. */
export function writeOf(given: Draws, ids: Ids, key: string, isOptimistic: boolean): Write {
  const draws: Draws = isWritable(given) ? given : { ...given, verb: 'create' };
  const { kind, verb } = draws;
  const isBulk = draws.isBulk && hasBulk(draws);
  const field = kind === 'Comment' ? 'addPostComment' : `${verb}${kind}${isBulk ? 's' : ''}`;
  const args = argumentsOf(draws, ids, isBulk);
  const selection = verb === 'delete' ? '... on DeletedNode { deletedIds }' : selections[kind];
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const variables = Object.fromEntries(args.map(({ name, value }) => [name, value]));
  const optimistic = isOptimistic && !isBulk ? optimisticOf(draws, ids, variables) : undefined;
  return {
    field,
    text: `mutation ${upperFirst(field)}(${declared}) { ${field}(${passed}) { __typename ${selection} ${refusal} } }`,
    variables,
    key,
    ...(optimistic && { optimistic: { [field]: optimistic } }),
  };
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What a page expects. A new record has an id that no record has. */
function optimisticOf(draws: Draws, ids: Ids, { input }: Variables) {
  const { kind, verb } = draws;
  const id = verb === 'create' ? `${kind}:0` : idOf(draws, ids, kind);
  if (verb === 'delete') return { __typename: 'DeletedNode', deletedIds: [id] };
  if (kind === 'FlexRecord' || kind === 'Comment') return undefined;
  const selected = Object.entries(Object(input)).filter(([name]) => selections[kind].includes(` ${name} `));
  return { __typename: kind, id, ...Object.fromEntries(selected) };
}

/** All the documents of writes, for Relay's compiler. */
export function allWrites(): Write[] {
  const verbs: readonly Verb[] = ['create', 'update', 'delete'];
  const drawn = kinds.flatMap((kind) =>
    verbs.flatMap((verb) =>
      [true, false].map((isBulk) => ({ kind, verb, isBulk, isRefused: false, record: 0, value: 0 })),
    ),
  );
  const writes = drawn.map((draws) => writeOf(draws, new Map(), '', false));
  return [...new Map(writes.map((write) => [write.field, write])).values()];
}

const lists: Readonly<Record<string, string>> = {
  Client: 'clients',
  Deal: 'deals',
  Post: 'posts',
  Comment: 'posts',
  Record: 'records',
  Task: 'tasks',
};

/** The list that an app names for the updater of a mutation. */
export function listOfWrite({ field }: Write): string {
  const [, type = ''] = /([A-Z][a-z]+?)s?$/.exec(field) ?? [];
  return lists[type] ?? '';
}

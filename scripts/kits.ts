// Writes what the kits know of schema.graphql: what caches have to be told, its interfaces and unions, its connections, and types
// without an id; and which mutations may be sent again. `npm run schema` does it after the schema. With `--check` it fails when the
// file is of another schema.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isAbstractType,
  isObjectType,
} from 'graphql';

const path = 'kits/src/possible-types.ts';
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const abstractTypes = Object.values(schema.getTypeMap())
  .filter(isAbstractType)
  .sort((one, other) => one.name.localeCompare(other.name));
const refusals = membersOf('MutationError');

/** The mutations that take no key: the registration in the forum, and the public methods. */
const keyless = ['createForumUser', 'createPublicFlexRecord', 'updatePublicFlexRecord', 'deletePublicFlexRecord'];

/** The object types that a query can answer. A mutation's result, which no cache reads, is none. */
const queried = new Set<GraphQLObjectType>();
collect(schema.getQueryType());

const text = moduleOfTables();
if (!values.check) {
  writeFileSync(path, text);
} else if (text !== readFileSync(path, 'utf8')) {
  console.error(`${path} does not fit schema.graphql: run \`npm run schema\`.`);
  process.exitCode = 1;
}

function collect(type: GraphQLNamedType | null | undefined): void {
  if (isAbstractType(type)) schema.getPossibleTypes(type).forEach(collect);
  if (!isObjectType(type) || queried.has(type)) return;
  queried.add(type);
  for (const field of fieldsOf(type)) collect(getNamedType(field.type));
}

function fieldsOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields());
}

function moduleOfTables(): string {
  const membersByType = abstractTypes.map(({ name }) => `  ${name}: ${members(membersOf(name))},\n`);
  const connectionsByType = connections().map(([name, fields]) => `  ${name}: ${list(fields)},\n`);
  return `// Made of schema.graphql by \`npm run schema\`.

/** The types of a refusal. */
export const refusals = ${list(refusals)} as const;

/** Those of a write that is no item of a bulk mutation. */
const refused = ${list(refusals.filter((name) => name !== 'NotAttempted'))};

const membersByType = (): Record<string, string[]> => ({
${membersByType.join('')}});

/** The members of each interface and union. Bundlers drop them where they are not used. */
export const possibleTypes: Record<string, string[]> = /* @__PURE__ */ membersByType();

/** The fields with pages of each type. */
export const connections: Readonly<Record<string, readonly string[]>> = {
${connectionsByType.join('')}};

/** The types without an id of which a record has one. */
export const parts: readonly string[] = ${list(parts())};

/** The mutations that take an \`Idempotency-Key\`, by their verbs. */
export const keyedMutations: Pick<RegExp, 'test'> = /^(?:${keyedMutations().join('|')})$/;
`;
}

/** The members of an interface or union; refusals, which most unions have, by the name of their list. */
function members(names: readonly string[]): string {
  const others = names.filter((name) => !refusals.includes(name));
  const refusing = names.length - others.length;
  if (refusing === 0) return list(names);
  if (refusing < refusals.length - 1) throw new Error(`No list has only these refusals: ${names.join(', ')}.`);
  const spread = refusing === refusals.length ? '...refusals' : '...refused';
  return `[${[spread, ...others.map((name) => `'${name}'`)].join(', ')}]`;
}

function membersOf(name: string): string[] {
  const type = schema.getType(name);
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  return possible.map(({ name }) => name).sort();
}

/** The names of all that take a key, put together by verb and number: kits are small. */
function keyedMutations(): string[] {
  const names = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const nouns = new Map<string, string[]>();
  for (const name of names.filter((name) => !keyless.includes(name)).sort()) {
    const [verb = ''] = /^[a-z]+/.exec(name) ?? [];
    nouns.set(verb, [...(nouns.get(verb) ?? []), name.slice(verb.length)]);
  }
  return [...nouns].map(([verb, all]) => `${verb}(?:${singulars(all).join('|')})`);
}

/** Nouns, each with its plural, if there is one: `Deals?`. */
function singulars(nouns: readonly string[]): string[] {
  const has = (noun: string) => nouns.includes(noun);
  return nouns
    .filter((noun) => !noun.endsWith('s') || !has(noun.slice(0, -1)))
    .map((noun) => (has(`${noun}s`) ? `${noun}s?` : noun));
}

function connections(): [type: string, fields: string[]][] {
  return [...queried]
    .map((type): [string, string[]] => [
      type.name,
      fieldsOf(type)
        .filter(isConnection)
        .map(({ name }) => name),
    ])
    .filter(([, fields]) => fields.length > 0)
    .sort(([one], [other]) => one.localeCompare(other));
}

function isConnection({ type }: GraphQLField<unknown, unknown>): boolean {
  return getNamedType(type).name.endsWith('Connection');
}

function parts(): string[] {
  const isPart = (type: GraphQLObjectType) =>
    !('id' in type.getFields()) && !/^Query$|^PageInfo$|(?:Connection|Edge)$/.test(type.name);
  return [...queried]
    .filter((type) => isPart(type) && isSingle(type))
    .map(({ name }) => name)
    .sort();
}

function isSingle(type: GraphQLObjectType): boolean {
  return [...queried].some((parent) => fieldsOf(parent).some((field) => getNullableType(field.type) === type));
}

function list(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}

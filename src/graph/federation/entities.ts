import { getTypeBrand } from '@pothos/core';
import {
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLUnionType,
  isObjectType,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { QueryLimitError, ValidationError } from '../../errors.ts';
import { globalId, parseGlobalId } from '../ids.ts';
import { listTypes, loadNode, type NodeType } from '../node.ts';
import { ofOperation } from '../operation-state.ts';

/** A field that identifies a record among those of its type. */
type Key = 'id' | 'upstreamId';

/** A type whose records other subgraphs can refer to. */
export interface Entity {
  readonly type: NodeType;
  /** Keys of the type. A representation has one of them, or both of one record. */
  readonly keys: readonly Key[];
}

interface Arguments {
  readonly representations: readonly unknown[];
}

/** The number of references to one record that count as one record. Each is resolved at its place, without a further upstream call. */
const REPETITIONS = 10;

/** Counts the records that references are of: routers send one for each place of a record, and not all of them drop repetitions. */
export class RecordCount {
  readonly #records = new Set<unknown>();
  #references = 0;

  /** @returns the number of records so far; of many repetitions a tenth of the references */
  add(representations: readonly unknown[]): number {
    for (const given of representations) this.#records.add(recordKey(given));
    this.#references += representations.length;
    return Math.max(this.#records.size, Math.ceil(this.#references / REPETITIONS));
  }
}

/** The global id of the record of a representation, from either key; without a valid key, the representation itself. */
function recordKey(given: unknown): unknown {
  const { __typename: type, id, upstreamId } = isObject(given) ? given : {};
  if (typeof id === 'string') return id;
  const hasUpstreamId = typeof upstreamId === 'string' || typeof upstreamId === 'number';
  return typeof type === 'string' && hasUpstreamId ? globalId(type, upstreamId) : (given ?? {});
}

/** The `_entities` field, by which a router loads records by their keys. */
export function entitiesField(
  schema: GraphQLSchema,
  entities: ReadonlyMap<string, Entity>,
): GraphQLFieldConfig<unknown, Context, Arguments> {
  const entity = new GraphQLUnionType({
    name: '_Entity',
    description: 'A record that other subgraphs can refer to.',
    types: Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type))
      .filter(({ name }) => entities.has(name)),
    resolveType: typeNameOf,
  });
  const representation = new GraphQLScalarType({
    name: '_Any',
    description: 'A type and a key, such as `{ __typename: "Client", upstreamId: "42" }`.',
  });
  return {
    type: new GraphQLNonNull(new GraphQLList(entity)),
    description:
      'Records by their keys, in the same order. A record that is not visible to the caller is null. One that fails is null ' +
      'and has its own error. Calls the endpoint of its type, or the list of its type for several records.',
    args: {
      representations: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(representation))),
        description: 'Types and keys, of at most MAX_ENTITIES records in an operation.',
      },
    },
    resolve: (_root, { representations }, context) => {
      const maxEntities = context.limits.entities;
      if (ofOperation(context, entities, RecordCount).add(representations) > maxEntities) {
        const advice = 'ask for less at once, or raise it.';
        throw new QueryLimitError(`The operation refers to more than MAX_ENTITIES (${maxEntities}) records: ${advice}`);
      }
      return representations.map((given) => loadEntity(given, entities, context));
    },
  };
}

/** Loads one record. Async, so that an invalid representation fails its own entry only. */
async function loadEntity(given: unknown, entities: ReadonlyMap<string, Entity>, context: Context) {
  const representation = isObject(given) ? given : {};
  const { __typename: name } = representation;
  const entity = typeof name === 'string' ? entities.get(name) : undefined;
  if (!entity) throw invalidRepresentation(`has no \`__typename\` of ${listTypes([...entities.keys()])}`);
  return loadNode(entity.type, upstreamIdOf(representation, entity), context);
}

/**
 * The id for the type's loader: the upstream id, or the part of the global id after the type's name.
 *
 * @throws ValidationError for keys of two records, too: whichever was served, a subgraph would have got what it did not mean
 */
function upstreamIdOf(representation: JsonObject, { type: { name }, keys }: Entity): string {
  const given = keys.filter((key) => (representation[key] ?? null) !== null);
  const [id, other] = given.map((key) => idOf(representation[key], key, name));
  if (id === undefined) throw invalidRepresentation(`has no ${keys.join(' or ')}, by which a ${name} is known`);
  if (other === undefined || other === id) return id;
  const named = given.map((key) => `${key} is ${String(representation[key]).slice(0, 100)}`).join(', and ');
  throw invalidRepresentation(`has keys of two records: ${named}`);
}

function idOf(value: unknown, key: Key, name: string): string {
  if (typeof value !== 'string' && !Number.isSafeInteger(value))
    throw invalidRepresentation(`has a key that is no id: ${key}`);
  if (key === 'upstreamId') return String(value);

  const { typename, id } = parseGlobalId(String(value)) ?? {};
  if (typename !== name || id === undefined)
    throw invalidRepresentation(`has an id that is no global id of a ${name}: those begin with \`${name}:\``);
  return id;
}

function invalidRepresentation(problem: string): ValidationError {
  return new ValidationError(`A representation ${problem}.`, { representations: [problem] });
}

function typeNameOf(record: unknown): string {
  const brand = getTypeBrand(record);
  return String(brand && typeof brand === 'object' && 'name' in brand ? brand.name : brand);
}

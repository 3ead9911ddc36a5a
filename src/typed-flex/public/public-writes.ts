import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../context.ts';
import type { PublicRecord } from '../../flex/public-records.ts';
import { globalId, upstreamId } from '../../graphql/ids.ts';
import type { JsonObject } from '../../http/formats/decode.ts';
import type { PublicMethods } from '../model/model.ts';
import { objectType } from '../types/base-types.ts';
import { mutationField } from '../types/mutation-field.ts';
import { publicInput } from './public-input.ts';
import { idArgument, ownRecords } from './public-reads.ts';

// The public methods that write, as mutations.

type Mutation<Arguments> = GraphQLFieldConfig<unknown, Context, Arguments>;

interface Written {
  readonly input?: JsonObject;
}

interface Named {
  readonly id: string;
}

/** Creates the mutations of the methods that are on. */
export function publicWrites(
  methods: PublicMethods,
  row: GraphQLObjectType<PublicRecord, Context>,
  base: GraphQLSchema,
): GraphQLFieldConfigMap<unknown, Context> {
  const { methods: on, rowTypeName } = methods;
  return {
    ...(on.has('create') && { [`create${rowTypeName}`]: createField(methods, row, base) }),
    ...(on.has('update') && { [`update${rowTypeName}`]: updateField(methods, row, base) }),
    ...(on.has('delete') && { [`delete${rowTypeName}`]: deleteField(methods, base) }),
  };
}

function createField(
  methods: PublicMethods,
  row: GraphQLObjectType<PublicRecord, Context>,
  base: GraphQLSchema,
): Mutation<Written> {
  const { code, rowTypeName, tables } = methods;
  const input = inputOf(methods, 'create', base);
  const untabled = tables.length > 0 ? ' The record belongs to no table: public methods know none.' : '';
  return mutationField<Written>(
    `create${rowTypeName}`,
    row,
    {
      description: `Creates a record without authorization.${untabled} Calls \`POST /flex/db/:db_code/create\`.`,
      args: input.args,
      resolve: async (_root, given, { publicFlex }) =>
        Object.assign(await publicFlex.create(code, input.dataOf(given.input ?? {})).catch(input.mapPaths), { code }),
    },
    base,
  );
}

function updateField(
  methods: PublicMethods,
  row: GraphQLObjectType<PublicRecord, Context>,
  base: GraphQLSchema,
): Mutation<Written & Named> {
  const { code, rowTypeName, methods: on } = methods;
  const input = inputOf(methods, 'update', base);
  const again = on.has('get')
    ? ' When the response holds no data, and it is selected, it calls `POST /flex/db/:db_code/get`.'
    : '';
  return mutationField<Written & Named>(
    `update${rowTypeName}`,
    row,
    {
      description: `Changes a record without authorization.${ownRecords(on.get('update'))} Calls \`POST /flex/db/:db_code/update\`.${again}`,
      args: { id: idArgument, ...input.args },
      resolve: async (_root, given, { publicFlex }) => {
        const id = upstreamId(given.id, rowTypeName);
        const updated = await publicFlex.update(code, id, input.dataOf(given.input ?? {})).catch(input.mapPaths);
        return Object.assign(updated, { code });
      },
    },
    base,
  );
}

function deleteField({ code, rowTypeName, methods: on }: PublicMethods, base: GraphQLSchema): Mutation<Named> {
  return mutationField<Named>(
    `delete${rowTypeName}`,
    objectType(base, 'DeletedNode'),
    {
      description: `Deletes a record without authorization.${ownRecords(on.get('delete'))} Calls \`POST /flex/db/:db_code/delete\`.`,
      args: { id: idArgument },
      resolve: async (_root, given, { publicFlex }) => {
        const id = upstreamId(given.id, rowTypeName);
        await publicFlex.delete(code, id);
        return { deletedId: globalId(rowTypeName, id) };
      },
    },
    base,
  );
}

/** The input of a method, with its argument. A method that takes no field has no argument, and gets no data. */
function inputOf(methods: PublicMethods, operation: 'create' | 'update', base: GraphQLSchema) {
  const method = methods.methods.get(operation);
  const input = method && publicInput(methods, operation, method, base);
  const args: GraphQLFieldConfigArgumentMap = input
    ? { input: { type: new GraphQLNonNull(input.type), description: 'Values of the record.' } }
    : {};
  return { args, dataOf: input?.dataOf ?? (() => ({})), mapPaths: input?.mapPaths ?? rethrow };
}

function rethrow(error: unknown): never {
  throw error;
}

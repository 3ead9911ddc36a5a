import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../operation/context.ts';
import type { PublicRecord } from '../../apis/flex/public-records.ts';
import { globalId, upstreamId } from '../../graph/ids.ts';
import type { PublicMethods, TypedField } from '../model/model.ts';
import type { MethodDefinition } from '../snapshot/definition.ts';
import { objectType } from '../types/base-types.ts';
import { type Identified, mutationField, type WithInput } from '../types/mutation-field.ts';
import { type RecordInput, recordInput } from '../types/record-input.ts';
import { idArgument, ownRecords } from './public-reads.ts';

// The public methods that write, as mutations.

type Row = GraphQLObjectType<PublicRecord, Context>;

/** Creates the mutations of the methods that are on. */
export function publicWrites(
  methods: PublicMethods,
  row: Row,
  base: GraphQLSchema,
): GraphQLFieldConfigMap<unknown, Context> {
  const { methods: on } = methods;
  const [create, update, remove] = [on.get('create'), on.get('update'), on.get('delete')];
  return {
    ...(create && createField(methods, create, row, base)),
    ...(update && updateField(methods, update, row, base)),
    ...(remove && deleteField(methods, remove, base)),
  };
}

function createField(methods: PublicMethods, method: MethodDefinition, row: Row, base: GraphQLSchema) {
  const { code, rowTypeName, tables } = methods;
  const { args, dataOf, mapPaths } = publicInput(methods, 'create', method, base);
  const untabled = tables.length > 0 ? ' The record belongs to no table: public methods know none.' : '';
  return mutationField<Partial<WithInput>>(base, {
    name: `create${rowTypeName}`,
    success: row,
    description: `Creates a record without authorization.${untabled} Calls \`POST /flex/db/:db_code/create\`.`,
    args,
    resolve: async (_root, { input = {} }, { publicFlex }) =>
      Object.assign(await publicFlex.create(code, dataOf(input)).catch(mapPaths), { code }),
  });
}

function updateField(methods: PublicMethods, method: MethodDefinition, row: Row, base: GraphQLSchema) {
  const { code, rowTypeName, methods: on } = methods;
  const { args, dataOf, mapPaths } = publicInput(methods, 'update', method, base);
  const again = on.has('get')
    ? ' When the response holds no data, and it is selected, it calls `POST /flex/db/:db_code/get`.'
    : '';
  return mutationField<Partial<WithInput> & Identified>(base, {
    name: `update${rowTypeName}`,
    success: row,
    description: `Changes a record without authorization.${ownRecords(method)} Calls \`POST /flex/db/:db_code/update\`.${again}`,
    args: { id: idArgument, ...args },
    resolve: async (_root, { id: given, input = {} }, { publicFlex }) => {
      const id = upstreamId(given, rowTypeName);
      return Object.assign(await publicFlex.update(code, id, dataOf(input)).catch(mapPaths), { code });
    },
  });
}

function deleteField({ code, rowTypeName }: PublicMethods, method: MethodDefinition, base: GraphQLSchema) {
  return mutationField<Identified>(base, {
    name: `delete${rowTypeName}`,
    success: objectType(base, 'DeletedNode'),
    description: `Deletes a record without authorization.${ownRecords(method)} Calls \`POST /flex/db/:db_code/delete\`.`,
    args: { id: idArgument },
    resolve: async (_root, given, { publicFlex }) => {
      const id = upstreamId(given.id, rowTypeName);
      await publicFlex.delete(code, id);
      return { deletedId: globalId(rowTypeName, id) };
    },
  });
}

/** The argument of a method that takes values, and what is done with these. */
interface PublicInput extends Pick<RecordInput, 'dataOf' | 'mapPaths'> {
  readonly args: GraphQLFieldConfigArgumentMap;
}

/**
 * Creates the input of a public method: "Only these fields pass from the request; others are ignored", and automatic fields
 * "cannot be forged by the client". A field that the method requires is required here, unless it has a default value. A method
 * that takes no field has no argument, and gets no data.
 */
function publicInput(
  methods: PublicMethods,
  operation: 'create' | 'update',
  method: MethodDefinition,
  base: GraphQLSchema,
): PublicInput {
  const taken = takenKeys(methods, method);
  const { fields, others } = taken;
  const takesExtra = others === 'any' || others.size > 0;
  // "create stores the record with null `table_name` (no table validation)": only a database without tables checks it.
  const isValidated = operation === 'create' && methods.tables.length === 0;
  // Not documented (A228): whether a record that has the field may be updated without it. Relaxing it later breaks no caller.
  const isRequired = ({ name, required }: TypedField) =>
    !method.default_values?.includes(name) && (method.required_fields?.includes(name) || (isValidated && required));
  const extra = {
    description:
      others === 'any' ? 'Values under keys that have no field here.' : `Values under the keys ${list(others)}.`,
    isTaken: (key: string) => (others === 'any' ? !method.auto_fields?.includes(key) : others.has(key)),
  };
  const { verb, description } = texts[operation];
  const name = `${verb}${methods.rowTypeName}Input`;
  const { type, dataOf, mapPaths } = recordInput(
    {
      name,
      description,
      taken,
      known: methods,
      isRequired,
      nullIsAbsent: operation === 'create',
      extra: takesExtra ? extra : undefined,
    },
    base,
  );
  const takesNothing = fields.length === 0 && !takesExtra;
  const argument = { type: new GraphQLNonNull(type), description: 'Values of the record.' };
  return { args: takesNothing ? {} : { input: argument }, dataOf, mapPaths };
}

const texts = {
  create: { verb: 'Create', description: 'A new record.' },
  update: {
    verb: 'Update',
    description: 'Changes of a record. Upstream does not document whether fields that are left out keep their values.',
  },
};

/** The keys of the data that a method takes. */
interface TakenKeys {
  readonly fields: readonly TypedField[];
  /** Those without a field: all others, or only these. */
  readonly others: 'any' | ReadonlySet<string>;
}

function takenKeys({ fields }: PublicMethods, method: MethodDefinition): TakenKeys {
  const { allowed_fields: allowed, auto_fields: automatic = [] } = method;
  const taken = fields.filter(({ name }) => !automatic.includes(name));
  if (!allowed) return { fields: taken, others: 'any' };
  const known = new Set(fields.map(({ name }) => name));
  const others = allowed.filter((name) => !known.has(name) && !automatic.includes(name));
  return { fields: taken.filter(({ name }) => allowed.includes(name)), others: new Set(others) };
}

function list(names: ReadonlySet<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ');
}

import { validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { schema as base } from '../../src/apis/schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { derivedMutations, derivedTypes, reservedNames } from '../../src/typed-flex/model/reserved-names.ts';
import { typedSchema } from '../../src/typed-flex/typed-schema.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';

test('each type and mutation of typed databases is taken by a name of the mapping, or reserved', () => {
  const reserved = reservedNames(base);
  for (const database of randomDatabases(3, 10)) {
    const { databases } = modelOf(namedSnapshotOf([database]), base);
    const typed = typedSchema(base, { databases });
    const records = databases.flatMap(({ tables, untabledTypeName, publicMethods }) => [
      ...tables.map(({ typeName }) => typeName),
      ...(untabledTypeName === undefined ? [] : [untabledTypeName]),
      ...(publicMethods ? [publicMethods.rowTypeName] : []),
    ]);
    const own = databases.flatMap(({ typeName, publicMethods }) => [typeName, publicMethods?.typeName]);
    const types = new Set([...records.flatMap(derivedTypes), ...own, ...reserved.types]);
    const mutations = new Set([...records.flatMap(derivedMutations), ...reserved.mutation]);
    expect(Object.keys(typed.getTypeMap()).filter((name) => !types.has(name))).toEqual([]);
    expect(Object.keys(typed.getMutationType()?.getFields() ?? {}).filter((name) => !mutations.has(name))).toEqual([]);
    expect(validateSchema(typed)).toEqual([]);
  }
});

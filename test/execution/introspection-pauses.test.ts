import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSchema, getIntrospectionQuery, graphqlSync, isObjectType, parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { planExecution } from '../../src/execution/executor.ts';

// Introspection waits where it pauses: no other type is read before the time that it asked for.

const COUNT = 200;
const types = Array.from({ length: COUNT }, (_none, at) => {
  const fields = Array.from({ length: 40 }, (_field, field) => `field${field}(first: Int, after: String): [String!]!`);
  return `type T${at} { ${fields.join(' ')} }`;
});

test('the types of a schema are read in pieces', async () => {
  const schema = buildSchema(
    `${types.join('\n')} type Query { a: T0 ${types.map((_type, at) => `b${at}: T${at}`).join(' ')} }`,
  );
  const document = parse(getIntrospectionQuery());
  const expected = graphqlSync({ schema, source: getIntrospectionQuery() });
  const read = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const getFields = type.getFields.bind(type);
    vi.spyOn(type, 'getFields').mockImplementation(() => {
      read.add(type.name);
      return getFields();
    });
  }
  const goOn: (() => void)[] = [];
  const bounds = {
    maxCharacters: Infinity,
    tooLarge: () => new Error('Too large.'),
    pause: () => new Promise<void>((resolve) => goOn.push(resolve)),
    characters: undefined,
  };
  const result = planExecution({ schema, document }, bounds)?.run();
  let pauses = 0;
  let before = 0;
  for (let [resume] = goOn.splice(0); resume; [resume] = goOn.splice(0)) {
    expect(read.size - before).toBeLessThan(30);
    pauses += 1;
    before = read.size;
    resume();
    await nextTurn();
    expect(goOn.length).toBeLessThanOrEqual(1);
  }
  expect(pauses).toBeGreaterThan(20);
  expect(await result).toEqual(expected);
});

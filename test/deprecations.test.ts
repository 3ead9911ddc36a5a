import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { isDate } from '../src/formats/dates.ts';
import { schema } from '../src/apis/schema.ts';

test('every deprecation says what to use and after which day it goes', () => {
  expect(undated(schema)).toEqual([]);
});

test('a deprecation without a reason, or without a day of the calendar, is found wherever it stands', () => {
  const planted = buildSchema(`
    type Query {
      noReason: ID @deprecated
      noDate(argument: ID @deprecated(reason: "Use id.")): ID @deprecated(reason: "Use id.")
      noDay: ID @deprecated(reason: "Use id. Removed after 2027-02-30.")
      noWords: ID @deprecated(reason: "Removed after 2027-05-01.")
      sound(argument: ID @deprecated(reason: "Use id. Removed after 2027-05-01.")): Node
      price: String @deprecated(reason: "Use value. Removed after 2027-05-01.")
      kept(input: Input): Value
    }
    interface Node { short: ID @deprecated(reason: "Use id. After 2027-05-01.") }
    input Input { field: ID @deprecated(reason: "2027-05-01") }
    enum Value { OLD @deprecated(reason: "Use NEW. Removed after 2027-5-1.") NEW }
    directive @cached(for: Int @deprecated(reason: "Soon.")) on FIELD
  `);

  expect(undated(planted)).toEqual([
    '@cached.for',
    'Input.field',
    'Node.short',
    'Query.noDate',
    'Query.noDate.argument',
    'Query.noDay',
    'Query.noReason',
    'Query.noWords',
    'Value.OLD',
  ]);
});

/** The deprecations that do not end in "Removed after 2027-05-01." behind words of their own, by path. */
function undated(judged: GraphQLSchema): string[] {
  const types = Object.values(judged.getTypeMap()).flatMap((type) => deprecations(type.name, ...members(type)));
  const directives = judged.getDirectives().flatMap(({ name, args }) => deprecations(`@${name}`, ...args));
  return [...types, ...directives]
    .filter(({ reason }) => !isDate(/\p{L}.* Removed after (\S+)\.$/su.exec(reason)?.[1] ?? ''))
    .map(({ path }) => path)
    .sort();
}

interface Member {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
  readonly args?: readonly Member[];
}

function members(type: GraphQLNamedType): readonly Member[] {
  if (isEnumType(type)) return type.getValues();
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) return Object.values(type.getFields());
  return [];
}

/** Those of the members and of their arguments. */
function deprecations(owner: string, ...owned: readonly Member[]): { path: string; reason: string }[] {
  return owned.flatMap(({ name, deprecationReason: reason, args = [] }) => {
    const path = `${owner}.${name}`;
    return [...(typeof reason === 'string' ? [{ path, reason }] : []), ...deprecations(path, ...args)];
  });
}

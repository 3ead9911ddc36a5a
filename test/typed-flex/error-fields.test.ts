import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema as base } from '../../src/apis/schema.ts';
import { pull } from '../../src/typed-flex/changes/pull.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { typedSchema } from '../../src/typed-flex/typed-schema.ts';

const fields = { message: 'text', fields: 'json', text: 'text', id_of: 'integer' };
const databases = [
  { id: '1', code: 'book', schema: { fields } },
  {
    id: '2',
    code: 'shop',
    schema: { tables: { orders: { fields: { 'Message ': 'text' } }, plain: { fields: { note: 'text' } } } },
  },
];

test('a pull hints once at names of fields that errors of mutations have, too', () => {
  const { snapshot, hints, openNames } = pull(databases, { base });
  expect(openNames).toEqual([]);
  expect(hints).toEqual([
    expect.stringContaining(
      ' names.book.table.fields.message, names.book.table.fields.fields, names.shop.tables.orders.fields["Message "]. Beside ',
    ),
  ]);
  expect(pull(databases, { base, previous: snapshot }).hints).toEqual([]);
});

test('a hint lists five entries at most', () => {
  const many = Array.from({ length: 8 }, (_, index) => ({ id: `${index}`, code: `db${index}`, schema: { fields } }));
  expect(pull(many, { base }).hints).toEqual([
    expect.stringMatching(/(?:names\S+, ){4}names\S+ and 11 more\. Beside /),
  ]);
});

test.each([
  ['message', '... on MutationError { message }'],
  ['fields', '... on ValidationError { fields { __typename } }'],
])('the field %s conflicts with that of errors in one selection, and under an alias it does not', (field, error) => {
  const { snapshot } = pull(databases, { base });
  const typed = typedSchema(base, modelOf(snapshot, base));
  const problems = (selection: string) =>
    validate(typed, parse(`mutation { createBookRow(input: {}) { ... on BookRow { ${selection} } ${error} } }`));
  expect(problems('text').map(({ message }) => message)).toEqual([]);
  expect(problems(`own: ${field}`)).toEqual([]);
  expect(problems(field)).not.toEqual([]);
});

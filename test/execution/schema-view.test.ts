import { normalizedExecutor } from '@graphql-tools/executor';
import {
  buildSchema,
  defaultFieldResolver,
  getIntrospectionQuery,
  GraphQLObjectType,
  isObjectType,
  OperationTypeNode,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { withResolvers } from '../../src/execution/schema-view.ts';

const schema = buildSchema(`
  interface Node { id: ID! }
  union Found = Book | Author
  type Book implements Node { id: ID! title: String author: Author! books: [[Book!]!] }
  type Author implements Node { id: ID! name: String books: [Book] }
  type Other implements Node { id: ID! }
  type Query { node: Node found: [Found!] book: Book other: Other }
  type Mutation { change: Book }
`);

const ada = { __typename: 'Author', id: '1', name: 'Ada' };
const notes = { __typename: 'Book', id: '2', title: 'Notes', author: ada, books: [[{ id: '3' }]] };
const rootValue = { node: ada, found: [notes, ada], book: notes, change: notes };

/** A view that notes which fields were wrapped, and which were resolved. */
function viewed() {
  const [wrapped, resolved]: [string[], string[]] = [[], []];
  const view = withResolvers<object>(schema, ({ name, resolve = defaultFieldResolver }) => {
    wrapped.push(name);
    return (...args) => {
      resolved.push(`${args[3].parentType.name}.${args[3].fieldName}`);
      return resolve(...args);
    };
  });
  return { view, wrapped, resolved };
}

test('an operation has its result, by the other resolvers', async () => {
  const { view, resolved } = viewed();
  const document = parse(`{
    node { id ... on Author { name } ... on Node { ... on Book { title } } }
    found { ... on Node { id } ... on Book { title author { name } books { title id } } }
  }`);
  expect(await normalizedExecutor({ schema: view, document, rootValue })).toEqual(
    await normalizedExecutor({ schema, document, rootValue }),
  );
  expect(new Set(resolved)).toEqual(
    new Set([
      ...['Query.node', 'Query.found', 'Author.id', 'Author.name'],
      ...['Book.id', 'Book.title', 'Book.author', 'Book.books'],
    ]),
  );
});

test('a type is wrapped when an operation reaches it, and once', async () => {
  const { view, wrapped } = viewed();
  expect(wrapped).toEqual([]);
  for (let round = 0; round < 2; round++) {
    await normalizedExecutor({
      schema: view,
      document: parse('{ other { __typename } book { author { id } } }'),
      rootValue,
    });
    expect(wrapped.toSorted()).toEqual(
      // of Query, Book and Author; the type of `other` is not reached, as it has no value
      ['author', 'book', 'books', 'books', 'found', 'id', 'id', 'name', 'node', 'other', 'title'],
    );
  }
});

test('types, possible types and introspection are those of the schema', async () => {
  const { view } = viewed();
  const [type] = view.getPossibleTypes(view.getType('Found') as never);
  expect(type).toBe(view.getType('Book'));
  expect(view.getType('Book')).toBeInstanceOf(GraphQLObjectType);
  expect(isObjectType(view.getType('Author'))).toBe(true);
  expect(view.getRootType(OperationTypeNode.MUTATION)).toBe(view.getMutationType());
  expect(view.getSubscriptionType()).toBeUndefined();
  const document = parse(getIntrospectionQuery());
  expect(await normalizedExecutor({ schema: view, document })).toEqual(await normalizedExecutor({ schema, document }));
});

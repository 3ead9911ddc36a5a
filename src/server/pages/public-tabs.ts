import {
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { GraphiQLOptions } from 'graphql-yoga';

/** The most fields of a record that the query selects. */
const MAX_FIELDS = 6;

/** Creates GraphiQL's tab of an anonymous schema: the first records of a database. There is no place for credentials. */
export function publicTabs(schema: GraphQLSchema): GraphiQLOptions {
  return {
    isHeadersEditorEnabled: false,
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: 'variables',
    defaultTabs: [{ query: firstRecords(schema) }],
  };
}

function firstRecords(schema: GraphQLSchema): string {
  const databases = Object.values(schema.getQueryType()?.getFields() ?? {});
  const lists = databases.flatMap((database) =>
    fieldsOf(database)
      .filter(({ args, ...field }) => !args.some(isRequiredArgument) && recordFields(field).length > 0)
      .map((list) => ({ database, list })),
  );
  const [found] = lists;
  if (!found) return '# The schema is in the documentation, at the left.\n{\n  __typename\n}\n';
  const { database, list } = found;
  const size = list.args.some(({ name }) => name === 'first') ? '(first: 5)' : '';
  const names = recordFields(list).slice(0, MAX_FIELDS);
  return `# The first records of a database, without any credential.
# Ctrl-Enter runs the query.
query Records {
  ${database.name} {
    ${list.name}${size} {
      nodes {
        ${names.join('\n        ')}
      }
    }
  }
}
`;
}

type Field = Pick<GraphQLField<unknown, unknown>, 'type'>;

function fieldsOf({ type }: Field) {
  const named = getNamedType(type);
  return isObjectType(named) ? Object.values(named.getFields()) : [];
}

/** The names of the simple fields of the records of a connection. */
function recordFields(connection: Field): string[] {
  const nodes = fieldsOf(connection).find(({ name }) => name === 'nodes');
  if (!nodes) return [];
  return fieldsOf(nodes)
    .filter(({ type }) => isLeafType(getNamedType(type)))
    .map(({ name }) => name)
    .filter((name) => name !== 'upstreamId');
}

import type { PublicMethods, TypedDatabase, TypedModel } from '../typed-flex/model/model.ts';

// The queries of rows that GraphiQL opens with.

/** Fields that a query selects, at most. */
const MAX_FIELDS = 8;

interface Rows {
  /** The text of a comment, on one line. */
  readonly about: string;
  readonly operation: string;
  /** The field of the database, and that of its list with its arguments. */
  readonly path: readonly [database: string, list: string];
  readonly fields: readonly { readonly graphqlName: string }[];
}

function rowsQuery({ about, operation, path: [database, list], fields }: Rows): string {
  const names = ['id', ...fields.slice(0, MAX_FIELDS).map(({ graphqlName }) => graphqlName)];
  return `# ${about}
# Ctrl-Enter runs the query.
query ${operation} {
  ${database} {
    ${list} {
      nodes {
        ${names.join('\n        ')}
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`;
}

/** A query of the rows of the first table of a database. Undefined for a database without tables. */
export function tableQuery({ key, queryField, typeName, tables: [table] }: TypedDatabase): string | undefined {
  if (!table) return undefined;
  const { name, listField, fields } = table;
  return rowsQuery({
    about: `Rows of ${name === null ? '' : `the table ${inComment(name)} of `}the database ${inComment(key)}.`,
    operation: typeName,
    path: [queryField, `${listField}(first: 5)`],
    fields: fields.filter(({ references }) => !references),
  });
}

/**
 * A query of the rows that anyone may read: of a database that shows all rows to everyone, else of one that shows each visitor
 * their own. Undefined where no method lists rows.
 */
export function publicQuery({ databases }: TypedModel): string | undefined {
  const lists = databases.flatMap(({ publicMethods }) => (publicMethods ? listsOf(publicMethods) : []));
  const found = lists.find(({ isScoped }) => !isScoped) ?? lists[0];
  if (!found) return undefined;
  const { code, queryField, typeName, fields } = found.methods;
  return rowsQuery({
    about: found.isScoped
      ? 'Rows of this browser alone: none at first.'
      : `Rows of the database ${inComment(code)}, for anyone.`,
    operation: typeName,
    path: [queryField, found.list],
    fields,
  });
}

interface PublicList {
  readonly methods: PublicMethods;
  /** The field, with its arguments. */
  readonly list: string;
  readonly isScoped: boolean;
}

function listsOf(methods: PublicMethods): PublicList[] {
  const { methods: on } = methods;
  const [all, search] = [on.get('list'), on.get('search')];
  const size = search?.allowed_params?.includes('limit') === false ? '' : '(first: 5)';
  return [
    ...(all ? [{ methods, list: 'list(first: 5)', isScoped: all.scope_by !== undefined }] : []),
    ...(search ? [{ methods, list: `search${size}`, isScoped: search.scope_by !== undefined }] : []),
  ];
}

/** A text of upstream in a line of a comment. */
function inComment(text: string): string {
  return JSON.stringify(text.slice(0, 60)).slice(1, -1);
}

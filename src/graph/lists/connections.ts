import type { OutputRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { type ArgBuilder, builder } from '../builder.ts';
import { selectedNames } from '../lookahead.ts';
import { type GatewayError, ValidationError } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';

/** A row of a connection. */
export interface Row<T> {
  readonly cursor: string;
  readonly node: T;
}

/** One page of a connection. Upstream is called only when one of its methods is. */
export interface Page<T> {
  readonly hasPreviousPage: boolean;
  /** Problems of rows that are not on any page, such as rows that cannot be read. The connection's field reports them. */
  readonly problems?: readonly GatewayError[];
  rows(): Promise<readonly Row<T>[]>;
  hasNextPage(): Promise<boolean>;
}

/** A page of a list that is in memory completely. */
export interface ListPage<T> extends Page<T> {
  readonly totalCount: number;
}

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'The position of a page in its connection.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      nullable: false,
      description: 'Whether more rows follow this page.',
      resolve: (page) => page.hasNextPage(),
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      nullable: false,
      description: 'Whether more rows precede this page.',
    }),
    startCursor: t.string({
      description: 'Cursor of the first edge.',
      resolve: async (page, _args, { pages }) => {
        pages.onCursor();
        return (await page.rows()).at(0)?.cursor;
      },
    }),
    endCursor: t.string({
      description: 'Cursor of the last edge. Pass it as `after` to get the next page.',
      resolve: async (page, _args, { pages }) => {
        pages.onCursor();
        return (await page.rows()).at(-1)?.cursor;
      },
    }),
  }),
});

/** Creates a connection type with `totalCount`, for lists that upstream returns completely. */
export function listConnectionOf(name: string, node: OutputRef<object | string>, about: string) {
  const connection = connectionOf<ListPage<object>>(name, node, about);
  builder.objectField(connection, 'totalCount', (t) =>
    t.exposeInt('totalCount', {
      nullable: false,
      description: 'Number of rows on all pages. Rows that cannot be read do not count.',
    }),
  );
  return connection;
}

/** Creates a connection type with `edges`, `nodes` and `pageInfo`. */
export function connectionOf<P extends Page<object> = Page<object>>(
  name: string,
  node: OutputRef<object | string>,
  about: string,
) {
  const Edge = builder.objectRef<Row<object>>(`${name}Edge`).implement({
    description: 'A node with its cursor.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        nullable: false,
        description: 'Cursor of the node, for `after` and `before`.',
      }),
      node: t.field({
        type: node,
        semanticNonNull: true,
        description: 'The node: null beside an error only.',
        resolve: (row) => row.node,
      }),
    }),
  });
  return builder.objectRef<P>(`${name}Connection`).implement({
    description: about,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        nullable: { list: true, items: true },
        semanticNonNull: true,
        description: 'The nodes of the page with their cursors.',
        resolve: async (page, _args, { pages }) => {
          pages.onCursor();
          return [...(await page.rows())];
        },
      }),
      nodes: t.field({
        type: [node],
        nullable: { list: true, items: true },
        semanticNonNull: true,
        description: 'The nodes of the page.',
        resolve: async (page) => (await page.rows()).map((row) => row.node),
      }),
      pageInfo: t.field({
        type: PageInfo,
        nullable: false,
        description: 'The position of the page.',
        resolve: (page) => page,
      }),
    }),
  });
}

const NONE: ReadonlySet<string> = new Set();

/** The parts of a page that an operation selects. */
export interface PageSelection {
  readonly rows: boolean;
  readonly hasNextPage: boolean;
}

/**
 * The parts of a page that are selected.
 *
 * @param info of the field that returns the connection
 * @param parts all, or those outside of deferred fragments
 */
export function pageSelection(info: GraphQLResolveInfo, parts: 'all' | 'first'): PageSelection {
  const ofPage = selectedNames(info, [], parts);
  const ofInfo = ofPage.has('pageInfo') ? selectedNames(info, ['pageInfo'], parts) : NONE;
  const rows = ofPage.has('nodes') || ofPage.has('edges') || ofInfo.has('startCursor') || ofInfo.has('endCursor');
  return { rows, hasNextPage: ofInfo.has('hasNextPage') };
}

/**
 * Reads the selected parts of a page before its field resolves, so that a failure is one error of that field and not one of
 * each part. A page of which deferred fragments alone select something is read with them.
 *
 * @param info of the field that returns the connection
 * @returns the page
 * @see docs/decisions/0008-a-page-reads-what-is-selected.md
 */
export async function readSelected<P extends Page<object>>(page: P, info: GraphQLResolveInfo): Promise<P> {
  const needed = pageSelection(info, 'first');
  await Promise.all([needed.rows && page.rows(), needed.hasNextPage && page.hasNextPage()]);
  return page;
}

const DEFAULT_SIZE = 20;

/** Rows of a page when neither `first` nor `last` is given: 20, or MAX_PAGE_SIZE where that is less. */
export function defaultSize(maxSize: number): number {
  return Math.min(DEFAULT_SIZE, maxSize);
}

/** Completes the description of an argument `first`. */
export const defaultSizeDescription = `Defaults to ${DEFAULT_SIZE}, or to MAX_PAGE_SIZE where that is less`;

/** The arguments of a connection, as Relay specifies them. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

export const connectionArguments = (arg: ArgBuilder) => ({
  first: arg.int({
    description: `Number of rows from the start, at most MAX_PAGE_SIZE. ${defaultSizeDescription}, unless \`last\` is given.`,
  }),
  after: arg.string({ description: 'Returns the rows after this cursor.' }),
  last: arg.int({ description: 'Number of rows from the end, at most MAX_PAGE_SIZE. Not beside `first`.' }),
  before: arg.string({ description: 'Returns the rows before this cursor.' }),
});

/** Digests the values by which a row is ordered. */
type DigestOf<T> = ((row: T) => string) | undefined;

/**
 * Creates a function that cuts a page from a complete list. The arguments are checked at once, before the list is read. A row of an
 * ordered list is digested when its cursor is selected.
 *
 * @param maxSize the setting MAX_PAGE_SIZE
 * @throws ValidationError for an invalid cursor or size, and for both sizes
 */
export function listPaging({ first, after, last, before }: PageArguments, maxSize: number) {
  if (typeof first === 'number' && typeof last === 'number') throw bothSizes();
  const [from, to] = [listCursor('after', after), listCursor('before', before)];
  const forwardSize = first ?? (typeof last === 'number' ? undefined : defaultSize(maxSize));
  const [maxRows, maxLastRows] = [
    forwardSize === undefined ? Infinity : pageSize(forwardSize, maxSize),
    typeof last === 'number' ? pageSize(last, maxSize, 'last') : Infinity,
  ];
  return <T extends { readonly id: string }>(list: Rows<T>, digestOf?: DigestOf<T>): ListPage<T> => {
    const firstOffset = from ? offsetAfter(positionOf(list, from, digestOf)) : 0;
    const endLimit = Math.max(firstOffset, to ? positionOf(list, to, digestOf).offset : list.length);
    const end = Math.min(endLimit, firstOffset + maxRows);
    const start = Math.max(firstOffset, end - maxLastRows);
    const { missing } = list;
    if (missing && from && start >= list.length) throw missing.problem;
    const rows = Array.from(list.slice(start, end), (node, index) => ({
      node,
      get cursor() {
        return `${cursorAt(start + index)}${digestOf ? `~${digestOf(node)}` : ''}:${node.id}`;
      },
    }));
    return {
      totalCount: Math.max(missing?.total ?? 0, list.length), // a total may be that of a page
      problems: list.problems,
      hasPreviousPage: start > 0,
      rows: async () => rows,
      hasNextPage: async () => end < list.length || (missing !== undefined && end > 0),
    };
  };
}

function bothSizes(): ValidationError {
  const message =
    '`first` and `last` are given. Leave out `last` for rows from the start, or `first` for rows from the end.';
  return new ValidationError(message, { first: ['goes without last'], last: ['goes without first'] });
}

/** The id of the row that a page goes on from. Undefined for a page at the start or the end of its list. */
export function continuedRow({ after, before }: PageArguments): string | undefined {
  return (listCursor('after', after) ?? listCursor('before', before))?.id;
}

/** The parsed cursor of a row: its offset, its id unless the cursor is one of a search, and its digest in an ordered list. */
interface ListCursor {
  readonly offset: number;
  readonly id: string | undefined;
  readonly digest: string | undefined;
}

function listCursor(argument: string, cursor: string | null | undefined): ListCursor | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const { offset, digest, id } = LIST_CURSOR.exec(cursor)?.groups ?? {};
  if (offset === undefined) throw invalidCursor(argument);
  return { offset: Number(offset), digest, id };
}

const LIST_CURSOR = /^offset:(?<offset>0|[1-9]\d{0,8})(?:(?:~(?<digest>[\w-]+))?:(?<id>.+))?$/s;

/**
 * The current offset of a row, which changes when records before it are added or removed. A removed row keeps its old offset, and so
 * does one that its own change has moved: the rows before and behind its place are the same, but for the row itself.
 */
function positionOf<T extends { readonly id: string }>(
  list: Rows<T>,
  { offset, digest, id }: ListCursor,
  digestOf: DigestOf<T>,
) {
  if (id === undefined || list.at(offset)?.id === id) return { offset, found: true };
  const current = Array.from(list).findIndex((record) => record.id === id);
  const row = list.at(current);
  const isChanged = row && digest !== undefined && digestOf && digestOf(row) !== digest;
  if (row && !isChanged) return { offset: current, found: true };
  return { offset: Math.min(row && current < offset ? offset + 1 : offset, list.length), found: false };
}

function offsetAfter({ offset, found }: { readonly offset: number; readonly found: boolean }): number {
  return found ? offset + 1 : offset;
}

const CURSOR = /^offset:(0|[1-9]\d{0,9})$/;

/** The cursor of the row at an offset. It points at another row once records before it are added or removed. */
export function cursorAt(offset: number): string {
  return `offset:${offset}`;
}

/**
 * The offset of the first row after a cursor; 0 without one.
 *
 * @throws ValidationError for a text that is no cursor
 */
export function offsetOfCursor(after: string | null | undefined): number {
  if (after === null || after === undefined) return 0;
  const [, offset] = CURSOR.exec(after) ?? [];
  if (offset !== undefined) return Number(offset) + 1;
  throw invalidCursor('after');
}

/** The error for a text that is no cursor of its connection. */
export function invalidCursor(argument: string): ValidationError {
  const source = argument === 'before' ? 'startCursor' : 'endCursor';
  const message = `\`${argument}\` takes a cursor of this connection, such as the \`${source}\` of a page's \`pageInfo\`.`;
  return new ValidationError(message, { [argument]: ['is no cursor'] });
}

/**
 * Checks the size of a page and returns it.
 *
 * @param argument the name of the GraphQL argument
 * @throws ValidationError for a size below 0 or above `max`
 */
export function pageSize(size: number, max: number, argument = 'first'): number {
  if (size >= 0 && size <= max) return size;
  throw new ValidationError(`\`${argument}\` takes 0 to ${max}.`, { [argument]: [`takes 0 to ${max}`] });
}

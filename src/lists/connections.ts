import type { OutputRef } from '@pothos/core';
import { type ArgBuilder, builder } from '../builder.ts';
import { ValidationError } from '../http/errors.ts';

/** A row of a connection. */
export interface Row<T> {
  readonly cursor: string;
  readonly node: T;
}

/** One page of a connection. Nothing is called before one of its parts is asked for. */
export interface Page<T> {
  readonly hasPreviousPage: boolean;
  rows(): Promise<readonly Row<T>[]>;
  hasNextPage(): Promise<boolean>;
}

/** A page of a list that is known as a whole. */
export interface ListPage<T> extends Page<T> {
  readonly totalCount: number;
}

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Where a page is in its connection.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      nullable: false,
      description: 'Whether there is more after it.',
      resolve: (page) => page.hasNextPage(),
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      nullable: false,
      description: 'Whether there is more before it.',
    }),
    startCursor: t.string({
      description: 'Cursor of its first edge.',
      resolve: async (page) => (await page.rows()).at(0)?.cursor,
    }),
    endCursor: t.string({
      description: 'Cursor of its last edge: the `after` of the next page.',
      resolve: async (page) => (await page.rows()).at(-1)?.cursor,
    }),
  }),
});

/** The connection type over lists that are known as a whole: it counts them. */
export function listConnectionOf(name: string, node: OutputRef<object | string>, about: string) {
  const connection = connectionOf<ListPage<object>>(name, node, about);
  builder.objectField(connection, 'totalCount', (t) =>
    t.exposeInt('totalCount', { nullable: false, description: 'How many there are on all pages together.' }),
  );
  return connection;
}

/** The connection type over a node type, `nodes` beside `edges`. */
export function connectionOf<P extends Page<object> = Page<object>>(
  name: string,
  node: OutputRef<object | string>,
  about: string,
) {
  const Edge = builder.objectRef<Row<object>>(`${name}Edge`).implement({
    description: 'A node and where it is in the connection.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', { nullable: false, description: 'For `after` and `before`.' }),
      node: t.field({ type: node, nullable: false, description: 'The node.', resolve: (row) => row.node }),
    }),
  });
  return builder.objectRef<P>(`${name}Connection`).implement({
    description: about,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'The nodes of the page with their cursors.',
        resolve: async (page) => [...(await page.rows())],
      }),
      nodes: t.field({
        type: [node],
        description: 'The nodes of the page.',
        resolve: async (page) => (await page.rows()).map((row) => row.node),
      }),
      pageInfo: t.field({
        type: PageInfo,
        nullable: false,
        description: 'Where the page is.',
        resolve: (page) => page,
      }),
    }),
  });
}

/** Rows of a page whose size nobody gave. */
export const DEFAULT_SIZE = 20;

/** Which rows of a list to show: Relay's arguments. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

export const connectionArguments = (arg: ArgBuilder) => ({
  first: arg.int({
    description: `How many from the start, at most MAX_PAGE_SIZE; ${DEFAULT_SIZE} unless \`last\` is given.`,
  }),
  after: arg.string({ description: 'Cursor of the row before the first.' }),
  last: arg.int({ description: 'How many from the end, at most MAX_PAGE_SIZE.' }),
  before: arg.string({ description: 'Cursor of the row behind the last.' }),
});

/**
 * How to make a page of a list that is there as a whole. Its arguments are looked at first, before the list is read.
 *
 * @throws ValidationError for arguments that name no page
 */
export function listPaging({ first, after, last, before }: PageArguments, maxSize: number) {
  const [from, to] = [listCursor('after', after), listCursor('before', before)];
  const ahead = first ?? (typeof last === 'number' ? undefined : DEFAULT_SIZE);
  const [most, lastMost] = [
    ahead === undefined ? Infinity : pageSize(ahead, maxSize),
    typeof last === 'number' ? pageSize(last, maxSize, 'last') : Infinity,
  ];
  return <T extends { readonly id: string }>(list: readonly T[]): ListPage<T> => {
    const begin = from ? offsetBehind(positionOf(list, from)) : 0;
    const bound = Math.max(begin, to ? positionOf(list, to).offset : list.length);
    const end = Math.min(bound, begin + most);
    const start = Math.max(begin, end - lastMost);
    const rows = list
      .slice(start, end)
      .map((node, index) => ({ cursor: `${cursorAt(start + index)}:${node.id}`, node }));
    return {
      totalCount: list.length,
      hasPreviousPage: start > 0,
      rows: async () => rows,
      hasNextPage: async () => end < list.length,
    };
  };
}

/** The cursor of a row in a list: where it was and, unless it is one of a search, which one it is. */
interface ListCursor {
  readonly offset: number;
  readonly id: string | undefined;
}

function listCursor(argument: string, cursor: string | null | undefined): ListCursor | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const { offset, id } = /^offset:(?<offset>0|[1-9]\d{0,8})(?::(?<id>.+))?$/s.exec(cursor)?.groups ?? {};
  if (offset === undefined) throw invalidCursor(argument);
  return { offset: Number(offset), id };
}

/** Where a row is by now: what came or went before it has moved it. Once it is gone, where it was. */
function positionOf(list: readonly { readonly id: string }[], { offset, id }: ListCursor) {
  if (id === undefined || list[offset]?.id === id) return { offset, found: true };
  const moved = list.findIndex((record) => record.id === id);
  return moved === -1 ? { offset: Math.min(offset, list.length), found: false } : { offset: moved, found: true };
}

function offsetBehind({ offset, found }: { readonly offset: number; readonly found: boolean }): number {
  return found ? offset + 1 : offset;
}

const CURSOR = /^offset:(0|[1-9]\d{0,8})$/;

/** The cursor of the row at an offset: it stays good as long as nothing before it comes or goes. */
export function cursorAt(offset: number): string {
  return `offset:${offset}`;
}

/** The offset at which a page begins. */
export function offsetOfCursor(after: string | null | undefined): number {
  if (after === null || after === undefined) return 0;
  const [, offset] = CURSOR.exec(after) ?? [];
  if (offset !== undefined) return Number(offset) + 1;
  throw invalidCursor('after');
}

function invalidCursor(argument: string): ValidationError {
  const source = argument === 'before' ? 'startCursor' : 'endCursor';
  const message = `\`${argument}\` takes a cursor of this connection, such as the \`${source}\` of a page's \`pageInfo\`.`;
  return new ValidationError(message, { [argument]: ['is no cursor'] });
}

/** How many rows a page has, once it is checked. */
export function pageSize(size: number, max: number, argument = 'first'): number {
  if (size >= 0 && size <= max) return size;
  throw new ValidationError(`\`${argument}\` takes 0 to ${max}.`, { [argument]: [`takes 0 to ${max}`] });
}

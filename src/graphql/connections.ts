import type { OutputRef } from '@pothos/core';
import { builder } from '../builder.ts';
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

/** The connection type over a node type, `nodes` beside `edges`. */
export function connectionOf(name: string, node: OutputRef<object | string>, about: string) {
  const Edge = builder.objectRef<Row<object>>(`${name}Edge`).implement({
    description: 'A node and where it is in the connection.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', { nullable: false, description: 'For `after`.' }),
      node: t.field({ type: node, nullable: false, description: 'The node.', resolve: (row) => row.node }),
    }),
  });
  return builder.objectRef<Page<object>>(`${name}Connection`).implement({
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

const CURSOR = /^offset:(0|[1-9]\d{0,8})$/;

/** The cursor of the row at an offset: it stays good as long as nothing before it comes or goes. */
export function cursorAt(offset: number): string {
  return `offset:${offset}`;
}

/** The offset at which a page begins. */
export function offsetAfter(after: string | null | undefined): number {
  if (after === null || after === undefined) return 0;
  const [, offset] = CURSOR.exec(after) ?? [];
  if (offset !== undefined) return Number(offset) + 1;
  throw new ValidationError('`after` takes a cursor of this connection.', { after: ['is no cursor'] });
}

/** How many rows a page has. */
export function pageSize(first: number | null | undefined, fallback: number, max: number): number {
  const size = first ?? fallback;
  if (size >= 0 && size <= max) return size;
  throw new ValidationError(`\`first\` takes 0 to ${max}.`, { first: [`takes 0 to ${max}`] });
}

/** A page of a list that is there as a whole. */
export function pageOfList<T>(read: () => Promise<readonly T[]>, offset: number, size: number): Page<T> {
  return {
    hasPreviousPage: offset > 0,
    rows: async () =>
      (await read()).slice(offset, offset + size).map((node, index) => ({ cursor: cursorAt(offset + index), node })),
    hasNextPage: async () => (await read()).length > offset + size,
  };
}

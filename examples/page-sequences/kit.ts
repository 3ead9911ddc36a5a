import type { Connection } from '../../kits/src/connection.ts';

/** A query of a page. */
export interface PageQuery {
  /** Name of its operation. */
  readonly name: string;
  /** Its document. The directive `@page` stands at a list whose next pages can be read, with the variable `after`: no schema has it. */
  readonly text: string;
  /** Where that list is in the data. */
  readonly list?: readonly string[];
  /** Its variables, of two numbers from 0 to 11. */
  readonly variables?: (one: number, other: number) => Variables;
}

export type Variables = Readonly<Record<string, unknown>>;

/** A write with its `Idempotency-Key`. */
export interface Write {
  /** The mutation, which is the only root field of the document, without an alias. */
  readonly field: string;
  readonly text: string;
  readonly variables: Variables;
  readonly key: string;
  /** The data of an answer that the page shows until the true one has come. */
  readonly optimistic?: Readonly<Record<string, object>>;
}

export type Policy = 'cache-first' | 'cache-and-network' | 'network-only';

/** A query that a page shows. */
export interface View {
  /** The data as the page shows it, or undefined where the cache calls it stale, or lacks a part of it. */
  shown(): unknown;
  /** Reads the next page of its list, behind this cursor. Resolves when that has ended, well or not. */
  more(after: string): Promise<unknown>;
  unmount(): void;
}

/** A client of a kit with an empty cache. */
export interface Page {
  mount(query: PageQuery, variables: Variables, policy: Policy): View;
  /** Resolves when the write has ended, well or not. */
  write(write: Write): Promise<unknown>;
  close(): void;
}

/** What a test of a kit gives. Of each mutation the client has the updater that the guides name. */
export interface Kit {
  /** Whether the library itself reads again what is stale and shown. Then nothing is stale when no request is under way. */
  readonly readsAgain: boolean;
  open(connection: Connection): Page;
}

import { type GatewayError, invalidInput, missingAsNull, QueryLimitError } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import { invalidCursor, type Page, type Row } from '../../graph/lists/connections.ts';
import type { ForumPostRecord } from './wire.ts';

/** Reads a page of the forum by its number, from 1. */
type ReadForumPage = (page: number) => Promise<Rows<ForumPostRecord>>;

/** Where a page of a connection begins in the pages of the forum. */
interface ForumPosition {
  /** The number of the forum's page, from 1. */
  readonly page: number;
  /** The number of its rows that come before, those that cannot be read among them. */
  readonly position: number;
  /** The length of the longest page that was seen, and 0 when none was. */
  readonly longest: number;
  /** The suggestion that comes before. */
  readonly after?: string;
}

const CURSOR = /^page:(?<page>[1-9]\d{0,9}):(?<position>0|[1-9]\d{0,5}):(?<longest>[1-9]\d{0,5}):(?<after>.+)$/s;

/**
 * The position after a cursor; without one the start of the page with this number, or of the first.
 *
 * @throws ValidationError for a text that is no cursor, and for a cursor beside a number
 */
export function forumPosition(cursor: string | null | undefined, number?: number | null): ForumPosition {
  if (cursor === null || cursor === undefined) return { page: number ?? 1, position: 0, longest: 0 };
  if (typeof number === 'number') throw invalidInput('page', 'cannot be combined with `after`');
  const { page, position, longest, after } = CURSOR.exec(cursor)?.groups ?? {};
  if (after === undefined) throw invalidCursor('after');
  return { page: Number(page), position: Number(position), longest: Number(longest), after };
}

/**
 * A page of a connection over the pages of the forum, which has no total and does not say how long its pages are. It reads
 * them one after the other, until it has its rows, and a further one only to learn whether more rows follow. Once it has a row and the
 * operation may make no further call, it ends there, and more rows may follow.
 *
 * Not documented (A248): a page that is shorter than one before it is the last; so is one that holds no other suggestions than
 * the ones before it, or that is 404.
 */
export class ForumPostPage implements Page<ForumPostRecord> {
  readonly hasPreviousPage: boolean;
  /** Problems of the pages that were read so far. */
  readonly problems: GatewayError[] = [];
  readonly #start: ForumPosition;
  readonly #size: number;
  readonly #read: ReadForumPage;
  /** The suggestions that come before the next row, as far as they were read. */
  readonly #passed = new Set<string>();
  #rows: Promise<readonly Row<ForumPostRecord>[]> | undefined;
  #hasNextPage: Promise<boolean> | undefined;
  readonly #found: Row<ForumPostRecord>[] = [];
  /** Whether a limit of the operation has ended the page. */
  #isCut = false;
  #number: number;
  /** Undefined before the first read, and once the last page was read. */
  #page: Rows<ForumPostRecord> | undefined;
  #index = 0;
  #cursorOf: CursorOf = () => '';
  #longest: number;

  constructor(start: ForumPosition, size: number, read: ReadForumPage) {
    this.hasPreviousPage = start.after !== undefined || start.page > 1;
    this.#start = start;
    this.#size = size;
    this.#read = read;
    this.#number = start.page;
    this.#longest = start.longest;
  }

  async rows(): Promise<readonly Row<ForumPostRecord>[]> {
    return (this.#rows ??= this.#readRows());
  }

  async hasNextPage(): Promise<boolean> {
    return (this.#hasNextPage ??= this.#readNextPage());
  }

  async #readRows(): Promise<readonly Row<ForumPostRecord>[]> {
    const rows = this.#found;
    if (this.#size === 0) return rows;
    await this.#open();
    while (rows.length < this.#size) {
      const node = this.#here() ?? (await this.#peek());
      if (!node) break;
      rows.push(new PostRow(node, this.#index, this.#cursorOf));
      this.#passed.add(node.id);
      this.#index += 1;
    }
    return rows;
  }

  async #readNextPage(): Promise<boolean> {
    await this.rows();
    if (this.#size === 0) await this.#open();
    return (await this.#peek()) !== undefined || this.#isCut;
  }

  /** Reads the page of the cursor, and finds the row after it. */
  async #open(): Promise<void> {
    const { position, after } = this.#start;
    const page = await this.#readPage(this.#number);
    if (page === null && after === undefined) await this.#readPage(1); // 404: whether there are suggestions at all
    this.#take(page);
    if (after === undefined || this.#page === undefined) return;
    const found = indexOf(this.#page, after);
    if (found !== -1) return this.#skipTo(found + 1);
    if (position === 0) return;
    // The suggestion was deleted, or newer ones have moved it to the next page.
    const next = await this.#readPage(this.#number + 1);
    const moved = next ? indexOf(next, after) : -1;
    this.#skipTo(indexAt(this.#page, moved === -1 ? position - 1 : Infinity));
    if (moved === -1) return;
    this.#number += 1;
    this.#take(next);
    this.#skipTo(moved + 1);
  }

  /** The row that comes next on the page that was read. Undefined at its end. */
  #here(): ForumPostRecord | undefined {
    let row = this.#page?.at(this.#index);
    while (row && this.#passed.has(row.id)) row = this.#page?.at((this.#index += 1));
    return row;
  }

  /** The row that comes next. Reads the next page at the end of one. Undefined at the end of the last. */
  async #peek(): Promise<ForumPostRecord | undefined> {
    let row = this.#here();
    while (!row && this.#page) {
      await this.#turn();
      row = this.#here();
    }
    return row;
  }

  async #turn(): Promise<void> {
    const isLast = this.#page !== undefined && this.#page.total < this.#longest;
    this.#number += 1;
    this.#take(isLast ? null : await this.#readPage(this.#number).catch((error: unknown) => this.#cut(error)));
  }

  #cut(error: unknown): null {
    this.#isCut = error instanceof QueryLimitError && this.#found.length > 0;
    if (this.#isCut) return null;
    throw error;
  }

  /** Goes on with a page that was read. One without new rows ends the list. */
  #take(page: Rows<ForumPostRecord> | null): void {
    this.#index = 0;
    const isRepeated = page !== null && page.length > 0 && !page.some(({ id }) => !this.#passed.has(id));
    if (page && !isRepeated) this.problems.push(...page.problems);
    this.#page = page && page.length > 0 && !isRepeated ? page : undefined;
    if (!this.#page) return;
    this.#longest = Math.max(this.#longest, this.#page.total);
    this.#cursorOf = cursorsOf(this.#page, this.#number, this.#longest);
  }

  /** Null for a page beyond the last one. */
  async #readPage(number: number): Promise<Rows<ForumPostRecord> | null> {
    return number === 1 ? this.#read(number) : this.#read(number).catch(missingAsNull);
  }

  #skipTo(index: number): void {
    for (const { id } of this.#page?.slice(0, index) ?? []) this.#passed.add(id);
    this.#index = index;
  }
}

/** Makes the cursor of a row from the index in its page. */
type CursorOf = (row: ForumPostRecord, index: number) => string;

/** Of a page that was read. After its last row, unless it is the last page, the next one is read alone. */
function cursorsOf(page: Rows<ForumPostRecord>, number: number, longest: number): CursorOf {
  return ({ id }, index) => {
    const next = page.positionAt(index) + 1;
    const [shownPage, position] = next === page.total && next === longest ? [number + 1, 0] : [number, next];
    return `page:${shownPage}:${position}:${longest}:${id}`;
  };
}

/** Its cursor is made when it is selected: most operations select no other one than the last. */
class PostRow implements Row<ForumPostRecord> {
  readonly node: ForumPostRecord;
  readonly #index: number;
  readonly #cursorOf: CursorOf;

  constructor(node: ForumPostRecord, index: number, cursorOf: CursorOf) {
    this.node = node;
    this.#index = index;
    this.#cursorOf = cursorOf;
  }

  get cursor(): string {
    return this.#cursorOf(this.node, this.#index);
  }
}

/** The index of a suggestion among the rows of a page; -1 when it is not there. */
function indexOf(page: Rows<ForumPostRecord>, id: string): number {
  return Array.from(page).findIndex((row) => row.id === id);
}

/** The index of the first row at a position or behind it. */
function indexAt(page: Rows<ForumPostRecord>, position: number): number {
  const index = Array.from(page).findIndex((_row, at) => page.positionAt(at) >= position);
  return index === -1 ? page.length : index;
}

import type { GatewayError } from '../errors.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';

/** The number of rows in one step. */
const STEP_ROWS = 64;

/** The places of a list's rows in the response of upstream. */
export interface Positions {
  /** The position of each row. */
  readonly of: readonly number[];
  /** The number of rows in the response. */
  readonly total: number;
}

/** The pagination metadata of a list response. A link may contain a credential, so only its page number is kept. */
export interface Pagination {
  /** The number of rows on all pages; undefined when the response does not state it. */
  readonly total: number | undefined;
  /** The number of the next page; undefined without a link to the same list. */
  readonly nextPage: number | undefined;
  /** Whether the response states that more rows follow. */
  readonly hasMore: boolean;
}

/** The pagination metadata of a list with missing rows. */
export interface MissingRows extends Pagination {
  /** The error at the field that shows the list, and of every result that depends on the absence of a row. */
  readonly problem: GatewayError;
}

/**
 * The rows of a list, with the problems of the list, such as rows that were left out. The field that shows the list reports
 * each problem as an error at its path. Lists that are made by its methods keep the problems.
 */
export class Rows<T> implements Iterable<T> {
  readonly #rows: readonly T[];
  #problems: readonly GatewayError[];
  readonly #positions: Positions | undefined;
  #missing: MissingRows | undefined;
  #findings: Findings<T> | undefined;

  /**
   * @param positions those of rows beside some that were left out. Default: their indexes
   * @param missing undefined for a complete list
   */
  constructor(
    rows: readonly T[],
    problems: readonly GatewayError[] = [],
    positions?: Positions,
    missing?: MissingRows,
  ) {
    this.#rows = rows;
    this.#problems = problems;
    this.#positions = positions;
    this.#missing = missing;
  }

  get length(): number {
    return this.#rows.length;
  }

  get problems(): readonly GatewayError[] {
    return this.#missing ? [...this.#problems, this.#missing.problem] : this.#problems;
  }

  /** Undefined unless the pagination metadata states more rows than the list has. */
  get missing(): MissingRows | undefined {
    return this.#missing;
  }

  /** For results that depend on the absence of a row. @throws GatewayError for a list with missing rows */
  assertComplete(): void {
    if (this.#missing) throw this.#missing.problem;
  }

  /** The number of rows in the response of upstream, with those that were left out. */
  get total(): number {
    return this.#positions?.total ?? this.length;
  }

  /** Memoized results of list rules. Each is computed once for all fields that ask. */
  get findings(): Findings<T> {
    return (this.#findings ??= { sentKeys: new Map(), contents: new Map(), arranged: new Map(), groups: new Map() });
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#rows[Symbol.iterator]();
  }

  at(index: number): T | undefined {
    return this.#rows[index];
  }

  /** The position of the row at an index in the response of upstream. */
  positionAt(index: number): number {
    return this.#positions?.of[index] ?? index;
  }

  find(isIt: (row: T) => boolean): T | undefined {
    return this.#rows.find(isIt);
  }

  some(isIt: (row: T) => boolean): boolean {
    return this.#rows.some(isIt);
  }

  /** Whether the row itself, and not an equal one, is in the list. */
  includes(row: T): boolean {
    const { findings } = this;
    return (findings.members ??= new Set(this.#rows)).has(row);
  }

  filter(holds: (row: T) => boolean): Rows<T> {
    return this.derive(this.#rows.filter(holds));
  }

  slice(start: number, end: number): Rows<T> {
    return this.derive(this.#rows.slice(start, end));
  }

  /**
   * Maps each row, at the same position.
   *
   * @returns a promise for a list that takes long only
   */
  map<Mapped>(map: (row: T) => Mapped): Rows<Mapped> | Promise<Rows<Mapped>> {
    return this.length < STEP_ROWS ? atOnce(this.#mapping(map)) : inSlices(this.#mapping(map));
  }

  *#mapping<Mapped>(map: (row: T) => Mapped): Steps<Rows<Mapped>> {
    const mapped: Mapped[] = [];
    for (const row of this.#rows) {
      mapped.push(map(row));
      if (mapped.length % STEP_ROWS === 0) yield;
    }
    return new Rows(mapped, this.#problems, this.#positions, this.#missing);
  }

  /**
   * Creates a list of rows that were made from those of this one.
   *
   * @param problems further ones, beside those of this list
   */
  derive<Derived>(rows: readonly Derived[], problems: readonly GatewayError[] = []): Rows<Derived> {
    const all = problems.length === 0 ? this.#problems : [...this.#problems, ...problems];
    return new Rows(rows, all, undefined, this.#missing);
  }

  /** The same rows, as a list with missing rows. */
  withMissing(missing: MissingRows): Rows<T> {
    return new Rows(this.#rows, this.#problems, this.#positions, missing);
  }

  /** Changes the problems of a list that was just decoded. */
  mapProblems(map: (problem: GatewayError) => GatewayError): void {
    this.#problems = this.#problems.map(map);
    if (this.#missing) this.#missing = { ...this.#missing, problem: map(this.#missing.problem) };
  }
}

/**
 * The values of a list under a key: `values` when one can be decoded, `nothing` when all are null, the error when the
 * others cannot be decoded, `no key` when no record has the key.
 */
export type Content = 'values' | 'nothing' | GatewayError | 'no key';

/** The rows of a list by the ids that they refer to. */
export interface Groups<T> {
  readonly byId: ReadonlyMap<string, Rows<T>>;
  /** The rows of any other id. */
  readonly none: Rows<T>;
}

/** A list may live as long as the process. More results of a kind are not kept. */
const MAX_FINDINGS = 32;

/** Keeps a result of a list. Beyond 32 the oldest one goes. */
export function keepFinding<Key, Value>(findings: Map<Key, Value>, key: Key, value: Value): void {
  findings.set(key, value);
  if (findings.size <= MAX_FINDINGS) return;
  const [oldest] = findings.keys();
  if (oldest !== undefined) findings.delete(oldest);
}

/** Memoized results of the rules of lists. They live as long as the list. */
interface Findings<T> {
  readonly sentKeys: Map<PropertyKey, boolean>;
  /** By decoder and key. */
  readonly contents: Map<unknown, Map<PropertyKey, Content>>;
  /** Filtered and ordered rows, by a hash of what was asked for. */
  readonly arranged: Map<string, Promise<Rows<T>>>;
  /** By the key with the ids. */
  readonly groups: Map<PropertyKey, Groups<T> | Promise<Groups<T>>>;
  members?: ReadonlySet<T>;
}

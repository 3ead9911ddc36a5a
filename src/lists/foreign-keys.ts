import { BadResponseError } from '../http/errors.ts';
import { identifier } from '../http/formats/leaves.ts';
import { withProblems } from '../http/problems.ts';
import { inSlices, type Steps } from '../http/slices.ts';
import { checkingDecodable, decodeOrUndefined } from './decodable.ts';

/** The records of a list by the ids that they refer to. */
interface Index<T> {
  readonly rows: ReadonlyMap<string, readonly T[]>;
  /** The rows of any other id. */
  readonly none: readonly T[];
}

/**
 * Creates a lookup of the records in a list that refer to another record under `key`, such as the deals of a client. Each
 * list is indexed once. A record whose reference cannot be read refers to no record: the result has a problem that counts
 * such records, see `problemsOf`. A promise for a list that takes long only.
 */
export function indexByForeignKey<T extends object>(key: keyof T & string) {
  const indexes = new WeakMap<readonly T[], Index<T> | Promise<Index<T>>>();
  return (list: readonly T[], id: string): readonly T[] | Promise<readonly T[]> => {
    const index = indexes.get(list) ?? inSlices(indexing(list, key));
    indexes.set(list, index);
    return index instanceof Promise ? index.then((built) => rowsOf(built, id)) : rowsOf(index, id);
  };
}

function rowsOf<T>({ rows, none }: Index<T>, id: string): readonly T[] {
  return rows.get(id) ?? none;
}

/** The number of rows in one step. */
const STEP_ROWS = 64;

function* indexing<T extends object>(list: readonly T[], key: keyof T & string): Steps<Index<T>> {
  if (list.length > 0) yield* checkingDecodable(list, [key], identifier);
  const rows = new Map<string, T[]>();
  let unreadable = 0;
  let row = 0;
  for (const record of list) {
    if (++row % STEP_ROWS === 0) yield;
    const id = decodeOrUndefined(identifier, record[key]);
    if (id === undefined) unreadable += 1;
    if (id === undefined || id === null) continue;
    const others = rows.get(id);
    if (others) others.push(record);
    else rows.set(id, [record]);
  }
  const counted = `${unreadable} of ${list.length} rows ${unreadable === 1 ? 'was' : 'were'} left out`;
  const why = `because ${unreadable === 1 ? 'its' : 'their'} \`${key}\` cannot be read`;
  const problems = unreadable === 0 ? [] : [new BadResponseError(`${counted}, ${why}.`)];
  for (const referring of rows.values()) withProblems(referring, problems);
  return { rows, none: withProblems([], problems) };
}

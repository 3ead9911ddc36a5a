import { BadResponseError } from '../../errors.ts';
import { identifier } from '../../formats/leaves.ts';
import type { Groups, Rows } from '../../formats/rows.ts';
import { inSlices, type Steps } from '../../formats/slices.ts';
import { checkingDecodable, decodeOrUndefined } from './decodable.ts';

/**
 * Looks up the records in a list that refer to another record under `key`, such as the deals of a client. Each list is
 * indexed once. A record whose reference cannot be read refers to no record: the result has a problem that counts such
 * records, beside those of the list.
 *
 * @returns a promise for a list that takes long only
 * @throws GatewayError for a list with missing rows
 */
export function referringRows<T extends object>(
  list: Rows<T>,
  key: keyof T & string,
  id: string,
): Rows<T> | Promise<Rows<T>> {
  list.assertComplete();
  const { groups } = list.findings;
  const index = groups.get(key) ?? inSlices(indexing(list, key));
  groups.set(key, index);
  return index instanceof Promise ? index.then((built) => rowsOf(built, id)) : rowsOf(index, id);
}

function rowsOf<T>({ byId, none }: Groups<T>, id: string): Rows<T> {
  return byId.get(id) ?? none;
}

/** The number of rows in one step. */
const STEP_ROWS = 64;

function* indexing<T extends object>(list: Rows<T>, key: keyof T & string): Steps<Groups<T>> {
  if (list.length > 0) yield* checkingDecodable(list, [key], identifier);
  const rowsById = new Map<string, T[]>();
  let unreadable = 0;
  let row = 0;
  for (const record of list) {
    if (++row % STEP_ROWS === 0) yield;
    const id = decodeOrUndefined(identifier, record[key]);
    if (id === undefined) unreadable += 1;
    if (id === undefined || id === null) continue;
    const others = rowsById.get(id);
    if (others) others.push(record);
    else rowsById.set(id, [record]);
  }
  const counted = `${unreadable} of ${list.length} rows ${unreadable === 1 ? 'was' : 'were'} left out`;
  const why = `because ${unreadable === 1 ? 'its' : 'their'} \`${key}\` cannot be read`;
  const none = list.derive<T>([], unreadable === 0 ? [] : [new BadResponseError(`${counted}, ${why}.`)]);
  const byId = new Map<string, Rows<T>>();
  for (const [id, rows] of rowsById) {
    byId.set(id, none.derive(rows));
    if (byId.size % STEP_ROWS === 0) yield;
  }
  return { byId, none };
}

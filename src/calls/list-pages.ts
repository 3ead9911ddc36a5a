import { GatewayError, shownMessage, type UpstreamCall } from '../errors.ts';
import { records, type UpstreamRecord } from '../formats/decode.ts';
import { missingRows } from '../formats/pagination.ts';
import { Rows } from '../formats/rows.ts';
import { decodeInContext } from './exchange.ts';
import type { Parsed } from './requests.ts';

/** The rows of several pages of a list. */
class PagedList {
  readonly #rows = new Map<string, UpstreamRecord>();
  readonly #problems: GatewayError[] = [];
  readonly #call: UpstreamCall;
  #received = 0;
  #total: number | undefined;

  constructor(call: UpstreamCall) {
    this.#call = call;
  }

  /** Adds the rows of a page whose ids are new. @returns whether there are any */
  add(page: Rows<UpstreamRecord>): boolean {
    const { missing } = page;
    const before = this.#rows.size;
    for (const row of page) if (!this.#rows.has(row.id)) this.#rows.set(row.id, row);
    const added = this.#rows.size - before;
    this.#problems.push(...page.problems.filter((problem) => problem !== missing?.problem));
    this.#received += page.total - page.length + added;
    this.#total = missing?.total ?? this.#total;
    return added > 0;
  }

  /**
   * @param hasMore whether rows follow that were not read
   * @param reason a sentence that says why
   */
  rows(hasMore: boolean, reason?: string): Rows<UpstreamRecord> {
    const missing = missingRows(this.#received, { total: this.#total, nextPage: undefined, hasMore }, reason);
    const inCall = decodeInContext(this.#call, () => new Rows<UpstreamRecord>([], [], undefined, missing));
    return inCall.derive([...this.#rows.values()], this.#problems);
  }
}

/**
 * Reads the pages after the first one, while each links to the next one and has a row with a new id. When a page cannot be read, the
 * result is a list with missing rows.
 *
 * @param call the call of the first page, for errors
 * @param read reads the page with this number
 */
export async function readPages(
  first: Rows<UpstreamRecord>,
  call: UpstreamCall,
  read: (page: number) => Promise<Rows<UpstreamRecord>>,
): Promise<Rows<UpstreamRecord>> {
  const list = new PagedList(call);
  list.add(first);
  let [page, last] = [first, 1];
  while (page.missing?.nextPage !== undefined && page.missing.nextPage > last) {
    last = page.missing.nextPage;
    const next = await read(last).catch(asGatewayError);
    if (next instanceof GatewayError)
      return list.rows(true, `Page ${last} could not be read: ${shownMessage(next, true)}`);
    if (!list.add(next)) return list.rows(true, `Page ${last} has no new row.`);
    page = next;
  }
  return list.rows(page.missing?.hasMore === true);
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}

type List = Rows<UpstreamRecord> | Promise<Rows<UpstreamRecord>>;

const decodedLists = new WeakMap<object, List>();

/** Decodes the records of a list, once for all operations that share its response. */
export function decodedOnce(parsed: Parsed<unknown>, key: string | undefined): List {
  const { body } = parsed;
  const isKey = typeof body === 'object' && body !== null;
  const known = isKey ? decodedLists.get(body) : undefined;
  if (known) return known;
  const decoded = decodedRecords(parsed, key);
  if (isKey) decodedLists.set(body, decoded);
  return decoded;
}

/** Decodes the records of a list. A promise for a long one only. */
export function decodedRecords({ body, call, pagination }: Parsed<unknown>, key: string | undefined): List {
  const complete = (rows: Rows<UpstreamRecord>) => {
    const missing = pagination && missingRows(rows.total, pagination);
    return missing ? rows.withMissing(missing) : rows;
  };
  const decoding = decodeInContext(call, () => {
    const decoded = records(body, key);
    return decoded instanceof Promise ? decoded : complete(decoded);
  });
  if (!(decoding instanceof Promise)) return decoding;
  return decoding.then((list) => decodeInContext(call, () => complete(list)));
}

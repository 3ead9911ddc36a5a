import { GatewayError, shownMessage, type UpstreamCall } from '../errors.ts';
import type { UpstreamRecord } from '../formats/decode.ts';
import { missingRows } from '../formats/pagination.ts';
import { Rows } from '../formats/rows.ts';
import { decodeInContext } from './exchange.ts';

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

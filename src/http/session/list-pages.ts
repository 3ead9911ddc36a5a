import { GatewayError, shownMessage, type UpstreamCall } from '../errors.ts';
import type { UpstreamRecord } from '../formats/decode.ts';
import { moreOf } from '../formats/more-rows.ts';
import { Rows } from '../rows.ts';
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
    const { more } = page;
    const before = this.#rows.size;
    for (const row of page) if (!this.#rows.has(row.id)) this.#rows.set(row.id, row);
    const added = this.#rows.size - before;
    this.#problems.push(...page.problems.filter((problem) => problem !== more?.problem));
    this.#received += page.total - page.length + added;
    this.#total = more?.total ?? this.#total;
    return added > 0;
  }

  /**
   * @param follows whether further rows follow that were not read
   * @param reason why, as a sentence
   */
  rows(follows: boolean, reason?: string): Rows<UpstreamRecord> {
    const more = moreOf(this.#received, { total: this.#total, page: undefined, follows }, reason);
    const inCall = decodeInContext(this.#call, () => new Rows<UpstreamRecord>([], [], undefined, more));
    return inCall.derive([...this.#rows.values()], this.#problems);
  }
}

/**
 * Reads the pages behind the first one of a list, as long as each names the next one and has a new row. A page that cannot be read
 * leaves a list that lacks rows.
 *
 * @param call that of the first page, for errors
 * @param read reads the page of this number
 */
export async function readPages(
  first: Rows<UpstreamRecord>,
  call: UpstreamCall,
  read: (page: number) => Promise<Rows<UpstreamRecord>>,
): Promise<Rows<UpstreamRecord>> {
  const list = new PagedList(call);
  list.add(first);
  let [page, last] = [first, 1];
  while (page.more?.page !== undefined && page.more.page > last) {
    last = page.more.page;
    const next = await read(last).catch(asGatewayError);
    if (next instanceof GatewayError)
      return list.rows(true, `Page ${last} could not be read: ${shownMessage(next, true)}`);
    if (!list.add(next)) return list.rows(true, `Page ${last} has no new row.`);
    page = next;
  }
  return list.rows(page.more?.follows === true);
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}

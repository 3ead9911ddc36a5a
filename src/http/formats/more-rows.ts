import { BadResponseError } from '../errors.ts';
import type { More } from '../rows.ts';
import { isObject, type JsonObject } from './decode.ts';

// What a response says of rows that it does not have. Not documented (A129): pages of lists, and how a response tells of them.
// A response that says nothing is the whole list: docs/decisions/0062.

/** What a response says of the whole list. A link may hold a credential, so only the number of its page is kept. */
export interface Statement {
  /** The number of all rows. */
  readonly total: number | undefined;
  /** The number of the next page, where its link leads to the same list. */
  readonly page: number | undefined;
  /** Whether further rows follow. */
  readonly follows: boolean;
}

/** The headers that may tell of further rows; an empty text for one that is absent. */
interface ListHead {
  readonly link: string;
  readonly contentRange: string;
  readonly totalCount: string;
}

/** Pages beyond this one are not read. */
const MAX_PAGE = 10_000;

/** The largest value of a GraphQL Int. */
const MAX_TOTAL = 2 ** 31 - 1;

/** The parts of a wrapper that may tell of further rows, beside the wrapper itself. */
const PARTS = ['meta', 'page', 'pagination', 'paging', 'links', '_meta', '_links'];

const partsIn = (whole: JsonObject) => PARTS.map((name) => whole[name]).filter(isObject);

const NOTHING: ReadonlySet<unknown> = new Set([undefined, null, false, '', 'false', 'null']);

/**
 * Reads `Link: <…>; rel="next"` (RFC 8288), `X-Total-Count`, `X-Total`, and `Content-Range: items 0-1/250`; and in a wrapper, or in a part
 * of it such as `meta`, `total`, `total_count`, `count`, `next`, `next_page` and `has_more`, also with `-` in the place of `_`.
 *
 * @param address that of the list
 * @returns undefined for a bare list without such headers
 */
export function statementOf(
  { link, contentRange, totalCount }: ListHead,
  body: unknown,
  address: () => URL,
): Statement | undefined {
  if (!isObject(body) && link === '' && contentRange === '' && totalCount === '') return undefined;
  const wrapper = isObject(body) ? [body] : [];
  const outer = wrapper.flatMap(partsIn);
  const parts = [...wrapper, ...outer, ...outer.flatMap(partsIn)];
  const valuesOf = (name: string) => parts.flatMap((part) => [part[name], part[name.replaceAll('_', '-')]]);
  const range = contentRange.slice(contentRange.lastIndexOf('/') + 1);
  const totals = [totalCount, range, ...['total', 'total_count', 'count'].flatMap(valuesOf)];
  const nextPages = valuesOf('next_page');
  const next = [nextLink(link), ...nextPages, ...valuesOf('next')].filter((value) => !NOTHING.has(value));
  const linked = next.map((value) => (typeof value === 'string' ? pageOfLink(value, address()) : undefined));
  return {
    total: largest(totals.map(wholeNumber)),
    page: largest([...nextPages.map(pageNumber), ...linked]),
    follows: next.length > 0 || valuesOf('has_more').some((value) => value === true || value === 'true'),
  };
}

/** The target of the link with the relation `next`. */
function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^<>]*)>((?:[^<"]|"[^"]*")*)/g)) {
    const given = parameters.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/g); // a title may hold `; rel=next`
    const rel = [...given].find(([, name]) => name?.toLowerCase() === 'rel');
    const relations = rel?.[2] ?? rel?.[3] ?? '';
    if (relations.toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}

/**
 * The number of the page that a link leads to. Undefined for a link to another origin or path, and for one with a parameter that the
 * address does not have.
 */
function pageOfLink(link: string, address: URL): number | undefined {
  if (!URL.canParse(link, address.href)) return undefined;
  const { origin, pathname, searchParams } = new URL(link, address);
  if (origin !== address.origin || pathname !== address.pathname) return undefined;
  const isKnown = (name: string) => name === 'page' || address.searchParams.has(name);
  if (![...searchParams.keys()].every(isKnown)) return undefined;
  return pageNumber(searchParams.get('page'));
}

function pageNumber(value: unknown): number | undefined {
  const page = wholeNumber(value);
  return page !== undefined && page > 1 && page <= MAX_PAGE ? page : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d{1,10}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= MAX_TOTAL
    ? number
    : undefined;
}

function largest(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/**
 * What a list lacks, by what is said of it. Undefined for the whole list.
 *
 * @param received the number of rows in the responses, with those that were left out
 * @param reason why they were not read, as a sentence
 */
export function moreOf(received: number, stated: Statement, reason = ''): More | undefined {
  const total = (stated.total ?? 0) > received ? stated.total : undefined; // `count` may be that of a page
  if (!stated.follows && total === undefined) return undefined;
  const counted =
    total === undefined ? `${received} rows, and upstream says that more follow` : `${received} of ${total} rows`;
  const problem = new BadResponseError(`The list has ${counted}.${reason === '' ? '' : ` ${reason}`}`);
  return { ...stated, total, problem };
}

import { BadResponseError } from '../errors.ts';
import type { MissingRows, Pagination } from './rows.ts';
import { isObject, type JsonObject } from './decode.ts';

// Pagination metadata of list responses. Not documented (A129): that lists have pages, and how a response states it. A response
// without metadata is the complete list: docs/decisions/0062.

/** The headers with pagination metadata; an empty string for an absent one. */
interface ListHead {
  readonly link: string;
  readonly contentRange: string;
  readonly totalCount: string;
}

/** The largest page number that is requested. */
const MAX_PAGE = 10_000;

/** The largest value of a GraphQL Int. */
const MAX_TOTAL = 2 ** 31 - 1;

/** The keys of objects with pagination metadata inside a wrapper. */
const PARTS = ['meta', 'page', 'pagination', 'paging', 'links', '_meta', '_links'];

const partsIn = (whole: JsonObject) => PARTS.map((name) => whole[name]).filter(isObject);

const NOTHING: ReadonlySet<unknown> = new Set([undefined, null, false, '', 'false', 'null']);

/**
 * Reads pagination metadata from the headers `Link: <…>; rel="next"` (RFC 8288), `X-Total-Count`, `X-Total` and
 * `Content-Range: items 0-1/250`, and from `total`, `total_count`, `count`, `next`, `next_page` and `has_more` in a wrapper or in an object
 * inside it, such as `meta`. Keys may be written with `-` instead of `_`.
 *
 * @param address the URL of the request
 * @returns undefined for a bare array without such headers
 */
export function paginationOf(
  { link, contentRange, totalCount }: ListHead,
  body: unknown,
  address: () => URL,
): Pagination | undefined {
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
    nextPage: largest([...nextPages.map(pageNumber), ...linked]),
    hasMore: next.length > 0 || valuesOf('has_more').some((value) => value === true || value === 'true'),
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
 * The page number of a link. Undefined for a link with another origin or path than the request, or with a query parameter that the
 * request does not have.
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
 * Compares the pagination metadata with the rows received.
 *
 * @param received the number of rows in the responses, unreadable ones included
 * @param reason a sentence that says why the other rows were not read
 * @returns undefined for a complete list
 */
export function missingRows(received: number, pagination: Pagination, reason = ''): MissingRows | undefined {
  const total = (pagination.total ?? 0) > received ? pagination.total : undefined; // `count` may be that of a page
  if (!pagination.hasMore && total === undefined) return undefined;
  const counted =
    total === undefined ? `${received} rows, and upstream says that more follow` : `${received} of ${total} rows`;
  const problem = new BadResponseError(`The list has ${counted}.${reason === '' ? '' : ` ${reason}`}`);
  return { ...pagination, total, problem };
}

import { BadResponseError, ValidationError } from '../../errors.ts';
import { identifier } from '../../formats/leaves.ts';
import { canBeSegment, isPlainSegment } from '../../formats/decode.ts';

/** A path of an upstream API. */
export interface Path {
  /** The path as it is sent: parameters encoded, with the query. */
  readonly path: string;
  /** The path with names in place of parameters, `/app/deals/:id.json`. Logs and errors show this form only. */
  readonly template: string;
  /** The path without the credential in its query. Undefined when there is none. */
  readonly bare?: string;
}

type Parameter = string | Readonly<Record<string, string>>;

/**
 * Builds a path and encodes each parameter within its own segment: the template of `` path`/app/deals/${id}.json` `` is
 * `/app/deals/:id.json`. `` path`/flex/dbs/${{ db_id }}.json` `` gives the parameter another name.
 *
 * @throws ValidationError for a value that could lead to another endpoint
 */
export function path(literals: TemplateStringsArray, ...parameters: readonly Parameter[]): Path {
  let encoded = literals[0] ?? '';
  let template = encoded;
  for (let index = 0; index < parameters.length; index += 1) {
    const parameter = parameters[index] ?? '';
    for (const [name, value] of typeof parameter === 'string'
      ? [['id', parameter] as const]
      : Object.entries(parameter)) {
      encoded += encodeSegment(name, value);
      template += `:${name}`;
    }
    const literal = literals[index + 1] ?? '';
    encoded += literal;
    template += literal;
  }
  return { path: encoded, template };
}

/**
 * Builds a path that is one parameter: `/:category_name`. The value may hold a slash, `?` and `#`; the caller has checked that
 * it leads to no other endpoint once it is decoded.
 */
export function nameAsPath(name: string, value: string): Path {
  return { path: `/${encodeURIComponent(value)}`, template: `/:${name}` };
}

/**
 * Adds query parameters to a path. Undefined ones are left out.
 *
 * @throws ValidationError for half of a surrogate pair: U+FFFD would be sent in its place
 */
export function withQuery({ path, template }: Path, query: Readonly<Record<string, string | undefined>>): Path {
  let separator = path.includes('?') ? '&' : '?';
  let target = path;
  for (const name in query) {
    const value = query[name];
    if (value === undefined) continue;
    target += separator + encodedPair(name, value);
    separator = '&';
  }
  return { path: target, template };
}

/** Adds query parameters that hold the caller's credential. */
export function withCredential(path: Path, query: Readonly<Record<string, string>>): Path {
  return { ...withQuery(path, query), bare: path.path };
}

/** The path of a further page of a list, with the credential that the path has. */
export function pagePath(path: Path, page: number): Path {
  const atPage = (of: string) => `${of}${of.includes('?') ? '&' : '?'}page=${page}`;
  return { ...path, path: atPage(path.path), ...(path.bare !== undefined && { bare: atPage(path.bare) }) };
}

/** Characters that stay as they are in a query. */
const NEEDS_NO_ENCODING = /^[\w.*-]*$/;

function encodedPair(name: string, value: string): string {
  if (NEEDS_NO_ENCODING.test(name) && NEEDS_NO_ENCODING.test(value)) return `${name}=${value}`;
  if (name.isWellFormed() && value.isWellFormed()) return new URLSearchParams([[name, value]]).toString();
  const parameter = name.toWellFormed();
  throw new ValidationError(`${parameter} holds half of a surrogate pair.`, { [parameter]: ['is no text'] });
}

function encodeSegment(name: string, value: string): string {
  if (isPlainSegment(value)) return value;
  if (!canBeSegment(value)) {
    throw new ValidationError(`${quoted(value)} cannot be an id.`, { [name]: ['cannot be an id'] });
  }
  return encodeURIComponent(value);
}

/**
 * Checks an id for the path of an API that does not document its ids: letters, digits, - and _ are allowed. Any other
 * character could lead to another endpoint once a server has decoded it.
 *
 * Not documented (A123, A130, A210): what ids look like. They are numbers as far as is known.
 *
 * @param field input path of the id
 * @throws ValidationError for anything else
 */
export function idSegment(id: string, field = 'id'): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  throw new ValidationError(`${quoted(id)} is no id here: expected one such as 42.`, { [field]: ['is no id'] });
}

/**
 * Creates a function that gives the id of a record to callers. Not documented (A237): other ids.
 *
 * @param segment checks the ids that callers send back
 * @returns throws BadResponseError for an id that the check refuses: nobody could use it
 */
export function shownIdBy(segment: (id: string) => string) {
  return ({ id }: { readonly id: string }): string => {
    try {
      return segment(id);
    } catch (error) {
      throw new BadResponseError('A record has an id that cannot be a part of a path.', undefined, { cause: error });
    }
  };
}

/** The id of a record whose type is addressed by `idSegment`, for callers. @throws BadResponseError for any other id */
export const shownId = shownIdBy((id) => idSegment(id));

/** Decodes the id of another record of such a type, which is read by it. @throws as `shownId` does */
export function linkedId(value: unknown): string | null {
  const id = identifier(value);
  return id === null ? null : shownId({ id });
}

/** Quotes a text of the caller for a message, cut to 40 characters. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

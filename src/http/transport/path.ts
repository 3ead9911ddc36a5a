import { ValidationError } from '../errors.ts';

/** A path of an upstream API. */
export interface Path {
  /** The path as it is sent: parameters encoded, with the query. */
  readonly path: string;
  /** The path with names in place of parameters, `/app/deals/:id.json`. Logs and errors show this form only. */
  readonly template: string;
}

type Parameter = string | Readonly<Record<string, string>>;

/**
 * Builds a path and encodes each parameter within its own segment: the template of `` path`/app/deals/${id}.json` `` is
 * `/app/deals/:id.json`. `` path`/flex/dbs/${{ db_id }}.json` `` gives the parameter another name.
 *
 * @throws ValidationError for a value that could lead to another endpoint
 */
export function path(literals: TemplateStringsArray, ...parameters: readonly Parameter[]): Path {
  let [encoded = '', template = ''] = [literals[0], literals[0]];
  parameters.forEach((parameter, index) => {
    for (const [name, value] of Object.entries(typeof parameter === 'string' ? { id: parameter } : parameter)) {
      encoded += encodeSegment(name, value);
      template += `:${name}`;
    }
    encoded += literals[index + 1] ?? '';
    template += literals[index + 1] ?? '';
  });
  return { path: encoded, template };
}

/**
 * Adds query parameters to a path. Undefined ones are left out.
 *
 * @throws ValidationError for half of a surrogate pair: U+FFFD would be sent in its place
 */
export function withQuery({ path, template }: Path, query: Readonly<Record<string, string | undefined>>): Path {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  for (const [name, value] of pairs) {
    if (name.isWellFormed() && value.isWellFormed()) continue;
    const parameter = name.toWellFormed();
    throw new ValidationError(`${parameter} holds half of a surrogate pair.`, { [parameter]: ['is no text'] });
  }
  if (pairs.length === 0) return { path, template };
  const separator = path.includes('?') ? '&' : '?';
  return { path: `${path}${separator}${new URLSearchParams(pairs).toString()}`, template };
}

// A server may decode and resolve dot segments before it routes; control characters end a line or a string somewhere.
const UNSAFE_SEGMENT = /^\.{0,2}$|\p{Cc}/u;
const MAX_SEGMENT_LENGTH = 500;

function encodeSegment(name: string, value: string): string {
  if (UNSAFE_SEGMENT.test(value) || value.length > MAX_SEGMENT_LENGTH || !value.isWellFormed()) {
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

/** Quotes a text of the caller for a message, cut to 40 characters. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

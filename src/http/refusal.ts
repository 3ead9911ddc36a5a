import type { Api } from './api.ts';
import { isObject } from './decode.ts';
import {
  BadResponseError,
  ForbiddenError,
  type GatewayError,
  NotFoundError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
  type UpstreamCall,
  ValidationError,
} from './errors.ts';
import { unsure } from './network-failure.ts';

/** What upstream said of a refusal: a text, messages by field, or neither. */
interface Said {
  readonly message: string | undefined;
  readonly fields: Record<string, string[]>;
}

/** What was refused. */
interface Refused {
  readonly api: Api;
  readonly call: UpstreamCall;
  /** The request header that the credential came from, if one was sent. */
  readonly credential: string | undefined;
  /** Removes secrets from a text, should upstream repeat them. */
  readonly clean: (text: string) => string;
}

/** Upstream's texts are shown, for they may be localized and say what is wrong, but not at any length. */
const LONGEST_TEXT = 500;

/**
 * The failure that a status outside 2xx stands for.
 *
 * @param body the parsed JSON of the answer, or undefined where it is none
 */
export function refusal(
  { status, retryAfter }: { readonly status: number; readonly retryAfter: string },
  body: unknown,
  { api, credential, call, clean }: Refused,
): GatewayError {
  const said = whatWasSaid(body, clean);
  const the = `The ${api.name} API`;
  const because = said.message === undefined ? '.' : `: ${said.message}`;

  if (status === 400 || status === 422) {
    const message = said.message ?? summary(said.fields) ?? `${the} refused the input.`;
    return new ValidationError(message, said.fields, call, { availableTables: availableTables(body)?.map(clean) });
  }
  if (status === 401) {
    const what =
      credential === undefined ? 'to answer without a credential' : `the credential of the ${credential} header`;
    return new UnauthenticatedError(`${the} refused ${what}.`, call);
  }
  if (status === 403) return new ForbiddenError(`${the} does not allow this to the caller${because}`, call);
  if (status === 404) return new NotFoundError(`${the} has nothing at ${call.endpoint} for this caller.`, call);
  if (status === 429) return new RateLimitedError(`${the} asks to slow down.`, seconds(retryAfter), call);
  if (status >= 500) {
    return new UnavailableError(`${the} answered with status ${status}.${unsure(call.endpoint)}`, call);
  }
  if (status >= 300 && status < 400) {
    const advice = `which is not followed: is ${api.setting} the final address?${unsure(call.endpoint)}`;
    return new BadResponseError(`${the} answered with a redirect (${status}), ${advice}`, call);
  }
  return new BadResponseError(`${the} answered with status ${status}${because}`, call);
}

/**
 * Not documented: other shapes than the first. Reads each that is known to occur: `{errors: {field: […]}}`, a map of fields at the top, the same inside
 * the record's key, `{message: {field: […]}}`, and a text or texts under `message`, `error` or `errors`.
 */
function whatWasSaid(body: unknown, clean: (text: string) => string): Said {
  const tidy = (text: string) => clean(text).slice(0, LONGEST_TEXT);
  if (typeof body === 'string') return { message: tidy(body), fields: {} };
  if (!isObject(body)) return { message: undefined, fields: {} };

  const { message, error, errors } = body;
  const texts = [message, error, errors].flat().filter((part) => typeof part === 'string');
  const inRecords = Object.values(body).map((part) => fieldMessages(part, tidy));
  const atTop = texts.length === 0 ? [fieldMessages(body, tidy), Object.assign({}, ...inRecords)] : [];
  const fields: Record<string, string[]>[] = [nestedMessages(errors, tidy), nestedMessages(message, tidy), ...atTop];
  return {
    message: texts[0] === undefined ? undefined : tidy(texts[0]),
    fields: fields.find((found) => Object.keys(found).length > 0) ?? {},
  };
}

/** The flex API lists them in place of a missing or unknown one. */
function availableTables(body: unknown): string[] | undefined {
  const tables = isObject(body) ? body['available_tables'] : undefined;
  return isTexts(tables) ? tables : undefined;
}

function fieldMessages(part: unknown, tidy: (text: string) => string): Record<string, string[]> {
  if (!isObject(part)) return {};
  const lists = Object.entries(part).filter((entry): entry is [string, string[]] => isTexts(entry[1]));
  return Object.fromEntries(lists.map(([field, messages]) => [tidy(field), messages.map(tidy)]));
}

/** Messages by field, those of a record within the record as `client.name`. */
function nestedMessages(part: unknown, tidy: (text: string) => string): Record<string, string[]> {
  const records = isObject(part) ? Object.entries(part) : [];
  const within = records.flatMap(([name, fields]) =>
    Object.entries(fieldMessages(fields, tidy)).map(
      ([field, messages]) => [`${tidy(name)}.${field}`, messages] as const,
    ),
  );
  return { ...fieldMessages(part, tidy), ...Object.fromEntries(within) };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function summary(fields: Record<string, string[]>): string | undefined {
  const [first] = Object.entries(fields);
  return first && `${first[0].replaceAll('_', ' ')}: ${first[1].join(', ')}`;
}

/** `Retry-After` is a number of seconds or a date. */
function seconds(retryAfter: string): number | undefined {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

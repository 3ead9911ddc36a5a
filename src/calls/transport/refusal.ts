import type { Api } from './api.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import {
  advised,
  BadResponseError,
  ConflictError,
  type FieldMessages,
  ForbiddenError,
  type GatewayError,
  inWords,
  NotFoundError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
  type UpstreamCall,
  ValidationError,
} from '../../errors.ts';
import type { Answer } from './messages.ts';
import type { Redactor } from './redaction.ts';

/** The parsed body of a refusal: a text, messages by field, both or neither. */
interface RefusalText {
  readonly message: string | undefined;
  readonly fields: Record<string, string[]>;
}

/** The call that upstream refused, and what its error needs. */
interface RefusedCall {
  readonly api: Api;
  readonly call: UpstreamCall;
  /** The caller's header that holds the credential; undefined when none was sent. */
  readonly credential: string | undefined;
  /** The body of the request. Upstream may prefix field names with its keys, and begin a text with the name of a field. */
  readonly sent: unknown;
  /** Finds the secrets that upstream repeats. */
  readonly redactor: Redactor;
}

/**
 * The number of characters of a refusal that are read in all. A text for people has fewer, but a refusal under a status of success may
 * be as large as a list.
 */
const MAX_READ_LENGTH = 64 * 1024;

/** The number of characters that each text counts in addition: to look for secrets takes time for each text, however short. */
const LENGTH_PER_TEXT = 64;

/** No more errors of a list are read than may be within the limit. */
const MAX_ERRORS = MAX_READ_LENGTH / LENGTH_PER_TEXT;

/** Upstream's texts are shown to callers, cut to this many characters: they say what is wrong, and may be localized. */
const MAX_TEXT_LENGTH = 500;

/**
 * Creates the error for a response with a status outside 2xx. Texts of upstream are passed on for 400 and 422 only, which say
 * what is wrong with the input. For every other status the message is our own (docs/decisions/0032).
 *
 * @param body the body as `Format.parseRefusal` reads it; undefined when it cannot be read
 */
export function refusalError(
  { status, ...times }: Pick<Answer, 'status' | 'retryAfter' | 'date'>,
  body: unknown,
  refused: RefusedCall,
): GatewayError {
  const { api, call } = refused;
  const apiName = `The ${api.name} API`;

  switch (status) {
    case 400:
    case 422:
      return invalidError(body, refused);
    case 401:
      return unauthenticatedError(refused);
    case 403:
      return new ForbiddenError(`${apiName} does not allow this to the caller.`, call);
    case 404:
    case 410:
      return notFoundError(refused);
    case 409:
      return new ConflictError('The record has changed, or another one is in the way.', call);
    case 429:
      return new RateLimitedError(`${apiName} asks to slow down.`, retryAfterSeconds(times), call);
  }
  if (status >= 500) {
    const seconds = status === 503 ? retryAfterSeconds(times) : undefined;
    return new UnavailableError(`${apiName} answered with status ${status}.`, call, seconds);
  }
  if (status >= 300 && status < 400) {
    const error = new BadResponseError(`${apiName} answered with a redirect (${status}), which is not followed`, call);
    return advised(error, `: is ${api.setting} the final address?`);
  }
  return new BadResponseError(`${apiName} answered with status ${status}.`, call);
}

/** A list is always there: without an id in its path, the address of the API is most likely wrong. */
function notFoundError({ api, call }: RefusedCall): NotFoundError {
  const isList = /^GET [^:]*$/.test(call.endpoint);
  if (!isList) return new NotFoundError('There is no such record, or it is not visible to you.', call);
  const error = new NotFoundError(`The ${api.name} API has nothing at ${call.endpoint}`, call);
  return advised(error, `: the path of the address in ${api.setting} may be wrong.`);
}

function invalidError(body: unknown, refused: RefusedCall): ValidationError {
  const general = `The ${refused.api.name} API refused the input.`;
  const shown = (text: string) => refused.redactor.text(text)?.slice(0, MAX_TEXT_LENGTH);
  const { message, fields } = readRefusal(body, refused, (text) => shown(text) ?? general);
  const tables = firstTexts(availableTables(body), MAX_READ_LENGTH)
    .map(shown)
    .filter((table) => table !== undefined);
  return new ValidationError(summarize(message, fields, general), fields, refused.call, {
    availableTables: tables.length > 0 ? tables : undefined,
  });
}

function unauthenticatedError({ api, credential, call }: RefusedCall): UnauthenticatedError {
  const hint = credential === undefined || api.credentialHint === undefined ? '' : ` ${api.credentialHint}`;
  const refused =
    credential === undefined ? 'to answer without a credential' : `the credential of the ${credential} header`;
  return new UnauthenticatedError(`The ${api.name} API refused ${refused}.${hint}`, call);
}

/**
 * Not documented (A8): other forms than the first. Reads each that is known to occur, with the fields inside the record's key, too:
 *
 * | form | source |
 * |---|---|
 * | `{errors: {field: […]}}` | the document of the account API |
 * | a map of fields at the top, or under `message` or `error`; `[…]` or `{message}` in place of a text; `full_messages`, `[{error}]` | Rails, ActiveModel::Errors |
 * | `errors: [{source: {pointer}, detail}]` | JSON:API 1.1 |
 * | `detail: [{loc, msg}]` | FastAPI |
 * | `detail`, `title`, `invalid-params: [{name, reason}]`, `errors: [{pointer, detail}]` | problem+json: RFC 7807, RFC 9457 |
 * | `error: {message, details: [{target, message}]}`, `violations: [{propertyPath, message}]` | OData 4, Symfony |
 * | `error` with `error_description` | OAuth 2.0: RFC 6749, 5.2 |
 * | a list, or `errors: […]`, of a text or of an object with the keys of `FIELD_KEYS` and `TEXT_KEYS` | Spring, express-validator, class-validator, Ajv |
 *
 * An error without a field that begins with the name of one that was sent, as `Title can't be blank` does, is of this field. A field
 * whose name holds a secret is left out.
 */
function readRefusal(body: unknown, { sent, redactor }: RefusedCall, shown: (text: string) => string): RefusalText {
  const parts = partsOf(body);
  const found = parts.flatMap((part) => [...errorsIn(part), ...fullMessages(part)]);
  const named = found.flatMap((item): Messages[] => {
    const [field, text] = [fieldOf(item), textOf(item)];
    return field === undefined || text === undefined ? [] : [[field, [text]]];
  });
  const errorTexts = found.filter((item) => fieldOf(item) === undefined).map(textOf);
  const texts = [...new Set(errorTexts.filter((text) => text !== undefined))];
  const recordMessages = isObject(body) ? Object.values(body).flatMap((part) => fieldMessages(part, listedTexts)) : [];
  const topLevelMessages = texts.length === 0 ? [fieldMessages(body, listedTexts), recordMessages] : [];
  const [message, error, errors, ...others] = parts;
  const allMessages = [
    ...[errors, message, error, ...others].map(nestedMessages),
    named,
    ...topLevelMessages,
    namedMessages(texts, sent),
  ];
  const byField = allMessages.find(({ length }) => length > 0) ?? [];

  const sentKeys = isObject(sent) ? Object.keys(sent) : [];
  const fields = new Map<string, string[]>();
  let left = MAX_READ_LENGTH;
  for (const [name, said] of byField) {
    const messages = firstTexts(said, left - name.length);
    if (messages.length === 0) break;
    left -= name.length + lengthOf(messages);
    const field = redactor.fieldPath(withoutRecordKey(name, sentKeys))?.slice(0, MAX_TEXT_LENGTH);
    if (field !== undefined) fields.set(field, [...(fields.get(field) ?? []), ...messages.map(shown)]);
  }
  return {
    message: texts.length === 0 || lengthOf(texts) > MAX_READ_LENGTH ? undefined : shown(texts.join('; ')),
    fields: Object.fromEntries(fields),
  };
}

/** The first texts, which have no more than so many characters together. */
function firstTexts(texts: readonly string[], maxLength: number): readonly string[] {
  let length = 0;
  const end = texts.findIndex((text) => (length += text.length + LENGTH_PER_TEXT) > maxLength);
  return end === -1 ? texts : texts.slice(0, end);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + LENGTH_PER_TEXT, 0);
}

/** The tables that the flex API lists when the requested one is missing or unknown. */
function availableTables(body: unknown): readonly string[] {
  return listedTexts(isObject(body) ? body['available_tables'] : undefined);
}

/** The messages of one field. */
type Messages = readonly [field: string, messages: readonly string[]];

/** The fields of an object that have messages, which `textsOf` finds in the value of a field. */
function fieldMessages(part: unknown, textsOf: (value: unknown) => readonly string[]): Messages[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([field, value]): Messages[] => {
    const texts = textsOf(value);
    return texts.length > 0 && !FULL_MESSAGES.includes(field) && !isErrorList(field, value) ? [[field, texts]] : [];
  });
}

/** Messages by field, in an object of errors. Fields inside a record's key are named with it, such as `client.name`. */
function nestedMessages(part: unknown): Messages[] {
  const records = isObject(part) ? Object.entries(part) : [];
  const within = records.flatMap(([name, fields]) =>
    errorsByField(fields).map(([field, messages]): Messages => [`${name}.${field}`, messages]),
  );
  return [...errorsByField(part), ...within];
}

/** The messages by field. A field may have one error in the place of a list, but the texts of an error itself are codes. */
function errorsByField(part: unknown): Messages[] {
  return fieldMessages(part, errorsIn(part).length === 0 ? allTexts : listedTexts);
}

/** The names of fields have at most so many words. */
const MAX_NAME_WORDS = 6;

/** How deep the fields of a record are in a body. */
const MAX_NAME_DEPTH = 3;

/** The messages of texts that begin with the name of a field that was sent. */
function namedMessages(texts: readonly string[], sent: unknown): Messages[] {
  if (texts.length === 0) return [];
  const labels = new Map(namesIn(sent).map((name) => [labelOf(name), name]));
  return texts.flatMap((text): Messages[] => {
    const words = text.split(' ', MAX_NAME_WORDS + 1).slice(0, -1);
    for (let count = words.length; count > 0; count -= 1) {
      const label = words.slice(0, count).join(' ');
      const name = labels.get(label.toLowerCase());
      if (name !== undefined) return [[name, [text.slice(label.length + 1)]]];
    }
    return [];
  });
}

/** The keys of a body, and of the objects in it: `{ record: { data: { title } } }`. */
function namesIn(part: unknown, depth = MAX_NAME_DEPTH): readonly string[] {
  if (!isObject(part) || depth === 0) return [];
  return [...Object.keys(part), ...Object.values(part).flatMap((inner) => namesIn(inner, depth - 1))];
}

/** The parts of a body that may have errors. The description of an error says more than its code. */
function partsOf(body: unknown): readonly unknown[] {
  if (!isObject(body)) return [body];
  const { errors, message, error, error_description: about, detail, title, type, messages, full_messages } = body;
  const isOfField = Array.isArray(detail) && detail.every((text) => typeof text === 'string'); // in a map of fields
  const problem = isOfField ? undefined : (detail ?? (typeof type === 'string' ? title : undefined));
  const described = isObject(error) ? error : (about ?? error);
  const { errors: inner, details } = isObject(error) ? error : {};
  const lists = [body['invalid-params'], body['violations'], inner, details];
  return [message, described, errors, problem, ...lists, messages, full_messages];
}

/** Whether the value is a list of errors with field names, so that its key is not a field name. */
function isErrorList(key: string, value: unknown): boolean {
  return ERROR_LISTS.includes(key) && Array.isArray(value) && value.some((item) => fieldOf(item) !== undefined);
}

const ERROR_LISTS: readonly string[] = ['errors', 'details', 'violations'];

/** The keys of texts about the whole record, which name its fields themselves. */
const FULL_MESSAGES: readonly string[] = ['full_messages', 'messages'];

function fullMessages(part: unknown): readonly unknown[] {
  return isObject(part) ? FULL_MESSAGES.flatMap((key) => errorsIn(part[key])) : [];
}

/** The first errors of a list, or the only one. The values of an object without a `message` are fields. */
function errorsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ERRORS);
  return textOf(isObject(value) ? value['message'] : value) === undefined ? [] : [value];
}

/** The keys of the field in an error, and in its `source`. */
const FIELD_KEYS =
  'field property attribute param parameter pointer instancePath loc propertyPath target path name'.split(' ');

/** The first segments of paths to fields, which are not part of the field name. */
const PATH_STARTS: ReadonlySet<string> = new Set(['', '#', 'body', 'query', 'data', 'attributes', 'relationships']);

const isName = (part: unknown) => typeof part === 'string' || typeof part === 'number';

/** The field of an error in a list. The name of an error's class is none. */
function fieldOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const keys: JsonObject = { ...error, ...(isObject(error['source']) ? error['source'] : undefined) };
  const path = FIELD_KEYS.map((key) => keys[key]).find((value) => Array.isArray(value) || typeof value === 'string');
  const segments = Array.isArray(path) ? path.filter(isName).map(String) : String(path ?? '').split(/[./]/);
  const name = segments.slice(segments.findIndex((segment) => !PATH_STARTS.has(segment))).join('.');
  return PATH_STARTS.has(name) || /(Error|Exception)$/.test(name) ? undefined : name;
}

/** The texts of an error, or of a list of errors. None for any other value, also within the list. */
function allTexts(value: unknown): readonly string[] {
  const errors = errorsIn(value);
  const texts = errors.map(textOf).filter((text) => text !== undefined);
  return texts.length === errors.length ? texts : [];
}

/** The texts of a list of errors. None for any other value. */
function listedTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? allTexts(value) : [];
}

/** The text of an error. Undefined for another value, and for a blank text, which says nothing. */
function textOf(error: unknown): string | undefined {
  const texts = isObject(error) ? TEXT_KEYS.map((key) => error[key]) : [error];
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
}

/** The keys of the text in an error: the most telling one first. */
const TEXT_KEYS = [
  'message',
  'msg',
  'defaultMessage',
  'detail',
  'description',
  'reason',
  'error_description',
  'error',
  'title',
];

/** Removes the key under which the record was sent: `client.post_code` becomes `post_code`. */
function withoutRecordKey(field: string, sentKeys: readonly string[]): string {
  const key = sentKeys.find((name) => field.startsWith(`${name}.`));
  return key === undefined ? field : field.slice(key.length + 1);
}

/**
 * The message of the error: upstream's own one, then the fields that it does not mention.
 *
 * @param said upstream's message
 * @param general stands for a message that may contain a secret; left out beside other messages
 */
function summarize(said: string | undefined, fields: FieldMessages, general: string): string {
  const isSaid = ([field, messages]: Messages) =>
    [labelOf(field), ...messages].every((text) => said && withBlanks(said).includes(withBlanks(text)));
  const unsaid = Object.entries(fields).filter((messages) => !isSaid(messages));
  const summary = inWords(Object.fromEntries(unsaid), (field, messages) => {
    const shown = messages.filter((message) => message !== general);
    return `${field.replaceAll('_', ' ')}: ${shown.length > 0 ? shown.join(', ') : general}`;
  });
  if (said === undefined) return summary || general;
  if (summary === '' || said === general) return said;
  return `${said}${/[.!?]$/.test(said) ? ' ' : '; '}${summary}`;
}

/** How Rails writes the name of a field: `post_code` as `post code`, `client_id` as `client`. */
function labelOf(field: string): string {
  return withBlanks(field.replace(/_id$/, ''));
}

const withBlanks = (text: string) => text.replaceAll('_', ' ').toLowerCase();

/** Upstream's `Retry-After` is honoured up to this time; then it is called again. */
const MAX_RETRY_SECONDS = 60;

/**
 * Parses `Retry-After`, a number of seconds or a date, into seconds from now: the pause that the gateway keeps. A date is one of
 * upstream's clock, which the response tells; without a `Date`, or with one of the future, the gateway's clock counts.
 */
function retryAfterSeconds({ retryAfter, date }: Pick<Answer, 'retryAfter' | 'date'>): number | undefined {
  const isNumber = /^\d{1,9}(\.\d{1,9})?$/.test(retryAfter);
  const [end, sentAt, now] = [httpDate(retryAfter), httpDate(date), Date.now()];
  const seconds = isNumber ? Number(retryAfter) : (end - (sentAt <= now ? sentAt : now)) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_SECONDS, Math.max(0, Math.ceil(seconds)));
}

/** Parses a date of a header to milliseconds since 1970. NaN for anything else. */
function httpDate(text: string): number {
  if (ASCTIME.test(text)) return Date.parse(`${text} GMT`); // it has no zone, and means GMT
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}

/** The forms of a date in a header (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](\d\d){1,2} \d\d:\d\d:\d\d GMT$/;

/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

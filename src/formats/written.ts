import {
  hasId,
  isAskedFor,
  isObject,
  type JsonObject,
  record,
  type UpstreamRecord,
  valuesUnder,
  withoutWrapper,
} from './decode.ts';
import { isJson, type KindOf, showsFields } from './same-values.ts';

// What an answer with a status of success says of a write: whether upstream refused it after all, and which record it wrote.
// Both mistakes cost: callers send a write again that was taken for refused, and lose one that was taken for applied.

/** A write, as far as its answer is judged by it. */
export interface SentWrite {
  /** The key of the record in the request. */
  readonly key?: string | undefined;
  /** The key of an object of any fields within the record. Upstream may send these fields at the level of the record. */
  readonly dataKey?: string | undefined;
  /** The id of the record. Undefined for a new one, and for one that is named by its code. */
  readonly id?: string | undefined;
  /** The code that names the record in the place of an id. */
  readonly code?: string | undefined;
  readonly kindOf?: KindOf | undefined;
  /** The fields that were sent, by upstream's names. Undefined for a write that sends none, such as a deletion. */
  readonly fields?: object | undefined;
  /** Other keys of the request that hold fields. */
  readonly moreKeys?: readonly string[] | undefined;
  /** The key of a text that no read gives again, such as `token`. */
  readonly once?: string | undefined;
  /** Texts that the caller has already, such as the credential: no new record has one of them. */
  readonly held?: readonly string[] | undefined;
}

/** A refusal under a status of success. */
export interface Refusal {
  /** The part of the body that refuses: it has the reasons. */
  readonly part: unknown;
  /** The status that upstream should have sent. */
  readonly status: number;
}

const REFUSED = 422;
const FAILED = 500;

/** Values of `status` and `code` that refuse, with `_` for a blank and a hyphen. */
const REFUSING_WORDS: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'fail', 'failed', 'failure', 'exception', 'aborted', 'nok', 'not_ok'],
  ...['invalid', 'invalid_request', 'bad_request', 'validation_error', 'validation_failed', 'conflict'],
  ...['rejected', 'refused', 'declined', 'denied', 'forbidden', 'unauthorized', 'not_found', 'not_allowed'],
  ...['not_permitted', 'unprocessable', 'unprocessable_entity', 'unprocessable_content'],
]);

const NO: ReadonlySet<unknown> = new Set([false, 0, 'false', '0']);

/**
 * Finds the refusal in the body of a read's answer: false, or an object without an id that has `errors` or `error`, or a
 * `status`, `code`, `ok` or `success` that refuses. Not documented (A7, A230): which forms there are.
 */
export function refusalOfRead(body: unknown): Refusal | undefined {
  if (body === false) return { part: body, status: REFUSED };
  if (!isObject(body) || hasId(body)) return undefined;
  const status = refusingStatus(body) ?? (saysErrors(body) ? REFUSED : undefined);
  return status === undefined ? undefined : { part: body, status };
}

/**
 * Finds the refusal in the body of a write's answer. Not documented (A7, A230): which forms there are.
 *
 * | the body | refuses the write |
 * |---|---|
 * | a new text of `once`, beside an id or something that was sent, where no id is null | never: the text works |
 * | a row of flexible data | never: any key of it may be a field |
 * | an object with an id; 0 is none beside a key that refuses | by `errors` or `error`, unless it shows what was sent. Its other keys are fields of the record |
 * | an object without an id | as `refusalOfRead` says |
 * | such an object around the record | by `errors` or `error` unless the record shows what was sent; by the other keys always |
 * | such an object around one without an id | as `refusalOfRead` says, of either |
 * | an object without an id whose values are all lists of texts, of fields that were sent as something else, or of `base`; bare, in the key or in `message` | always |
 * | false, or a list of texts or of objects with a `message` | always |
 * | any other | never: the status decides |
 *
 * @param body in the shape that JSON has
 */
export function refusalOfWrite(body: unknown, sent: SentWrite): Refusal | undefined {
  if (isPlainRecord(body)) return undefined;
  if (isTexts(body) || isErrors(body)) return { part: body, status: REFUSED };
  const parts = [body, ...[sent.key, ...(sent.moreKeys ?? [])].map((key) => innerObject(body, key))];
  if (handsOut(body, parts.filter(isObject), sent)) return undefined;
  const judged = parts.filter((part) => !isFlatRow(part, sent));
  for (const part of judged) {
    const status = isObject(part) && !isSaved(part) ? refusingStatus(part, sent.fields) : undefined;
    if (status !== undefined) return { part, status };
    if (isFieldErrors(part, sent) || isFieldErrors(messageOf(part), sent)) return { part, status: REFUSED };
  }
  const part = judged.find((each) => each === false || (isObject(each) && saysErrors(each)));
  if (part === undefined) return undefined; // most answers: what they show need not be compared
  return parts.some((each) => isSaved(each) && shows(each, sent)) ? undefined : { part, status: REFUSED };
}

/** The refusal of one of the results under a 207, which stand in a list. */
export function refusalInResults(body: unknown, sent: SentWrite): Refusal | undefined {
  const lists: readonly unknown[] = Array.isArray(body) ? [body] : isObject(body) ? Object.values(body) : [];
  for (const result of lists.filter((list) => Array.isArray(list)).flat()) {
    const refusal = refusalOfWrite(result, sent);
    if (refusal) return refusal;
  }
  return refusalOfWrite(body, sent);
}

/**
 * Finds the record in the body of a write's answer: bare, or inside the key that was sent.
 *
 * @returns undefined for a body without it, and for a record with another id or code than the one that was asked for
 * @throws BadResponseError for an id that is no whole number
 */
export function writtenRecordIn(body: unknown, { key, id, code, fields = {} }: SentWrite): UpstreamRecord | undefined {
  const found = withoutWrapper(body, key);
  if (!hasId(found)) return undefined;
  const written = record(found);
  if (id !== undefined) return written.id === id ? written : undefined;
  const hasNewCode = written['code'] === Reflect.get(fields, 'code');
  return hasNewCode || isAskedFor(written, { code }) ? written : undefined;
}

/** Wrappers around a text that is handed out once are at most so deep. */
const MAX_DEPTH = 4;

/** Keys of other records beside the one that was written. A key of the request is none of them. */
const OTHER_RECORDS: ReadonlySet<string> = new Set([
  ...['owner', 'user', 'users', 'creator', 'created_by', 'updater', 'updated_by', 'author', 'current_user', 'session'],
  ...['account', 'accounts', 'parent', 'app', 'application', 'integration', 'partner', 'client', 'contact'],
]);

/** A part of a body, and whether it is within an object with an id. */
interface Part {
  readonly value: unknown;
  readonly isWithinRecord: boolean;
}

/**
 * Finds the text that no read gives again, wherever in the body of a write's answer it stands, but in other records. The
 * outermost one comes first.
 */
export function onceIn(body: unknown, sent: SentWrite): string | undefined {
  const { once, held = [] } = sent;
  if (once === undefined) return undefined;
  let level: readonly Part[] = [{ value: body, isWithinRecord: false }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const texts = level.map(({ value }) => (isObject(value) && Object.hasOwn(value, once) ? value[once] : undefined));
    const found = texts.find((text) => typeof text === 'string' && text !== '' && !held.includes(text));
    if (typeof found === 'string') return found;
    level = level.flatMap((part) => partsOf(part, sent));
  }
  return undefined;
}

/** The parts of a list or an object that may belong to the record that was written. */
function partsOf({ value, isWithinRecord }: Part, { key, moreKeys = [] }: SentWrite): Part[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ value: item, isWithinRecord }));
  if (!isObject(value)) return [];
  const isWithin = isWithinRecord || hasId(value);
  const isOther = (name: string, part: unknown) => OTHER_RECORDS.has(name) || (isWithin && hasId(part));
  return Object.entries(value)
    .filter(([name, part]) => name === key || moreKeys.includes(name) || !isOther(name, part))
    .map(([, part]) => ({ value: part, isWithinRecord: isWithin }));
}

/** Whether an answer hands out the text of a new record. One whose id is null was not saved. */
function handsOut(body: unknown, parts: readonly JsonObject[], sent: SentWrite): boolean {
  if (onceIn(body, sent) === undefined) return false;
  if (parts.some(hasId)) return true;
  const fields = Object.entries(sent.fields ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const showsOne = (part: JsonObject) =>
    fields.some(([name, value]) => showsFields(part, { [name]: value }, sent.kindOf));
  return parts.some(showsOne) && !parts.some((part) => Object.hasOwn(part, 'id'));
}

/** The object around which a body without an id is a wrapper; it may have no id either. */
function innerObject(body: unknown, key: string | undefined): JsonObject | undefined {
  if (hasId(body)) return undefined; // its own data is not looked into
  const inner = valuesUnder(body, key).filter(isObject);
  return inner.find(hasId) ?? inner[0];
}

/** Keys of a record of flexible data that are no field of it, and those that may say how a write went. */
const NO_DATA: ReadonlySet<string> = new Set([
  ...['id', 'table_name', 'created_at', 'updated_at'],
  ...['error', 'errors', 'message', 'status', 'code', 'ok', 'success'],
]);

/**
 * Whether an object is a row of flexible data: a record that has its fields at its own level. With an id it has a key that is
 * surely a field; without one it shows what was sent, and is no record that was not saved.
 */
function isFlatRow(part: unknown, sent: SentWrite): boolean {
  if (sent.dataKey === undefined || !isObject(part) || isObject(part[sent.dataKey])) return false;
  if (!hasId(part)) return !Object.hasOwn(part, 'id') && showsData(part, sent);
  return Object.keys(part).some((key) => !NO_DATA.has(key)) || showsData(part, sent);
}

function shows(written: JsonObject, sent: SentWrite): boolean {
  const { id, fields = {}, kindOf } = sent;
  if (id !== undefined && String(written['id']) !== id) return false;
  return showsAll(written, fields, kindOf) || showsData(written, sent);
}

/** Whether a row shows the flexible data that was sent. */
function showsData(row: JsonObject, { dataKey, fields = {} }: SentWrite): boolean {
  const data: unknown = dataKey === undefined ? undefined : Reflect.get(fields, dataKey);
  return isObject(data) && showsAll(row, data, isJson);
}

/** Whether an object shows each of the fields. False without any. */
function showsAll(written: JsonObject, fields: object, kindOf?: KindOf): boolean {
  return Object.values(fields).some((value) => value !== undefined) && showsFields(written, fields, kindOf);
}

/**
 * The status that an object without an id stands for. Undefined unless it refuses by a word, a number or a boolean. A value
 * that was sent is a field of the record, such as the code of a database.
 */
function refusingStatus(body: JsonObject, sent: object = {}): number | undefined {
  const [status, code, ok, success] = ['status', 'code', 'ok', 'success'].map((key) => {
    const value = normalized(body[key]);
    return value !== undefined && value === normalized(Reflect.get(sent, key)) ? undefined : value;
  });
  return statusOf(status) ?? statusOf(code) ?? ([status, ok, success].some(saysNo) ? REFUSED : undefined);
}

function saysNo(value: unknown): boolean {
  return NO.has(value) || value === 'no';
}

/** The status of a word such as `failed`, or of a number such as 422. */
function statusOf(value: unknown): number | undefined {
  if (typeof value === 'string' && REFUSING_WORDS.has(value)) return REFUSED;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
  if (number >= 400 && number < 500) return REFUSED;
  return number >= 500 && number < 600 ? FAILED : undefined;
}

function normalized(value: unknown): unknown {
  return typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, '_')
    : value;
}

/** Whether a body is a record that was saved, and has no key that could refuse it, as most answers are. */
function isPlainRecord(body: unknown): boolean {
  if (!hasId(body) || Number(body['id']) === 0) return false;
  return body['error'] === undefined && body['errors'] === undefined && body['message'] === undefined;
}

function saysErrors({ error, errors }: JsonObject): boolean {
  return saysSomething(error) || saysSomething(errors);
}

/** Whether there is anything but null, false, zero and empty texts, in a list or an object too. */
function saysSomething(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === '' || NO.has(value)) return false;
  if (typeof value !== 'object' || depth > MAX_DEPTH) return true;
  return Object.values(value).some((each) => saysSomething(each, depth + 1));
}

/** Whether an object has an id of a record. Not documented (A230): 0 is the id of none that was saved, as null is. */
function isSaved(part: unknown): part is JsonObject {
  return hasId(part) && !(Number(part['id']) === 0 && (saysErrors(part) || refusingStatus(part) !== undefined));
}

/**
 * Whether an object is the messages of fields that were sent, such as `{"name": ["is bad"]}`. A field that was sent as a list has
 * one in the record, too; so may have a text of several, separated by commas. Errors of the whole record are under `base`.
 */
function isFieldErrors(part: unknown, { fields = {}, dataKey }: SentWrite): boolean {
  if (!isObject(part)) return false;
  const data: unknown = dataKey === undefined ? undefined : Reflect.get(fields, dataKey);
  const sent: JsonObject = { ...(isObject(data) ? data : undefined), ...fields };
  const said = Object.entries(part).filter(([name, value]) => name !== 'id' || value !== null);
  const areMessages = said.every(([name, texts]) => isTexts(texts) && (name === 'base' || Object.hasOwn(sent, name)));
  return areMessages && said.some(([name, texts]) => name === 'base' || !isListOf(sent[name], texts));
}

function isListOf(sent: unknown, found: unknown): boolean {
  if (Array.isArray(sent)) return true;
  return (
    typeof sent === 'string' &&
    isSameList(
      sent.split(',').map((text) => text.trim()),
      found,
    )
  );
}

function isSameList(one: readonly string[], other: unknown): boolean {
  return Array.isArray(other) && one.length === other.length && one.every((text, at) => text === other[at]);
}

function messageOf(part: unknown): unknown {
  return isObject(part) && !hasId(part) ? part['message'] : undefined;
}

/** Whether a body is a list of errors, such as `[{"message": "is bad"}]`. */
function isErrors(body: unknown): boolean {
  return Array.isArray(body) && body.length > 0 && body.every(isError);
}

function isError(item: unknown): boolean {
  if (!isObject(item) || hasId(item)) return false;
  if (saysErrors(item) || refusingStatus(item) !== undefined) return true;
  const { message, status, ok, success } = item;
  return isTexts([message]) && status === undefined && ok === undefined && success === undefined;
}

function isTexts(body: unknown): boolean {
  return Array.isArray(body) && body.length > 0 && body.every((text) => typeof text === 'string' && text !== '');
}

import type { Mutation } from './mutations.ts';

/** The write that is answered, as upstream sees it. */
export interface Written {
  /** The key of such a record in the document. */
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same fields with other values. */
  readonly old: Readonly<Record<string, unknown>>;
}

/**
 * `APPLIED 11` names the id in the payload, `APPLIED ?` says that it is an error, `REFUSED NotFoundError` names the member of the
 * union, `UNKNOWN UPSTREAM_TIMEOUT` the code of the error.
 */
export type Expected = (mutation: Mutation) => string;

export interface Case {
  readonly name: string;
  readonly status?: number;
  readonly type?: string;
  /** The body, as JSON unless it is a text. */
  readonly body?: (written: Written) => unknown;
  readonly text?: string;
  /** How the answer fails. */
  readonly fault?: 'cut' | 'cut in its body' | 'hangs';
  /** What reads show after the write. Default: the record as it was. */
  readonly later?: 'changed' | 'gone';
  readonly expected: Expected;
}

// The rules of the documents and of docs/outcomes.md, by the kind of the mutation.

const always =
  (outcome: string): Expected =>
  () =>
    outcome;

/** Refused by the body of an answer, whatever its status. */
const INVALID = 'REFUSED ValidationError';
export const REFUSED = always(INVALID);

/** The answer cannot be understood, or is told to be an accident. */
export const UNREADABLE = always('UNKNOWN UPSTREAM_BAD_RESPONSE');
export const BROKEN = always('UNKNOWN UPSTREAM_UNAVAILABLE');
export const LATE = always('UNKNOWN UPSTREAM_TIMEOUT');

/** The result of any mutation by the status of the response. */
export const STATUSES: Readonly<Record<number, Expected>> = {
  301: UNREADABLE,
  302: UNREADABLE,
  304: UNREADABLE,
  400: REFUSED,
  401: always('REFUSED UNAUTHENTICATED'),
  403: always('REFUSED ForbiddenError'),
  404: always('REFUSED NotFoundError'),
  405: always('REFUSED UPSTREAM_BAD_RESPONSE'),
  409: always('REFUSED ConflictError'),
  413: always('REFUSED UPSTREAM_BAD_RESPONSE'),
  422: REFUSED,
  429: always('REFUSED UPSTREAM_RATE_LIMITED'),
  500: BROKEN,
  502: BROKEN,
  503: BROKEN,
};

/** Carried out, and the answer tells the record. */
export const told: Expected = ({ kind }) => (kind === 'change' ? 'APPLIED' : 'APPLIED 11');

/** Carried out. A new record has no id that is known; any other is the one that was asked for. */
export const untold: Expected = (mutation) => (mutation.kind === 'create' ? 'APPLIED ?' : told(mutation));

/** Carried out, answered with another id: that of a new record, and no id of a known one. */
const another: Expected = (mutation) => (mutation.kind === 'create' ? 'APPLIED 99' : told(mutation));

/** Errors beside a record that shows what was sent are its own. Where nothing was sent to be shown, they refuse. */
const toldIfShown: Expected = (mutation) => (mutation.sendsFields ? told(mutation) : INVALID);

/** A row of flexible data refuses nothing: its keys are fields of it. */
const toldIfFlexible =
  (otherwise: Expected): Expected =>
  (mutation) =>
    mutation.isFlexible ? told(mutation) : otherwise(mutation);

/** So is a row that tells no id, where it shows what was sent. */
const untoldIfFlexible: Expected = (mutation) =>
  mutation.isFlexible && mutation.sendsFields ? untold(mutation) : INVALID;

/** Messages of the fields that were sent. */
const refusedIfSent: Expected = (mutation) =>
  mutation.sendsFields || mutation.field === 'createAccount' ? INVALID : untold(mutation);

/** Refused inside the key of the request. Without such a key, nothing is looked into. */
const refusedInKey: Expected = (mutation) => (mutation.hasKey ? INVALID : 'APPLIED');

/** A read by id, or a list, shows the change; a new record may be an older one. */
const seenChanged =
  (otherwise: Expected): Expected =>
  (mutation) =>
    (mutation.kind === 'update' && mutation.look !== 'none' ? told : otherwise)(mutation);

/** A read by id finds nothing; a list may have more pages. */
const seenGone =
  (otherwise: Expected): Expected =>
  (mutation) =>
    (mutation.kind === 'delete' && mutation.look === 'by id' ? told : otherwise)(mutation);

const errors = { errors: { name: ['is bad'] } };
const record = ({ fields }: Written) => ({ id: 11, ...fields });
const unchanged = ({ old }: Written) => ({ id: 11, ...old });
const messages = (written: Written) => Object.fromEntries(Object.keys(row(written)).map((name) => [name, ['is bad']]));
const row = ({ fields }: Written) => Object(fields['data'] ?? fields);
const refusing = (body: unknown): Case => ({ name: JSON.stringify(body), body: () => body, expected: REFUSED });
const applying = (body: unknown): Case => ({ name: JSON.stringify(body), body: () => body, expected: untold });
const saying = ([status, expected]: readonly [string, Expected]): Case => ({
  name: `status ${status}`,
  status: Number(status),
  body: () => ({ message: 'x' }),
  expected,
});

export const jsonAnswers: readonly Case[] = [
  { name: 'the record', body: record, expected: told },
  { name: 'the record, created', status: 201, body: record, expected: told },
  { name: 'the record, accepted', status: 202, body: record, expected: UNREADABLE },
  { name: 'the record, among results', status: 207, body: record, expected: UNREADABLE },
  { name: 'the record, in part', status: 206, body: record, expected: told },
  { name: 'the record, its id as a text', body: (written) => ({ ...record(written), id: '11' }), expected: told },
  { name: 'the record as text', body: record, type: 'text/plain', expected: told },
  { name: 'the record as HTML', body: record, type: 'text/html', expected: told },
  { name: 'the record alone with its id', body: () => ({ id: 11 }), expected: told },
  { name: 'the record in its key', body: (written) => ({ [written.key]: record(written) }), expected: keyed(told) },
  {
    name: 'the record in its key, beside a status',
    body: (written) => ({ status: 'ok', success: true, [written.key]: record(written) }),
    expected: keyed(told),
  },
  {
    name: 'the record in its key, beside a null id',
    body: (written) => ({ id: null, [written.key]: record(written) }),
    expected: keyed(told),
  },
  { name: 'the record in another key', body: (written) => ({ item: record(written) }), expected: untold },
  { name: 'another record in its key', body: () => ({ status: 'ok', user: { id: 3 } }), expected: untold },
  { name: 'two records in other keys', body: () => ({ user: { id: 3 }, item: { id: 4 } }), expected: untold },
  { name: 'another id', body: (written) => ({ ...record(written), id: 99 }), expected: another },
  {
    name: 'another id in the key',
    body: (written) => ({ [written.key]: { ...record(written), id: 99 } }),
    expected: another,
  },
  { name: 'the record in a list', body: (written) => [record(written)], expected: untold },
  { name: 'the fields without an id', body: ({ fields }) => fields, expected: untold },
  { name: 'the fields with a null id', body: ({ fields }) => ({ id: null, ...fields }), expected: untold },
  { name: 'the record with empty errors', body: (w) => ({ ...record(w), errors: {}, error: null }), expected: told },
  {
    name: 'the record with a status of its own',
    body: (written) => ({ ...record(written), status: 'failed', ok: false, success: false, code: 'error' }),
    expected: told,
  },
  { name: 'the changed record with errors', body: (w) => ({ ...record(w), ...errors }), expected: toldIfShown },
  {
    name: 'the changed record in its key, with errors',
    body: (written) => ({ ...errors, [written.key]: record(written) }),
    expected: toldIfShown,
  },
  {
    name: 'a flat row with an error',
    body: (w) => ({ id: 11, name: 'N', ...row(w), error: 'E42', status: 'failed' }),
    expected: toldIfFlexible(toldIfShown),
  },
  {
    name: 'a flat row with errors, in its key',
    body: (w) => ({ [w.key]: { id: 11, name: 'N', ...row(w), errors: ['E42'] } }),
    expected: (mutation) => keyed(toldIfFlexible(toldIfShown))(mutation),
  },
  {
    name: 'a flat row with other values and an error',
    body: () => ({ id: 11, name: 'old', title: 'old', error: 'E42' }),
    expected: toldIfFlexible(REFUSED),
  },
  {
    name: 'a flat row without an id, with a status',
    body: (w) => ({ name: 'N', ...row(w), status: 'failed' }),
    expected: untoldIfFlexible,
  },
  {
    name: 'a flat row with a null id and errors',
    body: (w) => ({ id: null, name: 'N', ...row(w), ...errors }),
    expected: REFUSED,
  },
  { name: 'nothing', text: '', expected: untold },
  { name: 'nothing, created', status: 201, text: '', expected: untold },
  { name: 'nothing, accepted', status: 202, text: '', expected: UNREADABLE },
  { name: 'no content', status: 204, text: '', expected: untold },
  { name: 'a space', text: ' ', expected: untold },
  { name: 'ok', text: 'ok', type: 'text/plain', expected: untold },
  { name: '"ok"', text: '"ok"', expected: untold },
  { name: 'nothing as HTML', text: '', type: 'text/html', expected: untold },
  { name: 'a space as HTML', text: ' ', type: 'text/html', expected: untold },
  { name: 'ok as HTML', text: 'ok', type: 'text/html', expected: untold },
  { name: '"ok" as HTML', text: '"ok"\n', type: 'text/html', expected: untold },
  { name: 'JSON that is cut', text: '{"id":', expected: untold },
  applying(true),
  applying(null),
  applying([]),
  applying({}),
  applying({ status: 'ok' }),
  applying({ status: 'created', message: 'Done' }),
  applying({ status: 200 }),
  applying({ success: true }),
  applying({ ok: 1, error: false, errors: [] }),
  applying({ errors: { name: [] } }),
  applying({ code: 0, message: 'Done' }),
  applying({ message: { notice: ['Saved'] } }),
  applying({ notices: ['Saved'] }),
  applying([{ message: 'Saved', status: 'ok' }]),

  refusing(false),
  refusing(['Name is bad']),
  refusing({ status: 'error', message: 'Name is bad' }),
  refusing({ status: 'fail' }),
  refusing({ status: 'failed' }),
  refusing({ status: 422 }),
  refusing({ code: 'error', message: { name: ['is bad'] } }),
  refusing({ status: false, message: 'Name is bad' }),
  refusing({ status: 0 }),
  refusing({ status: 'not_found' }),
  refusing({ success: 'no' }),
  refusing({ id: 0, status: 'error' }),
  refusing({ id: ' ', status: 'error' }),
  refusing({ base: ['is in use'] }),
  refusing({ message: { base: ['is in use'] } }),
  refusing([{ message: 'Name is bad' }]),
  { name: 'messages of fields', body: messages, expected: refusedIfSent },
  { name: 'messages of fields under message', body: (w) => ({ message: messages(w) }), expected: refusedIfSent },
  { name: 'messages of fields in the key', body: (w) => ({ [w.key]: messages(w) }), expected: refusedIfSent },
  refusing({ ok: false }),
  refusing({ success: false }),
  refusing({ success: 'false' }),
  refusing({ success: 0 }),
  refusing({ error: 'Name is bad' }),
  refusing({ error: true }),
  refusing({ errors: 'Name is bad' }),
  refusing({ errors: ['Name is bad'] }),
  refusing(errors),
  refusing({ id: null, ...errors }),
  refusing({ id: null, status: 'error' }),
  refusing({ id: '', error: 'Name is bad' }),
  { name: 'errors in the key', body: ({ key }) => ({ [key]: errors }), expected: refusedInKey },
  {
    name: 'errors in the key, beside a null id',
    body: ({ key }) => ({ [key]: { id: null, ...errors } }),
    expected: refusedInKey,
  },
  {
    name: 'a status in the key, beside a null id',
    body: ({ key }) => ({ [key]: { id: null, status: 'error' } }),
    expected: refusedInKey,
  },
  { name: 'the unchanged record with errors', body: (w) => ({ ...unchanged(w), ...errors }), expected: REFUSED },
  { name: 'the unchanged record with an error', body: (w) => ({ ...unchanged(w), error: 'bad' }), expected: REFUSED },
  {
    name: 'the unchanged record in its key, with errors',
    body: (written) => ({ ...errors, [written.key]: unchanged(written) }),
    expected: REFUSED,
  },
  {
    name: 'the record in its key, beside a status that refuses',
    body: (written) => ({ status: 'error', [written.key]: record(written) }),
    expected: REFUSED,
  },
  ...Object.entries(STATUSES).map(saying),
  { name: '422 with errors', status: 422, body: () => errors, expected: REFUSED },
  { name: '400 with messages of fields', status: 400, body: (w) => ({ message: messages(w) }), expected: REFUSED },
  { name: '404 without a body', status: 404, text: '', expected: always('REFUSED NotFoundError') },

  { name: 'a web page', text: '<!doctype html><title>Sign in</title>', type: 'text/html', expected: UNREADABLE },
  { name: 'a web page as JSON', text: '<html></html>', expected: UNREADABLE },
  { name: 'a text as HTML', text: 'Sign in', type: 'text/html', expected: UNREADABLE },
  { name: 'a status of 500 in the body', body: () => ({ status: 500, error: 'x' }), expected: BROKEN },
  { name: 'an answer that is cut', fault: 'cut', expected: BROKEN },
  {
    name: 'an answer that is cut, of a change that was made',
    fault: 'cut',
    later: 'changed',
    expected: seenChanged(BROKEN),
  },
  { name: 'an answer that is cut, of a record that is gone', fault: 'cut', later: 'gone', expected: seenGone(BROKEN) },
  { name: 'a body that is cut', fault: 'cut in its body', expected: BROKEN },
  { name: 'an answer that hangs', fault: 'hangs', expected: LATE },
  {
    name: 'an answer that hangs, of a change that was made',
    fault: 'hangs',
    later: 'changed',
    expected: seenChanged(LATE),
  },
  { name: 'an answer that hangs, of a record that is gone', fault: 'hangs', later: 'gone', expected: seenGone(LATE) },
];

/** Without a key in the request, an object in a key is none that is looked for. */
function keyed(expected: Expected): Expected {
  return (mutation) => (mutation.hasKey ? expected(mutation) : untold(mutation));
}

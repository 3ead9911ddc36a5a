import type { refusals } from './possible-types.ts';

/** The types of a refusal, members of the interface `MutationError`. */
export type RefusalName = (typeof refusals)[number];

/** Messages by the path of the input's field, such as `name`. */
export type FieldMessages = ReadonlyMap<string, readonly string[]>;

/** The end of a write, as the app should tell its user. */
export type Outcome<Member> = Applied<RecordOf<Member>> | NotApplied;

export interface Applied<Record> {
  readonly outcome: 'APPLIED';
  /** Null when it could not be read. */
  readonly record: Record | null;
}

/** `UNKNOWN`: the write may have been made, so the user has to look before it is sent as a new one. */
export interface NotApplied {
  readonly outcome: 'REFUSED' | 'UNKNOWN';
  readonly message: string;
  readonly fields: FieldMessages;
}

/** The members of a result union that are no refusal. */
type RecordOf<Member> = Exclude<Member, { readonly __typename?: RefusalName } | null | undefined>;

/**
 * The end of an operation: a result of Apollo Client or urql as it is, of Relay `{ data: response, error: errors }`; without a client
 * library the answer as it is, or `{ error }` where `fetch` has thrown one.
 */
export interface Result<Data> {
  readonly data?: Data | null | undefined;
  /** The client library's error, or a list of errors. */
  readonly error?: unknown;
  /** Those of an answer as it is. */
  readonly errors?: unknown;
}

/** An error of an answer. */
export interface Failure {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A member of a result union. The result of a bulk mutation, a list, is no such member: each of its items is. */
interface Typed {
  readonly __typename?: string;
}

/** A refusal, with the fields that are selected. */
export interface Refusal extends Typed {
  readonly message?: string;
  readonly fields?: unknown;
}

/** The fields of a mutation, without the one that a client library adds. */
type FieldOf<Data> = Exclude<keyof Data & string, '__typename'>;

/**
 * Tells what became of a write. Its result has to select `__typename`, and the `message` and the `fields` of a refusal. An error that
 * says nothing of earlier attempts is `UNKNOWN`, as the kits send a write several times; so is one without an `outcome`, which is not
 * of trivium: a router, or a proxy, cannot tell whether a write was sent.
 *
 * @param field name of the write's field in `data`; needed when there are several
 */
export function outcomeOf<
  Data extends { readonly [name in Field]?: Typed | null | undefined },
  Field extends string = FieldOf<Data>,
>(result: Result<Data> | null | undefined, field?: Field): Outcome<Data[Field]> {
  const { data, errors, error = errors } = result ?? {};
  const member = memberOf(data ?? {}, field);
  if (isRefusal(member)) return { outcome: 'REFUSED', message: member.message ?? '', fields: byField(member.fields) };
  if (isRecord<Data[Field]>(member)) return { outcome: 'APPLIED', record: member };

  const failures = failuresOf(error).filter(({ path }) => !field || !path || path[0] === field);
  const told = failures.map((failure) => (saysNothing(failure) ? undefined : failure.extensions?.['outcome']));
  const isKnown = told.length > 0 && told.every((outcome) => outcome === 'APPLIED' || outcome === 'REFUSED');
  if (isKnown && told.includes('APPLIED')) return { outcome: 'APPLIED', record: null };
  const { message } = failures[0] ?? (isFailure(error) ? error : { message: 'There was no answer.' });
  return {
    outcome: isKnown ? 'REFUSED' : 'UNKNOWN',
    message,
    fields: byField(failures.flatMap(({ extensions }) => extensions?.['fields'] ?? [])),
  };
}

/**
 * The record of a write, for the lists of a cache: null where nothing is known of it, as after several writes, a bulk mutation and an
 * unknown outcome; undefined after a refusal. It never throws, which would tell the app of a write that it failed.
 */
export function writtenRecord<Data extends { readonly [name in keyof Data]?: Typed | null | undefined }>(
  result: Result<Data>,
): RecordOf<Data[FieldOf<Data>]> | null | undefined {
  try {
    const write = outcomeOf(result);
    if (write.outcome === 'REFUSED') return undefined;
    return write.outcome === 'APPLIED' ? write.record : null;
  } catch {
    return null;
  }
}

/** The result of the write's field. @throws TypeError where it cannot be told which field that is, or what its result is */
function memberOf(data: object, field: string | undefined): object | undefined {
  const fields = Object.entries<unknown>({ ...data }).filter(([name]) => name !== '__typename');
  const [found, another] = field === undefined ? fields : fields.filter(([name]) => name === field);
  if (another) throw new TypeError(`Name the field of the write: \`outcomeOf(result, '${another[0]}')\`.`);
  const [name, member] = found ?? [];
  if (typeof member !== 'object' || member === null) return undefined;
  if ('__typename' in member && !Array.isArray(member)) return member;
  throw new TypeError(`\`${name}\` is no result of one write with its \`__typename\`.`);
}

/**
 * The errors of an answer, from the error of Apollo Client, urql or Relay. Without an answer there are none. One without a message, as
 * a router may have them, is one, too.
 */
export function failuresOf(error: unknown): readonly Failure[] {
  if (Array.isArray(error)) return error.map((each) => (isFailure(each) ? each : { message: 'Unexpected error.' }));
  if (typeof error !== 'object' || error === null) return [];
  const { errors, graphQLErrors, source }: { errors?: unknown; graphQLErrors?: unknown; source?: unknown } = error;
  return failuresOf(errors ?? graphQLErrors ?? source);
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

/** Whether an API refused the credential, and nothing was written. Without `upstream`, a header is missing. */
export function isUnauthenticated({ extensions }: Failure): boolean {
  const { code, upstream, outcome = 'REFUSED' } = extensions ?? {};
  return code === 'UNAUTHENTICATED' && upstream !== undefined && outcome === 'REFUSED';
}

/**
 * Whether an answer asks for other credentials, under which its operation is sent again. A mutation is not, where any of its writes
 * was carried out, or may have been: under other credentials all of them would be made.
 *
 * @param data of the answer
 */
export function asksForCredentials(data: unknown, failures: readonly Failure[], isMutation: boolean): boolean {
  if (!isMutation) return failures.some(isUnauthenticated);
  return failures.length > 0 && failures.every(isUnauthenticated) && resultsIn(data).every(isNull);
}

/** Whether each write of an answer was refused as it takes no key. One that was made, and answers null, has no error. */
export function refusesKey(data: unknown, failures: readonly Failure[]): boolean {
  const results = resultsIn(data);
  const isSo = ({ extensions }: Failure) => extensions?.['code'] === 'IDEMPOTENCY_KEY_NOT_TAKEN';
  return failures.length >= (results.length || 1) && failures.every(isSo) && results.every(isNull);
}

function resultsIn(data: unknown): unknown[] {
  const members = Object.entries<unknown>(typeof data === 'object' ? { ...data } : {});
  return members.filter(([name]) => name !== '__typename').flatMap(([, member]) => member);
}

const isNull = (result: unknown) => result === null || result === undefined;

/** Codes of a refused attempt that say nothing of an earlier one with the same key: see docs/outcomes.md. A later one may be answered. */
const ofThisAttempt: readonly unknown[] = [
  'IDEMPOTENCY_LIMIT_EXCEEDED',
  'IDEMPOTENCY_UNAVAILABLE',
  'OVERLOADED',
  'RATE_LIMITED',
  'SHUTTING_DOWN',
];

/** Under a key of another write, the write is refused each time. */
function saysNothing({ extensions }: Failure): boolean {
  return [...ofThisAttempt, 'IDEMPOTENCY_KEY_REUSED'].includes(extensions?.['code']);
}

/** Whether a write may have been made, or the gateway cannot tell now: with its key it is looked into when it is sent again. */
export function isOpen({ extensions }: Failure): boolean {
  return ofThisAttempt.includes(extensions?.['code']) || extensions?.['outcome'] === 'UNKNOWN';
}

/** A refusal that is newer than this kit has a name of this form, too. */
export function isRefusal(member: object | undefined): member is Refusal {
  const name = member && '__typename' in member ? String(member.__typename) : '';
  return name.endsWith('Error') || name === ('NotAttempted' satisfies RefusalName);
}

function isRecord<Member>(member: unknown): member is RecordOf<Member> {
  return member !== undefined;
}

function byField(fields: unknown): FieldMessages {
  return new Map(
    (Array.isArray(fields) ? fields : []).filter(isOfField).map(({ field, messages }) => [field, messages]),
  );
}

function isOfField(value: unknown): value is { readonly field: string; readonly messages: readonly string[] } {
  return typeof value === 'object' && value !== null && 'field' in value && 'messages' in value;
}

import { refusals } from './possible-types.ts';

/** The types of a refusal, members of the interface `MutationError`. */
export type RefusalName = (typeof refusals)[number];

/** Messages by the path of the input's field, such as `name`. */
export type FieldMessages = ReadonlyMap<string, readonly string[]>;

/** What became of a write. */
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

/** The end of an operation: a result of Apollo Client or urql as it is, of Relay `{ data: response, error: errors }`. */
export interface Result<Data> {
  readonly data?: Data | null | undefined;
  /** The client library's error, or a list of errors. */
  readonly error?: unknown;
}

/** An error of an answer. */
export interface Failure {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** A member of a result union. The result of a bulk mutation is a list of them, and none. */
interface Typed {
  readonly __typename?: string;
}

/** A refusal, with the fields that are selected. */
interface Refusal extends Typed {
  readonly message?: string;
  readonly fields?: unknown;
}

/** The fields of a mutation, without the one that a client library adds. */
type FieldOf<Data> = Exclude<keyof Data & string, '__typename'>;

/**
 * Tells what became of a write. Its result has to select `__typename`, and the `message` and the `fields` of a refusal.
 *
 * @param field name of the write's field in `data`; needed when there are several
 */
export function outcomeOf<
  Data extends { readonly [name in Field]?: Typed | null | undefined },
  Field extends string = FieldOf<Data>,
>({ data, error }: Result<Data>, field?: Field): Outcome<Data[Field]> {
  const [, member] =
    Object.entries<unknown>(data ?? {}).find(([name]) => (field ? name === field : name !== '__typename')) ?? [];
  if (isRefusal(member)) return { outcome: 'REFUSED', message: member.message ?? '', fields: byField(member.fields) };
  if (member) return { outcome: 'APPLIED', record: member as RecordOf<Data[Field]> };

  const failures = failuresOf(error).filter(({ path }) => !field || !path || path[0] === field);
  const told = failures.map(({ extensions }) => extensions?.['outcome'] ?? 'UNKNOWN');
  const isKnown = told.length > 0 && !told.includes('UNKNOWN');
  if (isKnown && told.includes('APPLIED')) return { outcome: 'APPLIED', record: null };
  return {
    outcome: isKnown ? 'REFUSED' : 'UNKNOWN',
    message: failures[0]?.message ?? (error instanceof Error ? error.message : 'There was no answer.'),
    fields: byField(failures.flatMap(({ extensions }) => extensions?.['fields'] ?? [])),
  };
}

/** The errors of an answer, from the error of Apollo Client, urql or Relay. Without an answer there are none. */
export function failuresOf(error: unknown): readonly Failure[] {
  if (Array.isArray(error)) return error;
  if (typeof error !== 'object' || error === null) return [];
  const { errors, graphQLErrors, source } = error as { errors?: unknown; graphQLErrors?: unknown; source?: unknown };
  return failuresOf(errors ?? graphQLErrors ?? source);
}

/** Whether an API refused the credential, and nothing was written. Without `upstream`, a header is missing. */
export function isUnauthenticated({ extensions = {} }: Failure): boolean {
  const { code, upstream, outcome = 'REFUSED' } = extensions;
  return code === 'UNAUTHENTICATED' && upstream !== undefined && outcome === 'REFUSED';
}

/** Whether a write may have been made, or the gateway cannot tell now: with its key it is looked into when it is sent again. */
export function isOpen({ extensions = {} }: Failure): boolean {
  const { code, outcome } = extensions;
  return outcome === 'UNKNOWN' || code === 'IDEMPOTENCY_UNAVAILABLE' || code === 'SHUTTING_DOWN';
}

function isRefusal(member: unknown): member is Refusal {
  const { __typename: name } = (member ?? {}) as Typed;
  return refusals.some((refusal) => refusal === name);
}

function byField(fields: unknown): FieldMessages {
  const list = (Array.isArray(fields) ? fields : []) as readonly { field: string; messages: readonly string[] }[];
  return new Map(list.map(({ field, messages }) => [field, messages]));
}

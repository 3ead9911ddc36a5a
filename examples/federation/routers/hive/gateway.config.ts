/** The headers of a caller that trivium gets, and no other subgraph: credentials, the key of a write, the time for it, a trace and a name. */
export const forwarded: readonly string[] = [
  'authorization',
  'x-crm-token',
  'x-forum-authorization',
  'idempotency-key',
  'x-trivium-timeout-ms',
  'traceparent',
  'tracestate',
  'apollographql-client-name',
  'apollographql-client-version',
];

interface Forwarding {
  readonly request: Request;
  readonly subgraphName: string;
}

interface Failure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly Failure[];
}

interface Answer {
  readonly result: object;
  setResult(result: object): void;
}

/** The code of an error that this file adds. Only where the reference is never null a caller sees it. */
const GONE = 'TRIVIUM_RECORD_GONE';

/** Errors for the references of an answer that are null and have no error of their own: their records are gone. */
function missing({ data, errors = [] }: Result): readonly Failure[] {
  const failed = new Set(errors.map(({ path = [] }) => path.slice(0, 2).join('.')));
  return Object.entries(Object(data)).flatMap(([field, records]) => {
    if (!field.endsWith('_entities') || !Array.isArray(records)) return [];
    return records.flatMap((record, index) => {
      if (record !== null || failed.has(`${field}.${index}`)) return [];
      return [{ message: 'The record is gone.', path: [field, index], extensions: { code: GONE } }];
    });
  });
}

/** Whether a failure is a reference to a record that is gone, and its null is at the reference and not above it. */
function isNullReference({ path = [], extensions }: Failure, data: unknown): boolean {
  if (extensions?.['code'] !== GONE || path.length < 2) return false;
  let above = data;
  for (const key of path.slice(0, -2)) above = Object(above)[key];
  return above !== null && above !== undefined;
}

/**
 * A record that is gone is null where another subgraph refers to it, and that is no error. Left to itself the gateway makes one of it
 * where a field of the record is selected that is never null, such as `id`. All other errors stay.
 */
const goneIsNull = {
  onSubgraphExecute({ subgraphName }: { readonly subgraphName: string }) {
    if (subgraphName !== 'trivium') return undefined;
    return ({ result, setResult }: Answer) => {
      const answer: Result = result;
      const gone = missing(answer);
      if (gone.length > 0) setResult({ ...answer, errors: [...(answer.errors ?? []), ...gone] });
    };
  },
  onExecute: () => ({
    onExecuteDone({ result, setResult }: Answer) {
      const { errors = [], ...rest }: Result = result;
      const others = errors.filter((failure) => !isNullReference(failure, rest.data));
      if (others.length < errors.length) setResult(others.length > 0 ? { ...rest, errors: others } : rest);
    },
  }),
};

export const gatewayConfig = {
  supergraph: './supergraph.graphql',
  plugins: () => [goneIsNull],
  propagateHeaders: {
    fromClientToSubgraphs({ request, subgraphName }: Forwarding) {
      if (subgraphName !== 'trivium') return {};
      return Object.fromEntries(forwarded.map((name) => [name, request.headers.get(name)]));
    },
  },
};

/** The headers that carry the credentials of trivium's callers. */
const credentials = ['authorization', 'x-crm-token', 'x-forum-authorization'];

interface Forwarding {
  readonly request: Request;
  readonly subgraphName: string;
}

interface Failure {
  readonly message: string;
  readonly originalError?: unknown;
}

interface Execution {
  readonly result: object;
  setResult(result: object): void;
}

/** Whether the gateway itself found a null where its schema has none. */
function isOwnNull({ message, originalError }: Failure): boolean {
  return originalError !== undefined && message.startsWith('Cannot return null for non-nullable field ');
}

/**
 * A record that is gone is null where another subgraph refers to it, and that is no error. The gateway makes one of it where a field of the
 * record is selected that is never null, such as `id`.
 */
const goneIsNull = {
  onExecute: () => ({
    onExecuteDone({ result, setResult }: Execution) {
      if (!('errors' in result) || !Array.isArray(result.errors)) return;
      const { errors, ...rest } = result;
      const others: readonly Failure[] = errors.filter((failure: Failure) => !isOwnNull(failure));
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
      return Object.fromEntries(credentials.map((name) => [name, request.headers.get(name)]));
    },
  },
};

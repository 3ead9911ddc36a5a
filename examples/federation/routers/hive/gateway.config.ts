/** The headers that carry the credentials of trivium's callers. */
const credentials = ['authorization', 'x-crm-token', 'x-forum-authorization'];

interface Forwarding {
  readonly request: Request;
  readonly subgraphName: string;
}

export const gatewayConfig = {
  supergraph: './supergraph.graphql',
  propagateHeaders: {
    fromClientToSubgraphs({ request, subgraphName }: Forwarding) {
      if (subgraphName !== 'trivium') return {};
      return Object.fromEntries(credentials.map((name) => [name, request.headers.get(name)]));
    },
  },
};

import { Environment, type GraphQLSingularResponse, Network } from 'relay-runtime';

/** Runs Relay's operations at an endpoint, with the caller's credentials in the headers. */
export function createEnvironment(endpoint: string, credentials: Readonly<Record<string, string>>): Environment {
  const headers = { accept: 'application/json', 'content-type': 'application/json', ...credentials };
  return new Environment({
    network: Network.create(async ({ text }, variables) => {
      const body = JSON.stringify({ query: text, variables });
      const response = await fetch(endpoint, { method: 'POST', headers, body });
      return (await response.json()) as GraphQLSingularResponse;
    }),
  });
}

import { composeServices } from '@apollo/composition';
import { ApolloGateway, type GraphQLDataSourceProcessOptions, RemoteGraphQLDataSource } from '@apollo/gateway';
import { useApolloFederation } from '@envelop/apollo-federation';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { GraphQLError, parse } from 'graphql';
import { createYoga, type GraphiQLOptions, maskError, type YogaInitialContext } from 'graphql-yoga';
import { forwarded } from '../routers/hive/gateway.config.ts';
import { listening, type Service, type Subgraph } from './subgraph.ts';

/** The schema of all of them, as a router takes it. */
export function composed(subgraphs: readonly Subgraph[]): string {
  const services = subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));
  const { errors, supergraphSdl } = composeServices(services);
  if (supergraphSdl !== undefined) return supergraphSdl;
  throw new Error(`The subgraphs do not compose. ${errors?.map(({ message }) => message).join('\n')}`);
}

/** Serves the graph of a supergraph's schema. */
export async function startGateway(supergraphSdl: string, graphiql: GraphiQLOptions = {}): Promise<Service> {
  // Else @apollo/gateway asks the machine's cloud for its name, and reports to Apollo.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name, url = '' }) =>
      name === 'trivium' ? new TriviumDataSource({ name, url }) : new NamedDataSource({ name, url }),
  });
  await gateway.load();
  const yoga = createYoga({
    plugins: [useApolloFederation({ gateway })],
    graphiql: { title: 'Federation', ...graphiql },
    renderGraphiQL, // brings its scripts along
    landingPage: false,
    logging: false,
    maskedErrors: { maskError: maskOwnErrors },
  });
  const service = await listening(yoga);
  return {
    ...service,
    close: async () => {
      await service.close();
      await gateway.stop();
    },
  };
}

/** A subgraph that does not answer is named to the caller, and its address is not. */
class NamedDataSource extends RemoteGraphQLDataSource<YogaInitialContext> {
  readonly name: string;

  constructor({ name, url }: { readonly name: string; readonly url: string }) {
    super({ url });
    this.name = name;
  }

  override didEncounterError(
    ...[_error, _request, response]: Parameters<RemoteGraphQLDataSource['didEncounterError']>
  ): never {
    const outcome = response ? `answered with the status ${response.status}` : 'did not answer';
    const extensions = { code: 'SUBGRAPH_UNAVAILABLE', serviceName: this.name };
    throw new GraphQLError(`The subgraph ${this.name} ${outcome}.`, { extensions });
  }
}

/** Forwards the listed headers of the caller, to trivium and to no other subgraph. */
class TriviumDataSource extends NamedDataSource {
  override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions<YogaInitialContext>): void {
    for (const name of forwarded) {
      const value = context.request?.headers.get(name);
      if (value) request.http?.headers.set(name, value);
    }
  }
}

/** Passes on what subgraphs said, which Yoga takes for a failure of its own. */
function maskOwnErrors(error: unknown, message: string): Error {
  const said = error instanceof GraphQLError && error.extensions['serviceName'] !== undefined;
  return said ? error : maskError(error, message);
}

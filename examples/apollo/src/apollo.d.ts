// Types of Apollo Client that follow the options in client.ts.
import type { Defer20220824Handler, GraphQLCodegenIncremental } from '@apollo/client/incremental';

declare module '@apollo/client' {
  // The parts of an answer, and the types that codegen makes of deferred fragments
  interface TypeOverrides extends Defer20220824Handler.TypeOverrides, GraphQLCodegenIncremental.TypeOverrides {}

  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Query {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

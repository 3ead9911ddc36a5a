import { GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Config } from '../../config.ts';
import { stripSuggestions } from '../errors/messages.ts';
import { withMessage } from '../errors/public-error.ts';

/**
 * Leaves suggestions (`Did you mean "apiTokens"?`) out of the errors of misspelt names when NODE_ENV is production: by them
 * a caller could find the names of the schema where introspection is closed by a proxy. Has to stand after the plugins that
 * complete errors.
 *
 * graphql-js has an option for that, which its coercion of variables lacks.
 */
export function useSuggestions({ NODE_ENV }: Config): Plugin {
  if (NODE_ENV !== 'production') return {};
  return {
    onValidate:
      () =>
      ({ result, setResult }) =>
        setResult(result.map((error) => (error instanceof GraphQLError ? withoutSuggestions(error) : error))),
    onExecute: () => ({
      onExecuteDone: ({ result, setResult }) => {
        // The errors of variables: they come before the first part of a response.
        if (!isAsyncIterable(result) && result.errors) {
          setResult({ ...result, errors: result.errors.map(withoutSuggestions) });
        }
      },
    }),
  };
}

function withoutSuggestions(error: GraphQLError): GraphQLError {
  return withMessage(error, stripSuggestions(error.message));
}

import type { Plugin } from 'graphql-yoga';
import type { Config } from '../../config.ts';

/**
 * Leaves suggestions (`Did you mean "apiTokens"?`) out of the errors of misspelt names when NODE_ENV is production: by them
 * a caller could find the names of the schema where introspection is closed by a proxy.
 */
export function useSuggestions({ NODE_ENV }: Config): Plugin {
  if (NODE_ENV !== 'production') return {};
  return {
    onValidate: ({ validateFn, setValidationFn }) => {
      setValidationFn((schema, document, rules, typeInfo, options) =>
        validateFn(schema, document, rules, typeInfo, { ...options, hideSuggestions: true }),
      );
    },
    // For variables: the executors of graphql-js and of Yoga both know this argument, which the type of Yoga lacks.
    onExecute: ({ args }) => void Object.assign(args, { hideSuggestions: true }),
  };
}

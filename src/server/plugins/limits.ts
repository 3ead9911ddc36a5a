import { GraphQLError, parse } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../../config.ts';
import { limitsRule } from './query-limits.ts';

/** Refuses operations beyond MAX_TOKENS, MAX_DEPTH, MAX_ALIASES and MAX_DIRECTIVES before any upstream call. */
export function useLimits(config: Config): Plugin {
  const rule = limitsRule(config);
  return {
    onParse: ({ setParseFn }) => {
      setParseFn((source, options) => {
        try {
          return parse(source, { ...options, maxTokens: config.MAX_TOKENS });
        } catch (error) {
          throw isTooLarge(error) ? tooLargeError(config.MAX_TOKENS) : error;
        }
      });
    },
    onValidate: ({ addValidationRule, validateFn, setValidationFn }) => {
      addValidationRule(rule);
      setValidationFn((...validated) => {
        try {
          return validateFn(...validated);
        } catch (error) {
          if (isTooLarge(error)) return [tooLargeError(config.MAX_TOKENS)]; // fragments that spread each other overflow the stack
          throw error;
        }
      });
    },
  };
}

/** Whether graphql-js gave up: it reports its token limit as a syntax error, and overflows the stack for deep nesting. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && error.message.endsWith('Parsing aborted.'));
}

function tooLargeError(limit: number): GraphQLError {
  const message = `The document exceeds MAX_TOKENS (${limit}), or nests too deeply.`;
  return new GraphQLError(message, { extensions: { code: 'QUERY_LIMIT_EXCEEDED' } });
}

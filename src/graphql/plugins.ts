import { type ExecutionResult, getOperationAST, GraphQLError, parse } from 'graphql';
import { handleStreamOrSingleExecutionResult, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { errorList, publicError, unquoted } from './error-format.ts';
import { limitsRule } from './limits.ts';

// What every operation goes through, as hooks of its phases (parse, validate, execute), whatever the transport.

/** Refuses what is too large before anything is called. */
export function useLimits(config: Config): Plugin<Context> {
  const rule = limitsRule(config);
  return {
    onParse: ({ setParseFn }) => {
      setParseFn((source, options) => {
        try {
          return parse(source, { ...options, maxTokens: config.MAX_TOKENS });
        } catch (error) {
          throw isTooLarge(error) ? tooLarge(config.MAX_TOKENS) : error;
        }
      });
    },
    onValidate: ({ addValidationRule, validateFn, setValidationFn }) => {
      addValidationRule(rule);
      setValidationFn((...validated) => {
        try {
          return validateFn(...validated);
        } catch (error) {
          if (isTooLarge(error)) return [tooLarge(config.MAX_TOKENS)]; // graphql goes around fragments that spread each other
          throw error;
        }
      });
    },
  };
}

/** graphql reports its token limit as a syntax error, and nesting beyond the stack not at all. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && error.message.endsWith('Parsing aborted.'));
}

function tooLarge(limit: number): GraphQLError {
  const message = `The document exceeds MAX_TOKENS (${limit}), or nests too deeply.`;
  return new GraphQLError(message, { extensions: { code: 'QUERY_LIMIT_EXCEEDED' } });
}

/** Makes every error public: with its code, without a quoted value, masked where nobody foresaw it. */
export function usePublicErrors(log: Logger): Plugin<Context> {
  return {
    onValidate:
      () =>
      ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map((error) => (error instanceof GraphQLError ? unquoted(error) : error)));
      },
    onExecute: () => mapParts(withErrors((errors) => errors.map((error) => publicError(error, reportTo(log))))),
  };
}

/** Lists the first errors of an operation and counts the others. Comes behind the log, which counts all of them. */
export function useErrorLimit(): Plugin<Context> {
  return { onExecute: () => mapParts(withErrors(errorList())) };
}

type OnExecute = NonNullable<Plugin<Context>['onExecute']>;

/** Maps the response, or each part of it and what that brings of fragments and lists. */
function mapParts(map: <Part extends Failed>(part: Part) => Part): ReturnType<OnExecute> {
  return {
    onExecuteDone: (payload) =>
      handleStreamOrSingleExecutionResult(payload, ({ result, setResult }) => {
        const incremental = 'incremental' in result && result.incremental?.map(map);
        setResult({ ...map(result), ...(incremental && { incremental }) });
      }),
  };
}

function withErrors(map: (errors: readonly GraphQLError[]) => readonly GraphQLError[]) {
  return <Part extends Failed>(part: Part): Part => (part.errors ? { ...part, errors: map(part.errors) } : part);
}

/** An answer, a part of one, or what it brings of a fragment or a list. */
type Failed = Pick<ExecutionResult, 'errors'>;

/** Where an error goes that nobody foresaw: it is a mistake of the gateway's own. */
export function reportTo(log: Logger) {
  // Its stack only: a foreign error may carry anything, a request's headers among it.
  return (error: unknown) =>
    log.error({ stack: error instanceof Error ? error.stack : typeof error }, 'unexpected error');
}

/** A longer name would only fill the log. */
const LONGEST_NAME = 100;

/** One line an operation: its name, its time, its upstream calls, its errors by code. Never a variable or a header. */
export function useOperationLog(log: Logger): Plugin<Context & YogaInitialContext> {
  const refused = (errors: Record<string, number>) => log.info({ upstreamCalls: 0, errors }, 'refused');
  return {
    onParse:
      ({ context }) =>
      ({ result }) => {
        if (result instanceof Error) return refused(countByCode([publicError(result, reportTo(log))]));
        // Yoga ends these here: there is no such operation, or it is a mutation by GET.
        const operation = getOperationAST(result, context.params.operationName);
        const byGet = context.request.method === 'GET';
        if (!operation || (byGet && operation.operation === 'mutation')) refused({ BAD_USER_INPUT: 1 });
      },
    onValidate:
      () =>
      ({ valid, result }) => {
        if (!valid) refused(countByCode(result));
      },
    onExecute: ({ args }) => {
      const start = performance.now();
      const operation = getOperationAST(args.document, args.operationName);
      const errors: GraphQLError[] = [];
      const write = () => {
        const line = {
          operation: operation?.name?.value.slice(0, LONGEST_NAME) ?? 'anonymous',
          type: operation?.operation,
          ms: Math.round(performance.now() - start),
          upstreamCalls: args.contextValue.budget.spent,
          errors: countByCode(errors),
        };
        log.info(line, 'operation');
      };
      return {
        onExecuteDone: (payload) => {
          const parts = handleStreamOrSingleExecutionResult(payload, ({ result }) => {
            const incremental = ('incremental' in result && result.incremental) || [];
            for (const part of [result, ...incremental]) errors.push(...(part.errors ?? []));
          });
          return parts ? { ...parts, onEnd: write } : write();
        },
      };
    },
  };
}

function countByCode(errors: readonly Error[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const error of errors) {
    const code = String((error instanceof GraphQLError && error.extensions['code']) || 'GRAPHQL_VALIDATION_FAILED');
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

import { type ExecutionResult, GraphQLError } from 'graphql';
import { handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { errorLimiter, publicError, reportUnexpected, redactMessage } from '../errors/public-error.ts';

/** Makes every error public: with its code, without a quoted value, masked where nobody foresaw it. */
export function usePublicErrors(log: Logger): Plugin {
  return {
    onValidate:
      () =>
      ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map((error) => (error instanceof GraphQLError ? redactMessage(error) : error)));
      },
    onExecute: () => mapParts(withErrors((errors) => errors.map((error) => publicError(error, reportUnexpected(log))))),
  };
}

/** Lists the first errors of an operation and counts the others. Comes behind the log, which counts all of them. */
export function useErrorLimit(): Plugin {
  return {
    onExecute: () => {
      let list: ReturnType<typeof errorLimiter> | undefined;
      return mapParts(withErrors((errors) => (list ??= errorLimiter())(errors)));
    },
  };
}

type OnExecute = NonNullable<Plugin['onExecute']>;

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

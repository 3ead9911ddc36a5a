import { type ExecutionResult, GraphQLError } from 'graphql';
import { handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { errorLimiter, publicError, reportUnexpected, redactMessage } from '../errors/public-error.ts';

/** Makes every error public: adds its code, removes quoted values, and masks and logs unexpected errors. */
export function usePublicErrors(log: Logger): Plugin {
  return {
    onValidate:
      () =>
      ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map((error) => (error instanceof GraphQLError ? redactMessage(error) : error)));
      },
    onExecute: () => mapErrors((error) => publicError(error, reportUnexpected(log))),
  };
}

/** Limits the errors of an operation and counts the omitted ones. Runs after the log, which counts all of them. */
export function useErrorLimit(): Plugin {
  return {
    onExecute: () => {
      let list: ReturnType<typeof errorLimiter> | undefined;
      return mapParts(withErrors((errors) => (list ??= errorLimiter())(errors)));
    },
  };
}

type OnExecute = NonNullable<Plugin['onExecute']>;

/** Maps the errors of the response, or of each part of it with its fragments and rows. */
export function mapErrors(map: (error: GraphQLError) => GraphQLError): ReturnType<OnExecute> {
  return mapParts(withErrors((errors) => errors.map(map)));
}

/** Maps the response, or each part of it with its fragments and rows. */
function mapParts(map: <Part extends WithErrors>(part: Part) => Part): ReturnType<OnExecute> {
  return {
    onExecuteDone: (payload) =>
      handleStreamOrSingleExecutionResult(payload, ({ result, setResult }) => {
        const incremental = 'incremental' in result && result.incremental?.map(map);
        setResult({ ...map(result), ...(incremental && { incremental }) });
      }),
  };
}

function withErrors(map: (errors: readonly GraphQLError[]) => readonly GraphQLError[]) {
  return <Part extends WithErrors>(part: Part): Part => (part.errors ? { ...part, errors: map(part.errors) } : part);
}

/** A response, a part of one, or a fragment or rows in a part. */
type WithErrors = Pick<ExecutionResult, 'errors'>;

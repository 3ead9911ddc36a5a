import {
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  OperationTypeNode,
} from 'graphql';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import type { OperationCost } from '../cost/operation-costs.ts';
import { countByCode } from '../errors/count-by-code.ts';
import { errorLimiter, publicError, reportUnexpected } from '../errors/public-error.ts';
import { withOutcome } from './outcomes.ts';

/** A response, a part of one, or a fragment or rows in a part. */
type WithErrors = Pick<ExecutionResult, 'errors'>;

/** A whole response, or a part of one with its fragments and rows. */
export interface Part extends ExecutionResult {
  readonly incremental?: readonly WithErrors[] | undefined;
}

interface ResponseOptions {
  readonly context: Context;
  readonly log: Logger;
  /** The cost for `extensions.cost`. Undefined when the caller does not ask for it. */
  readonly cost: OperationCost | undefined;
}

/** Longer operation names are cut in the log. */
const MAX_NAME_LENGTH = 100;

/**
 * The response of one operation: completes its parts, and writes its line of the log. The line has the name, the time, the
 * upstream calls, and the errors by code; never a variable or a header.
 */
export class OperationResponse {
  readonly #operation: ReturnType<typeof getOperationAST>;
  readonly #context: Context;
  readonly #log: Logger;
  readonly #start = performance.now();
  readonly #errors: GraphQLError[] = [];
  #cost: OperationCost | undefined;
  #limit: ReturnType<typeof errorLimiter> | undefined;

  constructor({ document, operationName }: ExecutionArgs, { context, log, cost }: ResponseOptions) {
    this.#operation = getOperationAST(document, operationName);
    this.#context = context;
    this.#log = log;
    this.#cost = cost;
  }

  /**
   * Completes the response, or a part of it: adds the errors of fields that have a value all the same,
   * `extensions.notSent`, and to the first part `extensions.cost`, makes all errors public, adds `extensions.outcome` to the errors of a mutation, and omits errors
   * beyond the limit.
   */
  complete(result: Part): Part {
    const { notices } = this.#context;
    const noticed = notices.takeErrors();
    const notSent = notices.takeNotSent();
    const cost = this.#cost;
    this.#cost = undefined;
    const errors = [...(result.errors ?? []), ...noticed];
    const incremental = result.incremental?.some((inner) => inner.errors) ? result.incremental : undefined;
    if (errors.length === 0 && !incremental && !notSent && !cost) return result;
    return {
      ...result,
      ...(errors.length > 0 && { errors: this.#shown(errors) }),
      ...(incremental && {
        incremental: incremental.map((inner) =>
          inner.errors ? { ...inner, errors: this.#shown(inner.errors) } : inner,
        ),
      }),
      ...((notSent ?? cost) && {
        extensions: { ...result.extensions, ...(notSent && { notSent }), ...(cost && { cost }) },
      }),
    };
  }

  /** Writes the line of the log. Called once, when the response is complete. */
  writeLine(): void {
    const line = {
      operation: this.#operation?.name?.value.slice(0, MAX_NAME_LENGTH) ?? 'anonymous',
      type: this.#operation?.operation,
      ms: Math.round(performance.now() - this.#start),
      upstreamCalls: this.#context.budget.spent,
      errors: countByCode(this.#errors),
    };
    this.#log.info(line, 'operation');
  }

  #shown(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    const isMutation = this.#operation?.operation === OperationTypeNode.MUTATION;
    const shown = errors.map((error) => {
      const made = publicError(error, reportUnexpected(this.#log));
      return isMutation ? withOutcome(made, this.#context.writes) : made;
    });
    this.#errors.push(...shown); // the log counts all errors, the omitted ones too
    this.#limit ??= errorLimiter();
    return this.#limit(shown);
  }
}

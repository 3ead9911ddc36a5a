import { type ExecutionArgs, getOperationAST, type GraphQLError, OperationTypeNode } from 'graphql';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import type { OperationObservation, OperationObserver } from '../../operation-observer.ts';
import type { OperationCost } from '../cost/operation-costs.ts';
import { countByCode } from '../errors/count-by-code.ts';
import { errorLimiter, publicError, reportUnexpected } from '../errors/public-error.ts';
import type { Part } from '../responses/written-results.ts';
import { withOutcome } from './outcomes.ts';

interface ResponseOptions {
  readonly context: Context;
  readonly log: Logger;
  /** The cost for `extensions.cost`. Undefined when the caller does not ask for it. */
  readonly cost: OperationCost | undefined;
  readonly observer: OperationObserver | undefined;
  /** The id of the operation's document among the trusted ones. Undefined when it is none of them. */
  readonly documentId: string | undefined;
}

/** Longer operation names are cut in the log and in the trace. */
const MAX_NAME_LENGTH = 100;

/**
 * The response of one operation: completes its parts, and writes its line of the log. The line has the id of the request, the name, the id of a trusted document, the time, the
 * upstream calls, and the errors by code; never a variable or a header.
 */
export class OperationResponse {
  readonly #operation: ReturnType<typeof getOperationAST>;
  readonly #context: Context;
  readonly #log: Logger;
  readonly #documentId: string | undefined;
  readonly #start = performance.now();
  readonly #errors: GraphQLError[] = [];
  #cost: OperationCost | undefined;
  #limit: ReturnType<typeof errorLimiter> | undefined;
  readonly #observation: OperationObservation | undefined;
  #hasData = false;

  constructor({ document, operationName }: ExecutionArgs, options: ResponseOptions) {
    const { context, log, cost, observer, documentId } = options;
    this.#operation = getOperationAST(document, operationName);
    this.#context = context;
    this.#log = log;
    this.#documentId = documentId;
    this.#cost = cost;
    const { name, operation: type } = this.#operation ?? {};
    this.#observation = observer?.begin({ name: name?.value, type, isTrusted: documentId !== undefined, context });
  }

  /** Runs the execution of the operation. */
  run<T>(execute: () => T): T {
    return this.#observation?.run ? this.#observation.run(execute) : execute();
  }

  /**
   * Completes the response, or a part of it: adds the errors of fields that have a value all the same and
   * `extensions.notSent`, to the first part `extensions.cost`, to the last part `extensions.trace`. Makes all errors public, adds
   * `extensions.outcome` to the errors of a mutation, and omits errors beyond the limit.
   */
  complete(result: Part): Part {
    if (this.#observation && result.data) this.#hasData ||= hasValue(result.data);
    const noticed = this.#context.notices.takeErrors();
    const extensions = this.#extensions(result);
    const errors = [...(result.errors ?? []), ...noticed];
    const incremental = result.incremental?.some((inner) => inner.errors) ? result.incremental : undefined;
    if (errors.length === 0 && !incremental && !extensions) return result;
    return {
      ...result,
      ...(errors.length > 0 && { errors: this.#shown(errors) }),
      ...(incremental && {
        incremental: incremental.map((inner) =>
          inner.errors ? { ...inner, errors: this.#shown(inner.errors) } : inner,
        ),
      }),
      ...(extensions && { extensions: { ...result.extensions, ...extensions } }),
    };
  }

  /** The extensions that a part gets. Undefined for none, as in most responses. */
  #extensions({ hasNext }: Part): object | undefined {
    const { notices, trace, showsTrace } = this.#context;
    const notSent = notices.takeNotSent();
    const cost = this.#cost;
    this.#cost = undefined;
    const traced = trace && showsTrace && !hasNext ? { operation: this.#name ?? null, ...trace.summary() } : undefined;
    if (!notSent && !cost && !traced) return undefined;
    return { ...(notSent && { notSent }), ...(cost && { cost }), ...(traced && { trace: traced }) };
  }

  /** Writes the line of the log, and ends the trace and the observation. Called once, when the response is complete. */
  end(): void {
    this.#context.trace?.end();
    const upstreamCalls = this.#context.budget.spent;
    const errors = countByCode(this.#errors);
    const line = {
      requestId: this.#context.requestId,
      traceId: this.#observation?.traceId,
      operation: this.#name ?? 'anonymous',
      type: this.#operation?.operation,
      documentId: this.#documentId,
      ms: Math.round(performance.now() - this.#start),
      upstreamCalls,
      errors,
    };
    this.#log.info(line, 'operation');
    this.#observation?.end({ errors, hasData: this.#hasData, upstreamCalls });
  }

  get #name(): string | undefined {
    return this.#operation?.name?.value.slice(0, MAX_NAME_LENGTH);
  }

  #shown(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    const isMutation = this.#operation?.operation === OperationTypeNode.MUTATION;
    const shown = errors.map((error) => {
      const { requestId, hidesAdvice } = this.#context;
      const made = publicError(error, reportUnexpected(this.#log, requestId), hidesAdvice);
      return isMutation ? withOutcome(made, this.#context.writes) : made;
    });
    this.#errors.push(...shown); // the log counts all errors, the omitted ones too
    this.#limit ??= errorLimiter();
    return this.#limit(shown);
  }
}

function hasValue(data: Readonly<Record<string, unknown>>): boolean {
  for (const name in data) if (data[name] !== null) return true;
  return false;
}

import { memoize1 } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import { finalAsyncIterator, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context, PluginContext } from './context.ts';
import type { ErrorCode } from '../errors.ts';
import { type Executed, execute } from '../execution/executor.ts';
import { withResolvers } from '../execution/schema-view.ts';
import { pause } from '../formats/slices.ts';
import type { KeyedWrites } from '../idempotency/keyed-writes.ts';
import type { OperationObservation, OperationObserver } from './operation-observer.ts';
import type { OperationCost, OperationCosts } from './cost/operation-costs.ts';
import {
  countByCode,
  errorLimiter,
  failureOfReferences,
  publicError,
  reportUnexpected,
  withOutcome,
} from './errors/public-error.ts';
import { inputFields } from './errors/input-fields.ts';
import { writesOf } from './document-writes.ts';
import { type Part, ResponseSize, writtenPart, writtenParts } from './responses/written-results.ts';

/** The settings and services of all operations of a gateway. Made once, at the start. */
export interface OperationParts {
  /** The setting MAX_RESPONSE_BYTES. */
  readonly maxBytes: number;
  readonly log: Logger;
  readonly costs: OperationCosts;
  readonly observer: OperationObserver | undefined;
  /** Knows the id of a trusted document. Undefined where there are none. */
  readonly trusted: { trustedId(document: DocumentNode): string | undefined } | undefined;
}

/** A valid operation, and the context of its resolvers. */
export interface OperationArguments extends ExecutionArgs {
  readonly contextValue: Context;
}

/**
 * Runs a valid operation: refuses one beyond MAX_COST, executes any other one, ends one whose response is larger than
 * MAX_RESPONSE_BYTES, completes the response, and writes its line of the log. Both ways of a request call it.
 *
 * @param wantsCost whether the response has `extensions.cost`
 * @see docs/decisions/0028-a-direct-way-for-posts.md
 */
export function runOperation(parts: OperationParts, args: OperationArguments, wantsCost: boolean): Promise<Executed> {
  return new OperationRun(parts, args, wantsCost).run();
}

/**
 * Runs the operations of Yoga. Resolvers get only the context of the operation: Yoga's plugins extend their own context by
 * assignment, which would read every getter of the operation's context, and so create every data source.
 */
export function useOperations(parts: OperationParts): Plugin<PluginContext> {
  return {
    onExecute: ({ args, setExecuteFn }) => {
      const { operation, wantsCost } = args.contextValue;
      setExecuteFn((given) => runOperation(parts, { ...given, contextValue: operation }, wantsCost));
    },
  };
}

/** Longer operation names are cut in the log and in the trace. */
const MAX_NAME_LENGTH = 100;

const NO_ERRORS: Readonly<Record<string, number>> = {};

const GONE = 'CALLER_GONE' satisfies ErrorCode;

/** To write a response with fewer characters takes far less than a turn of the event loop. */
const SMALL_CHARACTERS = 64 * 1024;

/** One operation, from its cost to its line of the log. @internal exported for the tests */
export class OperationRun {
  readonly #parts: OperationParts;
  readonly #args: OperationArguments;
  readonly #cost: OperationCost;
  /** The cost for `extensions.cost`. Undefined once it is shown. */
  #shownCost: OperationCost | undefined;
  readonly #node: ReturnType<typeof getOperationAST>;
  readonly #name: string | undefined;
  readonly #size: ResponseSize;
  /** The id of the document among the trusted ones. Undefined when it is none of them. */
  readonly #documentId: string | undefined;
  #observation: OperationObservation | undefined;
  readonly #start = performance.now();
  readonly #errors: GraphQLError[] = [];
  /** The errors that the response lists, without those beyond the limit. */
  readonly #listed: GraphQLError[] = [];
  #hasEnded = false;
  #limit: ReturnType<typeof errorLimiter> | undefined;
  #addFields: ReturnType<typeof inputFields> | undefined;
  #hasData = false;

  constructor(parts: OperationParts, args: OperationArguments, wantsCost: boolean) {
    this.#parts = parts;
    this.#args = args;
    this.#node = getOperationAST(args.document, args.operationName);
    this.#name = this.#node?.name?.value.slice(0, MAX_NAME_LENGTH);
    this.#cost = parts.costs.of(args);
    const { keyed } = args.contextValue;
    if (keyed) identify(keyed, args, this.#node);
    this.#shownCost = wantsCost ? this.#cost : undefined;
    this.#size = new ResponseSize(parts.maxBytes);
    this.#documentId = parts.trusted?.trustedId(args.document);
  }

  async run(): Promise<Executed> {
    const { name, operation: type } = this.#node ?? {};
    const isTrusted = this.#documentId !== undefined;
    const { contextValue: context } = this.#args;
    this.#observation = this.#parts.observer?.begin({ name: name?.value, type, isTrusted, context });
    try {
      return await this.#executed();
    } catch (error) {
      this.#conclude({ INTERNAL_SERVER_ERROR: 1 });
      throw error;
    }
  }

  async #executed(): Promise<Executed> {
    if (this.#cost.requested > this.#cost.limit) return this.#settle(this.#parts.costs.refusal(this.#args, this.#cost));
    const { schema, contextValue } = this.#args;
    const args = contextValue.trace?.hasFields ? { ...this.#args, schema: tracedSchema(schema) } : this.#args;
    const observed = this.#observation?.run;
    const executed = await (observed ? observed(() => execute(args, this.#size)) : execute(args, this.#size));
    const { characters } = this.#size;
    // Data are written here that are large, or may be too large; most are surely not.
    if (characters === undefined || isAsyncIterable(executed) || !this.#size.surelyHolds(characters))
      return this.#written(executed);
    if (characters > SMALL_CHARACTERS) await pause(); // operations that share a read are done in the same turn
    return this.#settle(executed);
  }

  async #written(executed: Executed): Promise<Executed> {
    const node = this.#node;
    if (!node) return this.#settle(executed); // an error
    if (isAsyncIterable(executed)) return this.#settle(writtenParts(executed, node, this.#size));
    return this.#settle(await writtenPart(executed, node, this.#size, this.#size.characters));
  }

  #settle(executed: Executed): Executed {
    if (isAsyncIterable(executed)) {
      const completed = mapAsyncIterator(executed, (part: Part) => this.complete(part));
      return finalAsyncIterator(completed, () => {
        try {
          this.end();
        } finally {
          this.#conclude({ INTERNAL_SERVER_ERROR: 1 }); // no effect after a regular end
        }
      });
    }
    const completed = this.complete(executed);
    this.end();
    return completed;
  }

  /**
   * Completes the response, or a part of it: adds the errors of fields that have a value all the same, `extensions.notSent` and
   * `extensions.idempotency`, to the first part `extensions.cost`, to the last part `extensions.trace`. Makes all errors public,
   * adds `extensions.outcome` to the errors of a mutation, and omits errors beyond the limit.
   */
  complete(result: Part): Part {
    if (this.#observation && result.data) this.#hasData ||= hasValue(result.data);
    const { statedNotices: notices } = this.#args.contextValue;
    const extensions = this.#extensions(result);
    const incremental = result.incremental?.map((inner) => {
      const errors = [...(inner.errors ?? []), ...(notices?.takeErrors(inner) ?? [])];
      return errors.length > 0 ? { ...inner, ...this.#shown(errors) } : inner;
    });
    const errors = [...(result.errors ?? []), ...(notices?.takeErrors(result, !result.hasNext) ?? [])];
    const hasErrors = errors.length > 0;
    if (!hasErrors && !incremental) return extensions ? withExtensions(result, extensions) : result;
    const shown = { ...result, ...(hasErrors && this.#shown(errors)), ...(incremental && { incremental }) };
    return extensions ? withExtensions(shown, extensions) : shown;
  }

  /** The extensions that a part gets. Undefined for none, as in most responses. */
  #extensions({ hasNext }: Part): object | undefined {
    const { statedNotices, trace, showsTrace, keyed } = this.#args.contextValue;
    const notSent = statedNotices?.takeNotSent();
    const cost = this.#shownCost;
    this.#shownCost = undefined;
    const traced = trace && showsTrace && !hasNext ? { operation: this.#name ?? null, ...trace.summary() } : undefined;
    const idempotency = keyed?.takeReports();
    if (!notSent && !cost && !traced) return idempotency && { idempotency };
    return {
      ...(notSent && { notSent }),
      ...(cost && { cost }),
      ...(idempotency && { idempotency }),
      ...(traced && { trace: traced }),
    };
  }

  /** The errors as the response lists them. No data where too many references failed. */
  #shown(errors: readonly GraphQLError[]): Pick<Part, 'data' | 'errors'> {
    const { schema, contextValue } = this.#args;
    const { requestId, hidesAdvice } = contextValue;
    const isMutation = this.#node?.operation === OperationTypeNode.MUTATION;
    const shown = errors.map((error) => {
      const made = publicError(error, reportUnexpected(this.#parts.log, requestId), hidesAdvice, schema);
      return isMutation ? withOutcome(made, contextValue.writes) : made;
    });
    for (const error of shown) this.#errors.push(error); // the log counts all errors, the omitted ones too
    this.#limit ??= errorLimiter();
    this.#addFields ??= inputFields(this.#args.document, this.#node);
    const failure = failureOfReferences(shown);
    const listed = failure ? [failure] : this.#limit(shown).map(this.#addFields);
    this.#listed.push(...listed);
    return { errors: listed, ...(failure && { data: null }) };
  }

  /**
   * Writes the line of the log, and ends the trace and the observation. Called once, when the response is complete. The line has
   * the id of the request, the name, the id of a trusted document, the time, the upstream calls, and the errors by code; never a
   * variable or a header.
   */
  end(): void {
    const { trace, budget, requestId } = this.#args.contextValue;
    trace?.end();
    const errors = this.#errors.length === 0 ? NO_ERRORS : countByCode(this.#errors);
    const isGone = errors[GONE] !== undefined; // the client gets no response
    if (isGone) this.#conclude({ [GONE]: 1 });
    else this.#conclude(errors === NO_ERRORS ? NO_ERRORS : countByCode(this.#listed));
    const line = {
      requestId,
      traceId: this.#observation?.traceId,
      operation: this.#name ?? 'anonymous',
      type: this.#node?.operation,
      documentId: this.#documentId,
      ms: Math.round(performance.now() - this.#start),
      upstreamCalls: budget.spent,
      errors,
    };
    this.#parts.log.info(line, 'operation');
  }

  /** Ends the observation once, whichever way the operation ends. @param errors counts by code of the errors in the response */
  #conclude(errors: Readonly<Record<string, number>>): void {
    const { budget } = this.#args.contextValue;
    const { spent: upstreamCalls } = budget;
    budget.end();
    if (!this.#hasEnded) this.#observation?.end({ errors, hasData: this.#hasData, upstreamCalls });
    this.#hasEnded = true;
  }
}

/** Tells the step of a key which operation is run. */
function identify(keyed: KeyedWrites, args: ExecutionArgs, node: ReturnType<typeof getOperationAST>): void {
  const { document, variableValues } = args;
  keyed.identify({
    writes: () => writesOf(args),
    document: document.loc?.source.body ?? '',
    name: node?.name?.value,
    variables: variableValues,
  });
}

/** Adds extensions to a result that belongs to this operation: a copy takes as long as the rest of its completion. */
function withExtensions(result: Part, added: object): Part {
  return Object.assign(result, { extensions: result.extensions ? { ...result.extensions, ...added } : added });
}

function hasValue(data: Readonly<Record<string, unknown>>): boolean {
  for (const name in data) if (data[name] !== null) return true;
  return false;
}

/** A view of a schema whose resolvers run for their response paths in the operation's trace. One is kept per schema. */
const tracedSchema = memoize1((schema: GraphQLSchema): GraphQLSchema =>
  withResolvers<Context>(schema, ({ resolve = defaultFieldResolver }) => (source, args, context, info) => {
    const run = (): unknown => resolve(source, args, context, info);
    const field = { parentType: info.parentType.name, name: info.fieldName };
    return context.trace ? context.trace.runField(responsePath(info.path), field, run) : run();
  }),
);

/** The response path of a field without the indexes of lists: `deals.nodes.client`. */
function responsePath({ prev, key }: GraphQLResolveInfo['path']): string {
  const outer = prev ? responsePath(prev) : '';
  if (typeof key === 'number') return outer;
  return outer === '' ? key : `${outer}.${key}`;
}

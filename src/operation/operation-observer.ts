import type { Context } from './context.ts';

/** An operation whose execution begins. */
export interface BegunOperation {
  /** A text of the caller, of any length. Undefined for an anonymous operation. */
  readonly name: string | undefined;
  readonly type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Whether its document is a trusted one: the owner has chosen its name, and there are few. */
  readonly isTrusted: boolean;
  readonly context: Context;
}

/** How an operation ended. */
export interface EndedOperation {
  /** The numbers of errors of the response by `extensions.code`. */
  readonly errors: Readonly<Record<string, number>>;
  /** Whether a field of the root has a value other than null. */
  readonly hasData: boolean;
  readonly upstreamCalls: number;
}

/** One operation that is observed until its response is complete. */
export interface OperationObservation {
  /** The trace of the operation, for its line of the log. */
  readonly traceId?: string | undefined;
  /** Runs the execution, so that its code and all that it begins can be told from that of other operations. */
  readonly run?: (<T>(execute: () => T) => T) | undefined;
  /** Called once, when the response is complete. Must not throw. */
  end(ended: EndedOperation): void;
}

/** Observes operations. */
export interface OperationObserver {
  /** Called before the execution of a valid operation. Must not throw. @returns undefined to observe no more of it */
  begin(operation: BegunOperation): OperationObservation | undefined;
  /** Called for an operation that is refused before its execution: it cannot be parsed, or is not valid. */
  refuse?(errors: Readonly<Record<string, number>>): void;
}

/** Makes one observer of several. Undefined when there is none. */
export function allOperationObservers(
  observers: readonly (OperationObserver | undefined)[],
): OperationObserver | undefined {
  const [first, ...others] = observers.filter((observer) => observer !== undefined);
  if (!first || others.length === 0) return first;
  const all = [first, ...others];
  return {
    begin: (operation) => allObservations(all.map((observer) => observer.begin(operation))),
    refuse: (errors) => {
      for (const observer of all) observer.refuse?.(errors);
    },
  };
}

function allObservations(observations: readonly (OperationObservation | undefined)[]): OperationObservation {
  return {
    traceId: observations.find((observation) => observation?.traceId !== undefined)?.traceId,
    run: <T>(execute: () => T): T =>
      observations.reduce<() => T>((inner, observation) => {
        const run = observation?.run;
        return run ? () => run(inner) : inner;
      }, execute)(),
    end: (ended) => {
      for (const observation of observations) observation?.end(ended);
    },
  };
}

import type { GatewayError } from '../../errors.ts';
import type { Outgoing } from './messages.ts';

/** A call to an upstream that begins. It names the template of the path, never the URL. */
export interface BegunCall {
  readonly api: string;
  readonly method: Outgoing['method'];
  /** The path with names in place of parameters, `/app/deals/:id.json`. All of them are written in the code. */
  readonly template: string;
  readonly isRead: boolean;
}

/** How a call ended. */
export interface EndedCall {
  /** Undefined without a response. */
  readonly status: number | undefined;
  /** The size of the response's body, or of the part of it that was read. */
  readonly bytes: number;
  /** The size that was transferred. It is less than `bytes` for a body that was packed. */
  readonly receivedBytes: number;
  /** How often it was sent once more. */
  readonly retries: number;
  /** Milliseconds that it waited until it was sent on a connection; all its time when it never was. */
  readonly queueMs: number;
  /** Milliseconds from its begin to its end. */
  readonly totalMs: number;
  /** Why there is no whole response. A status of 400 or more is none of these errors. */
  readonly error: GatewayError | undefined;
}

/** One call that is observed until it ends. */
export interface CallObservation {
  /** Headers that are sent besides those of the request. They must hold nothing of the caller but its trace context. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called once, before anybody who waits for the call learns how it ended. Must not throw. */
  end(ended: EndedCall): void;
}

/**
 * Observes the calls to all upstreams: each request that is sent, and each that is refused because its upstream fails or too
 * many wait. A read that joins the call of another operation is no call of its own.
 */
export interface CallObserver {
  /** Called while the code of the operation that makes the call runs. Must not throw. @returns undefined to observe no more of it */
  begin(call: BegunCall): CallObservation | undefined;
}

/** Makes one observer of several. Undefined when there is none. */
export function allCallObservers(observers: readonly (CallObserver | undefined)[]): CallObserver | undefined {
  const [first, ...others] = observers.filter((observer) => observer !== undefined);
  if (!first || others.length === 0) return first;
  return { begin: (call) => allObservations([first, ...others].map((observer) => observer.begin(call))) };
}

function allObservations(observations: readonly (CallObservation | undefined)[]): CallObservation {
  return {
    headers: Object.assign({}, ...observations.map((observation) => observation?.headers)),
    end: (ended) => {
      for (const observation of observations) observation?.end(ended);
    },
  };
}

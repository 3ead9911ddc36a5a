import type { Departure } from '../transport/departure.ts';

/** Whose turn it is to read a record and to change it. */
export interface Turn {
  /** When its lease ends, by `performance.now()`. Another turn of the record may begin then: no write may be sent any more. */
  readonly endsAt: number;
  /** Ends it: the next turn of the record begins. */
  end(): void;
  /** Leaves it to its lease: a write of unknown outcome may still arrive. The process may end before. */
  hold(): void;
}

/** Why a turn was not had. */
export type NoTurn =
  /** Others had it for the whole time, or until the caller left. */
  | 'LATE'
  /** Too many wait already. */
  | 'FULL'
  /** Redis, or the process that knows the turns, does not answer. */
  | 'AWAY'
  /** Redis answers with errors. */
  | 'REFUSED';

/** How long a turn is waited for and held, in milliseconds. */
export interface TurnTimes {
  readonly waitMs: number;
  readonly leaseMs: number;
  /** Happens when the caller leaves, which ends the wait. Undefined for one that stays. */
  readonly gone?: Departure | undefined;
}

/** The turns of writes that must find a record unchanged, those of all callers. Each turn has to be ended or held. */
export interface RecordTurns {
  /**
   * Whether somebody has the turn of a record, or waits for it, as far as this process knows: no other process is asked. From the call
   * of `take` until that turn is ended, its lease is over, or it was not had. So of calls that come at once the first one alone finds
   * the record free, if each calls `take` in the same turn of the event loop in which it has found it so.
   *
   * @param record as `take` has it
   */
  isBusy(record: string): boolean;
  /**
   * Waits for the turn of a record, in the order of the calls in a process. Never rejects.
   *
   * @param record names the record, the same for all callers
   */
  take(record: string, times: TurnTimes): Promise<Turn | NoTurn>;
}

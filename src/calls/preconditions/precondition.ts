import {
  advised,
  BadResponseError,
  CallerGoneError,
  ConflictError,
  GatewayError,
  NotCalledError,
  type UpstreamCall,
  type WriteOutcome,
} from '../../errors.ts';
import { readDateTime } from '../../formats/dates.ts';
import { record } from '../../formats/decode.ts';
import { instant } from '../../formats/leaves.ts';
import type { Path } from '../transport/path.ts';
import type { NoTurn, Turn } from './record-turns.ts';
import type { SessionOperation, SharedApi } from '../exchange.ts';
import type { Reads } from '../reads.ts';
import type { Get, IfUnchanged, Precondition } from '../requests.ts';

/** Creates the precondition of a write whose record a GET request returns. */
export function recordAt<Body>(reads: Reads<Body>, request: Get, ifUnchanged: IfUnchanged): Precondition {
  return { ...ifUnchanged, read: () => reads.getAnew(request, record) };
}

interface Options {
  readonly operation: Pick<SessionOperation, 'turns' | 'budget' | 'gone'>;
  readonly api: Pick<SharedApi<never>, 'upstream'>;
}

/**
 * After its deadline the gateway may look at the record of a write for two seconds. After that a late write has another second to
 * arrive, in milliseconds.
 */
const LOOK_MS = 2_000;
const LATE_MS = 1_000;

/** The longest lease of a turn where a call of upstream has `timeoutMs`, in milliseconds. */
export const longestLeaseMs = (timeoutMs: number): number => 2 * timeoutMs + LOOK_MS + LATE_MS;

/**
 * Waits for the turn of a record, and reads whether it is unchanged: the write may be sent then. Where the turn is not free, the record
 * is read before the wait, too: a caller whose credential upstream refuses does not queue, and one whose record has changed already need
 * not wait to be told.
 *
 * @param path that of the write, which names the record
 * @returns a function to call with the outcome of the write. After an unknown one the turn is held until its lease ends:
 *   the write may still arrive
 * @throws ConflictError when the record has changed, NotCalledError when its turn was not had, or another GatewayError when it
 *   cannot be read or tells no time: nothing was sent then
 * @see docs/decisions/0057-writes-that-find-a-record-unchanged.md
 */
export async function turnIfUnchanged(
  precondition: Precondition,
  path: Path,
  options: Options,
  call: UpstreamCall,
): Promise<(outcome: WriteOutcome) => void> {
  const { turns } = options.operation;
  // Ids may differ in upper and lower case (A241).
  const name = `${call.api} ${path.bare ?? path.path}`.toLowerCase();
  // Without a wait between a turn that is found free and its taking: callers who come at once would all find it free.
  if (turns.isBusy(name)) await assertUnchanged(precondition, call);
  const turn = await takeTurn(name, options, call);
  try {
    await assertUnchanged(precondition, call);
    assertInTime(turn, options, call);
  } catch (error) {
    turn.end();
    throw error;
  }
  return (outcome) => (outcome === 'UNKNOWN' ? turn.hold() : turn.end());
}

/** @throws NotCalledError when others have the turn for the rest of the operation's time, CallerGoneError when the caller leaves */
async function takeTurn(name: string, { operation, api }: Options, call: UpstreamCall): Promise<Turn> {
  const { turns, budget, gone } = operation;
  const waitMs = Math.max(0, budget.msLeft);
  // The read and the write have the deadline of a call each. The write, once sent, has its own beyond that of the operation.
  const leaseMs = Math.min(longestLeaseMs(api.upstream.timeoutMs), waitMs + api.upstream.timeoutMs + LATE_MS);
  const turn = gone.happened ? 'LATE' : await turns.take(name, { waitMs, leaseMs, gone });
  if (typeof turn !== 'string') return turn;
  throw gone.happened ? new CallerGoneError('The caller has closed the connection.', call) : noTurn(turn, call);
}

const RETRY_SECONDS = 1;

function noTurn(reason: NoTurn, call: UpstreamCall): NotCalledError {
  if (reason === 'AWAY' || reason === 'REFUSED') {
    const redis = reason === 'AWAY' ? 'Redis, which does not answer' : 'Redis, which refuses it';
    const message = `Nothing was changed: a write with \`ifUpdatedAt\` waits for its turn in ${redis}`;
    return advised(new NotCalledError(message, call, RETRY_SECONDS), ': see REDIS_URL.');
  }
  const others = 'other writes with `ifUpdatedAt` change this record, or have an unknown outcome';
  const message =
    reason === 'FULL'
      ? 'Nothing was changed: too many writes with `ifUpdatedAt` wait for this record.'
      : `Nothing was changed: ${others}, and the time of the operation is over.`;
  return new NotCalledError(message, call, RETRY_SECONDS);
}

/** @throws ConflictError, or the failure of the read */
async function assertUnchanged({ updatedAt, read, isBase, shown }: Precondition, call: UpstreamCall): Promise<void> {
  const current = await read().catch((error: unknown) => {
    if (error instanceof GatewayError) error.message = `Nothing was changed: ${error.message}`;
    throw error;
  });
  // Not documented (A247): that each change gives the record another time.
  const time = readInstant(current['updated_at']);
  if (time === undefined) {
    const message = 'Nothing was changed: the record has no `updated_at` that can be compared with `ifUpdatedAt`.';
    throw new BadResponseError(message, call);
  }
  if (time === readInstant(updatedAt) && isBase?.(current) !== false) return;
  const message = 'The record has changed since the time of `ifUpdatedAt`. Nothing was changed.';
  throw new ConflictError(message, call, shown(current));
}

/** The process may have stood still: a write that is sent now may arrive in the turn of another one. */
function assertInTime({ endsAt }: Turn, { api }: Options, call: UpstreamCall): void {
  const deadline = performance.now() + api.upstream.timeoutMs;
  if (deadline <= endsAt) return;
  throw new NotCalledError('Nothing was changed: the record was read too late.', call, RETRY_SECONDS);
}

/** An instant as a text that is the same for equal instants, of whatever precision. Undefined for a value that is none. */
function readInstant(value: unknown): string | undefined {
  const read = readDateTime(value);
  if (read === undefined) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(read) ?? [];
  return `${instant(read.replace(/\.\d+/, ''))} ${Number(`0.${fraction}`)}`;
}

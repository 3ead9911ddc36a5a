import { GatewayError } from '../errors.ts';
import { instant } from '../formats/leaves.ts';
import { showsFields } from '../formats/same-values.ts';
import type { Rows } from '../formats/rows.ts';
import type { Evidence, KeyedWrite, Proof } from '../calls/keyed-step.ts';
import type { IdentifiedRecord } from '../calls/written-record.ts';
import type { Attempt } from './receipts.ts';

/**
 * Looks for the proof that an earlier attempt of a write was carried out: one read.
 *
 * - A change or a deletion: the record shows it.
 * - A creation: one record with every field that was sent, made between the sending and the end of the attempt by upstream's
 *   clock, in a list that lacks no rows. Whether another write has made it, the receipts know.
 *
 * @param leaseMs the longest time between the sending and the end of an attempt whose end was not told
 * @see docs/outcomes.md
 */
export async function findProof(write: KeyedWrite, attempt: Attempt, leaseMs: number): Promise<Proof> {
  if (!write.evidence) return { notice: 'No read can tell.' };
  try {
    return await proofOf(write.evidence, write, attempt, leaseMs);
  } catch (error) {
    if (error instanceof GatewayError) return { notice: `The read that could tell failed: ${error.message}` };
    throw error;
  }
}

async function proofOf(evidence: Evidence, write: KeyedWrite, attempt: Attempt, leaseMs: number): Promise<Proof> {
  if ('record' in evidence) return evidence.record();
  const { created = {}, kindOf } = write;
  const alike = Reflect.get(created, evidence.by);
  if (alike === undefined || alike === null || alike === '')
    return { notice: `It sent no \`${evidence.by}\`, so its record cannot be told from others.` };
  if (Reflect.get(created, 'created_at') !== undefined)
    return { notice: 'It sent its own `created_at`, so no time tells when its record was made.' };
  const among = await evidence.among();
  const equal = among.filter((record) => showsFields(record, created, kindOf));
  return theOnlyOne(among, [...equal], attempt, leaseMs);
}

function theOnlyOne(
  among: Rows<IdentifiedRecord>,
  equal: readonly IdentifiedRecord[],
  { sentAt, endedAt }: Attempt,
  leaseMs: number,
): Proof {
  if (sentAt === undefined)
    return {
      notice: `${counted(equal.length)} found with these fields, but when it was sent by the clock of upstream is not known.`,
    };
  const from = Math.floor(sentAt / 1000) * 1000; // times of records may lack parts of a second
  const to = endedAt ?? sentAt + leaseMs;
  const candidates = equal.filter((record) => {
    const madeAt = madeAtOf(record);
    return madeAt !== undefined && madeAt >= from && madeAt <= to;
  });
  const [only] = candidates;
  if (!only || candidates.length > 1)
    return { notice: `${counted(candidates.length)} found with these fields that were made in that time.` };
  if (among.problems.length > 0) return { notice: 'One record was found that may be it, but the list lacks rows.' };
  return { id: only.id };
}

function counted(count: number): string {
  return count === 1 ? 'One record was' : `${count === 0 ? 'No' : count} records were`;
}

/** Not documented (A246): that `created_at` tells when a record was made. One that is missing proves nothing. */
function madeAtOf(record: IdentifiedRecord): number | undefined {
  try {
    return instant(Reflect.get(record, 'created_at')) ?? undefined;
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

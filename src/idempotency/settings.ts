import { choice, type ValuesOf, wholeNumber } from '../config/setting.ts';

/** The settings of writes under an `Idempotency-Key`: see docs/scale.md. */
export const idempotencySettings = {
  IDEMPOTENCY: choice(
    ['auto', 'memory', 'redis', 'off'],
    'auto',
    'Where receipts of writes are; auto: redis with REDIS_URL, else memory.',
  ),
  IDEMPOTENCY_TTL_MS: wholeNumber(
    86_400_000,
    60_000,
    604_800_000,
    'How long the receipt of a write under an Idempotency-Key is kept, in milliseconds.',
  ),
  IDEMPOTENCY_MAX_RECEIPTS: wholeNumber(50_000, 10, 1_000_000, 'Maximum number of receipts of writes, in all.'),
};

/** The settings of receipts, and what decides where they can be. */
export type ReceiptSettings = ValuesOf<typeof idempotencySettings> & {
  readonly REDIS_URL: unknown;
  readonly OPERATION_TIMEOUT_MS: number;
  readonly UPSTREAM_TIMEOUT_MS: number;
};

/** After the deadline of a write its outcome is recorded within this time, in milliseconds: its record is read, caches are invalidated. */
export const GRACE_MS = 7_000;

/** Where receipts are kept; `off` for nowhere. */
export function receiptsPlace({ IDEMPOTENCY, REDIS_URL }: ReceiptSettings): 'memory' | 'redis' | 'off' {
  if (IDEMPOTENCY !== 'auto') return IDEMPOTENCY;
  return REDIS_URL === undefined ? 'memory' : 'redis';
}

/** A rule of the settings. @returns a message of one line when they break it */
export function receiptsNeedRedis({ IDEMPOTENCY, REDIS_URL }: ReceiptSettings): string | undefined {
  if (IDEMPOTENCY !== 'redis' || REDIS_URL !== undefined) return undefined;
  return 'IDEMPOTENCY=redis needs REDIS_URL: receipts of writes are kept there.';
}

import { type ErrorCode, GatewayError, type UpstreamCall } from '../errors.ts';

type KeyCode = Extract<ErrorCode, `IDEMPOTENCY_${string}`>;

/** A write under a key that this attempt did not send. */
class KeyError extends GatewayError {
  readonly code: KeyCode;

  constructor(code: KeyCode, message: string, call: UpstreamCall | undefined) {
    super(message, call);
    this.code = code;
  }
}

/** Another attempt is still under way, and this one has ended. */
export function inProgress(call: UpstreamCall | undefined): GatewayError {
  const message =
    'Another attempt under this Idempotency-Key is still under way: send it again later, with the same key.';
  return new KeyError('IDEMPOTENCY_IN_PROGRESS', message, call);
}

const STATE_IN_WORDS = {
  APPLIED: 'which was carried out',
  OPEN: 'which is under way',
  UNKNOWN: 'of which it is not known whether it was carried out',
} as const;

/** The key has another write of the same mutation. @param by its state */
export function keyReused(call: UpstreamCall, by: keyof typeof STATE_IN_WORDS): GatewayError {
  const message =
    `This Idempotency-Key has another write of the same mutation, ${STATE_IN_WORDS[by]}, and this document does not contain that write. ` +
    'This attempt sent nothing; to learn of the other write, send it again as it was, with the same key.';
  return new KeyError('IDEMPOTENCY_KEY_REUSED', message, call);
}

/** The write is of a public method, or a registration. */
export function keyNotTaken(call: UpstreamCall): GatewayError {
  const message =
    `\`${call.endpoint}\` takes no Idempotency-Key: it is sent without a credential of its own, or is a registration. ` +
    'Nothing was sent. Send it in a document of its own, without the header.';
  return new KeyError('IDEMPOTENCY_KEY_NOT_TAKEN', message, call);
}

/** There is no room for another receipt of the credential. */
export function tooManyReceipts(call: UpstreamCall): GatewayError {
  const message =
    'There is no room for another write under an Idempotency-Key with this credential: see IDEMPOTENCY_MAX_RECEIPTS. ' +
    'Nothing was sent; send it later, or without a key.';
  return new KeyError('IDEMPOTENCY_LIMIT_EXCEEDED', message, call);
}

/** The settings keep no receipts. */
export function keysAreOff(call: UpstreamCall): GatewayError {
  const message =
    'This gateway takes no Idempotency-Key. IDEMPOTENCY=off: the gateway keeps no receipts of writes. Nothing was sent.';
  return new KeyError('IDEMPOTENCY_UNAVAILABLE', message, call);
}

/** Receipts can be neither read nor written now: Redis does not answer, or refuses what it is asked. */
export function receiptsAreAway(call: UpstreamCall | undefined): GatewayError {
  const message =
    'Writes under an Idempotency-Key cannot be told apart now: the Redis of REDIS_URL, where IDEMPOTENCY keeps them, does ' +
    'not answer or refuses it. This attempt sent nothing; send it again later, with the same key.';
  return new KeyError('IDEMPOTENCY_UNAVAILABLE', message, call);
}

/** The outcome of an earlier attempt is unknown, and no read has proven it. @param found a sentence about the read */
export function stillUnknown(call: UpstreamCall | undefined, sentMsAgo: number, found: string): GatewayError {
  const seconds = Math.max(0, Math.round(sentMsAgo / 1000));
  const message =
    `The write was sent ${seconds} s ago under this Idempotency-Key, and whether the change was made is not known. ` +
    `${found} It was not sent again: read before you decide.`;
  return new KeyError('IDEMPOTENCY_OUTCOME_UNKNOWN', message, call);
}

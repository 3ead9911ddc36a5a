import type { Departure } from '../calls/transport/departure.ts';

/**
 * A write under a key, by keyed hashes (`KeyedHash` of redis/): neither the key, nor a credential, nor a value that was sent can be
 * told from them. `twins` and `records` are the same for each attempt at a place under a key.
 */
export interface ReceiptName {
  /** Of the key, the API and the credential with which the API is asked. */
  readonly key: string;
  /** Of the name of its mutation. */
  readonly mutation: string;
  /** Of the mutation with its arguments, with its number among equal fields, which `writes` has, then that of an item. */
  readonly place: string;
  /** Of the API and the credential with which it is asked. */
  readonly credential: string;
  /** Of the network of the caller's address, which shares the room of credentials that upstream has not accepted yet. */
  readonly network: string;
  /**
   * Of a creation: of its API, its endpoint and what two creations have to have in common if one record may show the fields of both;
   * the same for every caller. Undefined for other writes.
   */
  readonly twins: string | undefined;
  /** Of a creation: of its API and its endpoint, within which an id is that of one record. Undefined for other writes. */
  readonly records: string | undefined;
  /** The writes of the same mutation that the document has, this one among them. */
  readonly writes: ReadonlySet<string>;
  /**
   * As the version before named it, for its receipts in Redis: by the text of the document with its name and variables, and by the path
   * in the response. It is made when it is read, which few receipts need. Undefined where the document is not at hand any more.
   */
  readonly earlier?: { readonly operation: string; readonly place: string };
}

/** The name of a write that may outlive its document. */
export type KeptName = Omit<ReceiptName, 'writes' | 'earlier'>;

/** States of receipts, the least certain first. */
export const BY_CERTAINTY = ['UNKNOWN', 'OPEN', 'APPLIED'] as const;

/** When a write was under way, in milliseconds since 1970 by upstream's clock. Undefined while that clock is not known. */
export interface Attempt {
  readonly sentAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** The answer of `begin`: whether the write may be sent, or the state of its receipt. */
export type Found =
  /** There was none, or a refused one: it is written, and the write may be sent. `attempt` belongs to this attempt alone. */
  | { readonly state: 'NEW'; readonly attempt: string }
  /** The first attempt is under way, here or in another process. */
  | { readonly state: 'OPEN' }
  /** Upstream carried it out. `id` is undefined where no record is known by its id, and for ids beyond `MAX_ID_LENGTH`. */
  | { readonly state: 'APPLIED'; readonly id: string | undefined }
  /** The outcome is unknown; also that of an attempt whose process ended before it told its end. `sentMsAgo` is by the clock of the receipts. */
  | ({ readonly state: 'UNKNOWN'; readonly sentMsAgo: number } & Attempt)
  /** The key has a write of the same mutation that the document lacks: the least certain state of those. */
  | { readonly state: 'REUSED'; readonly by: 'OPEN' | 'APPLIED' | 'UNKNOWN' }
  /** There is no room for another receipt of the credential. */
  | { readonly state: 'FULL' }
  /** Receipts can be neither read nor written now. */
  | { readonly state: 'AWAY' };

/** The longest id that a receipt keeps. Ids come from upstream, which may send any text. */
const MAX_ID_LENGTH = 256;

/** The id as a receipt keeps it. */
export function keptId(id: string | undefined): string | undefined {
  return id !== undefined && id.length <= MAX_ID_LENGTH ? id : undefined;
}

/** How an attempt ended. */
export type End =
  | { readonly state: 'APPLIED'; readonly id: string | undefined }
  /** Nothing was changed: the receipt of the write goes. It is the last word of the attempt. */
  | { readonly state: 'REFUSED' }
  | { readonly state: 'UNKNOWN' };

/** How often `begin` ended in each state, for the metrics. */
export type Begins = Map<Found['state'], number>;

const STATES = ['NEW', 'OPEN', 'APPLIED', 'UNKNOWN', 'REUSED', 'FULL', 'AWAY'] as const satisfies Found['state'][];

export function noBegins(): Begins {
  return new Map(STATES.map((state) => [state, 0]));
}

/** Counts what `begin` found. @returns the same */
export function countBegin<T extends Found>(begins: Begins, found: T): T {
  begins.set(found.state, (begins.get(found.state) ?? 0) + 1);
  return found;
}

export interface ReceiptsOptions {
  /** IDEMPOTENCY_TTL_MS */
  readonly ttlMs: number;
  /** IDEMPOTENCY_MAX_RECEIPTS */
  readonly max: number;
}

/** Where receipts are kept, for IDEMPOTENCY_TTL_MS. No method throws or rejects, and a promise is returned only where one has to wait. */
export interface Receipts {
  readonly begins: ReadonlyMap<Found['state'], number>;

  /** How many receipts are kept, as far as that is known now. */
  count(): number | Promise<number>;

  /**
   * Writes the receipt of a write before it is sent, or tells the one that is there.
   *
   * @param sentAt now, by upstream's clock
   * @param leaseMs the longest time until the end of the attempt is told: after it the write counts as UNKNOWN
   */
  begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Found | Promise<Found>;

  /** Returns the existing receipt of a write without creating one; undefined when there is none. */
  look(name: ReceiptName): Found | undefined | Promise<Found | undefined>;

  /**
   * Tells the end of an attempt. An end that cannot be told now is told later, as long as the receipt would be OPEN or UNKNOWN
   * without it. An attempt whose lease has ended may still tell it; one that another attempt has followed may not.
   *
   * @param endedAt now, by upstream's clock
   */
  end(name: ReceiptName, attempt: string, end: End, endedAt: number | undefined): void | Promise<void>;

  /** Resolves when a receipt is no longer OPEN, when the caller leaves, and after `ms` at the latest. It has to be asked again then. */
  settled(name: ReceiptName, ms: number, gone?: Departure): Promise<void>;

  /**
   * Turns an UNKNOWN receipt into APPLIED with the id of the record that proves it, in one step. Of a creation (`twins`) only where
   * no other receipt has claimed that id, and no other one with the same `twins` is OPEN, UNKNOWN, or APPLIED without an id.
   *
   * @returns whether the receipt is APPLIED with that id now, also when another caller has claimed it for the same receipt;
   *   false, too, where that is not known
   */
  claim(name: ReceiptName, id: string): Promise<boolean>;

  /** Ends waits, and tries once more to tell the ends that could not be told. */
  close(): Promise<void>;
}

import { ReceiptFigures } from './figures.ts';
import { type Attempt, type End, type Found, keptId, type ReceiptName, type Receipts } from './receipts.ts';
import { Waiters } from './waiters.ts';

/** The receipts that one `begin` forgets at most: all of a day at once would hold up the process. */
const FORGOTTEN_AT_ONCE = 100;

export interface MemoryReceiptsOptions {
  /** IDEMPOTENCY_TTL_MS */
  readonly ttlMs: number;
  /** IDEMPOTENCY_MAX_RECEIPTS */
  readonly max: number;
}

/** A key with its receipts. */
interface BoundKey {
  readonly name: string;
  readonly operation: string;
  receipts: number;
}

/** Times are whole milliseconds of the clock of the process. */
class Receipt {
  state: 'OPEN' | 'APPLIED' | 'UNKNOWN' = 'OPEN';
  recordId: string | undefined = undefined;
  endedAt: number | undefined = undefined;
  /** The neighbours in the order in which receipts expire. */
  earlier: Receipt | undefined = undefined;
  later: Receipt | undefined = undefined;
  readonly id: string;
  readonly key: BoundKey;
  readonly owner: string;
  readonly twins: string | undefined;
  readonly records: string | undefined;
  readonly attempt: number;
  readonly sentAt: number | undefined;
  readonly begunAt: number;
  readonly leaseEndsAt: number;
  readonly expiresAt: number;

  constructor(
    id: string,
    key: BoundKey,
    { owner, twins, records }: ReceiptName,
    attempt: number,
    { sentAt, begunAt, leaseMs, ttlMs }: Pick<Attempt, 'sentAt'> & { begunAt: number; leaseMs: number; ttlMs: number },
  ) {
    this.id = id;
    this.key = key;
    this.owner = owner;
    this.twins = twins;
    this.records = records;
    this.attempt = attempt;
    this.sentAt = sentAt;
    this.begunAt = begunAt;
    this.leaseEndsAt = begunAt + Math.ceil(leaseMs);
    this.expiresAt = begunAt + Math.max(ttlMs, Math.ceil(leaseMs)); // a write under way keeps its receipt
  }

  stateAt(now: number): 'OPEN' | 'APPLIED' | 'UNKNOWN' {
    return this.state === 'OPEN' && this.leaseEndsAt <= now ? 'UNKNOWN' : this.state;
  }
}

/**
 * The receipts of one process, which end with it.
 *
 * A credential may have as many receipts as are free: alone half of `max`, and each of n busy ones max / (n + 1). There is always
 * room for one that has few, and none has to give up receipts when others come, as it would with equal parts of `max`.
 */
export class MemoryReceipts implements Receipts {
  readonly figures = new ReceiptFigures();
  readonly #options: MemoryReceiptsOptions;
  readonly #receipts = new Map<string, Receipt>();
  readonly #keys = new Map<string, BoundKey>();
  /** The number of receipts of each owner. */
  readonly #owned = new Map<string, number>();
  /** The number of creations with the same twins that are OPEN or UNKNOWN. */
  readonly #unproven = new Map<string, number>();
  /** The creations that are APPLIED, by their record. */
  readonly #claimed = new Map<string, Receipt>();
  readonly #waiters = new Waiters();
  #earliest: Receipt | undefined;
  #latest: Receipt | undefined;
  #attempts = 0;

  constructor(options: MemoryReceiptsOptions) {
    this.#options = options;
  }

  async begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Promise<Found> {
    return this.figures.count(this.#begin(name, sentAt, leaseMs));
  }

  async end(name: ReceiptName, attempt: string, end: End, endedAt: number | undefined): Promise<void> {
    const receipt = this.#receipts.get(idOf(name));
    if (receipt === undefined || receipt.state === 'APPLIED' || String(receipt.attempt) !== attempt) return;
    if (end.state === 'REFUSED') this.#remove(receipt);
    else if (end.state === 'APPLIED') this.#apply(receipt, keptId(end.id));
    else receipt.state = 'UNKNOWN';
    receipt.endedAt = endedAt;
    this.#waiters.wake(receipt.id);
  }

  async settled(name: ReceiptName, ms: number): Promise<void> {
    const receipt = this.#receipts.get(idOf(name));
    const now = this.#now();
    if (receipt?.stateAt(now) !== 'OPEN') return;
    await this.#waiters.wait(receipt.id, Math.min(ms, receipt.leaseEndsAt - now));
  }

  async claim(name: ReceiptName, id: string): Promise<boolean> {
    const now = this.#now();
    const receipt = this.#find(idOf(name), now);
    const recordId = keptId(id);
    if (receipt === undefined || recordId === undefined) return false;
    if (receipt.state === 'APPLIED') return receipt.recordId === recordId;
    if (receipt.stateAt(now) === 'OPEN') return false;
    if (receipt.twins !== undefined) {
      this.#forget(now, Infinity);
      if (this.#unproven.get(receipt.twins) !== 1 || this.#claimed.has(recordOf(receipt, recordId))) return false;
    }
    this.#apply(receipt, recordId);
    return true;
  }

  /** Ends the waits. */
  close(): void {
    this.#waiters.wakeAll();
  }

  #begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Found {
    const begunAt = this.#now();
    this.#forget(begunAt, FORGOTTEN_AT_ONCE);
    const id = idOf(name);
    const found = this.#find(id, begunAt);
    if (!this.#isFree(name)) {
      this.#forget(begunAt, Infinity);
      if (!this.#isFree(name)) return { state: 'REUSED' };
    }
    if (found !== undefined) return foundOf(found, begunAt);
    if (!this.#hasRoom(name.owner)) {
      this.#forget(begunAt, Infinity);
      if (!this.#hasRoom(name.owner)) return { state: 'FULL' };
    }
    const times = { sentAt, begunAt, leaseMs, ttlMs: this.#options.ttlMs };
    this.#attempts += 1;
    this.#add(new Receipt(id, this.#keyOf(name), name, this.#attempts, times));
    return { state: 'NEW', attempt: String(this.#attempts) };
  }

  /** Whether the key is that of no other operation. */
  #isFree({ key, operation }: ReceiptName): boolean {
    return (this.#keys.get(key)?.operation ?? operation) === operation;
  }

  #hasRoom(owner: string): boolean {
    return (this.#owned.get(owner) ?? 0) < this.#options.max - this.#receipts.size;
  }

  /** A receipt that has expired is none, whether it is forgotten by now or not. */
  #find(id: string, now: number): Receipt | undefined {
    const receipt = this.#receipts.get(id);
    if (receipt === undefined || receipt.expiresAt > now) return receipt;
    this.#remove(receipt);
    return undefined;
  }

  #keyOf({ key: name, operation }: ReceiptName): BoundKey {
    const key = this.#keys.get(name) ?? { name, operation, receipts: 0 };
    if (key.receipts === 0) this.#keys.set(name, key);
    return key;
  }

  #add(receipt: Receipt): void {
    this.#receipts.set(receipt.id, receipt);
    receipt.key.receipts += 1;
    change(this.#owned, receipt.owner, 1);
    if (receipt.twins !== undefined) change(this.#unproven, receipt.twins, 1);
    receipt.earlier = this.#latest;
    if (this.#latest) this.#latest.later = receipt;
    else this.#earliest = receipt;
    this.#latest = receipt;
    this.figures.kept = this.#receipts.size;
  }

  #remove(receipt: Receipt): void {
    this.#receipts.delete(receipt.id);
    receipt.key.receipts -= 1;
    if (receipt.key.receipts === 0) this.#keys.delete(receipt.key.name);
    change(this.#owned, receipt.owner, -1);
    if (receipt.state !== 'APPLIED') this.#prove(receipt);
    else if (receipt.recordId !== undefined && receipt.twins !== undefined) {
      const record = recordOf(receipt, receipt.recordId);
      if (this.#claimed.get(record) === receipt) this.#claimed.delete(record);
    }
    const { earlier, later } = receipt;
    if (earlier) earlier.later = later;
    else this.#earliest = later;
    if (later) later.earlier = earlier;
    else this.#latest = earlier;
    this.figures.kept = this.#receipts.size;
  }

  #apply(receipt: Receipt, id: string | undefined): void {
    this.#prove(receipt);
    receipt.state = 'APPLIED';
    receipt.recordId = id;
    if (id !== undefined && receipt.twins !== undefined) this.#claimed.set(recordOf(receipt, id), receipt);
  }

  #prove({ twins }: Receipt): void {
    if (twins !== undefined) change(this.#unproven, twins, -1);
  }

  #forget(now: number, atOnce: number): void {
    for (let left = atOnce; left > 0; left--) {
      const receipt = this.#earliest;
      if (receipt === undefined || receipt.expiresAt > now) return;
      this.#remove(receipt);
    }
  }

  /** Whole numbers of 31 bits take no memory of their own: for 24 days. */
  #now(): number {
    return Math.trunc(performance.now());
  }
}

function foundOf(receipt: Receipt, now: number): Found {
  const state = receipt.stateAt(now);
  if (state === 'OPEN') return { state };
  if (state === 'APPLIED') return { state, id: receipt.recordId };
  return { state, sentMsAgo: now - receipt.begunAt, sentAt: receipt.sentAt, endedAt: receipt.endedAt };
}

function idOf({ key, place }: ReceiptName): string {
  return `${key} ${place}`;
}

function recordOf({ records = '' }: Receipt, id: string): string {
  return `${records} ${id}`;
}

/** Changes a count. One that becomes 0 goes. */
function change(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

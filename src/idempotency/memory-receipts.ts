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

/** A credential, and how many receipts it has. */
interface Owner {
  readonly name: string;
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
  /** The next receipt of the same key. */
  sibling: Receipt | undefined = undefined;
  /** Until the end is told: what was sent must not be kept for its hash any longer. */
  #name: ReceiptName | undefined;
  #twins: string | undefined = undefined;
  #records: string | undefined = undefined;
  readonly key: string;
  readonly operation: string;
  readonly place: string;
  readonly owner: Owner;
  readonly attempt: number;
  readonly sentAt: number | undefined;
  readonly begunAt: number;
  readonly leaseEndsAt: number;
  readonly expiresAt: number;

  constructor(
    name: ReceiptName,
    owner: Owner,
    attempt: number,
    { sentAt, begunAt, leaseMs, ttlMs }: Pick<Attempt, 'sentAt'> & { begunAt: number; leaseMs: number; ttlMs: number },
  ) {
    this.#name = name;
    this.key = name.key;
    this.operation = name.operation;
    this.place = name.place;
    this.owner = owner;
    this.attempt = attempt;
    this.sentAt = sentAt;
    this.begunAt = begunAt;
    this.leaseEndsAt = begunAt + Math.ceil(leaseMs);
    this.expiresAt = begunAt + Math.max(ttlMs, Math.ceil(leaseMs)); // a write under way keeps its receipt
  }

  get twins(): string | undefined {
    return this.#name ? this.#name.twins : this.#twins;
  }

  get records(): string | undefined {
    return this.#name ? this.#name.records : this.#records;
  }

  stateAt(now: number): 'OPEN' | 'APPLIED' | 'UNKNOWN' {
    return this.state === 'OPEN' && this.leaseEndsAt <= now ? 'UNKNOWN' : this.state;
  }

  end(state: 'APPLIED' | 'UNKNOWN', recordId: string | undefined): void {
    this.#records = this.records;
    this.#twins = recordId === undefined ? this.twins : undefined;
    this.#name = undefined;
    this.state = state;
    this.recordId = recordId;
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
  /** The receipts of each key: the first of those that are linked as siblings. All of a key are of one operation. */
  readonly #keys = new Map<string, Receipt>();
  readonly #owners = new Map<string, Owner>();
  readonly #waiters = new Waiters();
  #earliest: Receipt | undefined;
  #latest: Receipt | undefined;
  #size = 0;
  #attempts = 0;

  constructor(options: MemoryReceiptsOptions) {
    this.#options = options;
  }

  begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Found {
    return this.figures.count(this.#begin(name, sentAt, leaseMs));
  }

  look(name: ReceiptName): Found | undefined {
    return this.#keys.has(name.key) ? this.#earlier(name, this.#now()) : undefined;
  }

  end(name: ReceiptName, attempt: string, end: End, endedAt: number | undefined): void {
    const receipt = this.#kept(name);
    if (receipt === undefined || receipt.state === 'APPLIED' || String(receipt.attempt) !== attempt) return;
    if (end.state === 'REFUSED') this.#remove(receipt);
    else receipt.end(end.state, end.state === 'APPLIED' ? keptId(end.id) : undefined);
    receipt.endedAt = endedAt;
    if (!this.#waiters.isEmpty) this.#waiters.wake(idOf(name));
  }

  async settled(name: ReceiptName, ms: number): Promise<void> {
    const receipt = this.#kept(name);
    const now = this.#now();
    if (receipt?.stateAt(now) !== 'OPEN') return;
    await this.#waiters.wait(idOf(name), Math.min(ms, receipt.leaseEndsAt - now));
  }

  async claim(name: ReceiptName, id: string): Promise<boolean> {
    const now = this.#now();
    const receipt = this.#find(name, now);
    const recordId = keptId(id);
    if (receipt === undefined || recordId === undefined) return false;
    if (receipt.state === 'APPLIED') return receipt.recordId === recordId;
    if (receipt.stateAt(now) === 'OPEN' || !this.#isTheOnlyOne(receipt, recordId, now)) return false;
    receipt.end('APPLIED', recordId);
    return true;
  }

  /** Ends the waits. */
  close(): void {
    this.#waiters.wakeAll();
  }

  #begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Found {
    const begunAt = this.#now();
    this.#forget(begunAt, FORGOTTEN_AT_ONCE);
    const found = this.#keys.has(name.key) ? this.#earlier(name, begunAt) : undefined;
    if (found !== undefined) return found;
    const owner = this.#owners.get(name.owner) ?? { name: name.owner, receipts: 0 };
    if (!this.#hasRoom(owner)) {
      this.#forget(begunAt, Infinity);
      if (!this.#hasRoom(owner)) return { state: 'FULL' };
    }
    const times = { sentAt, begunAt, leaseMs, ttlMs: this.#options.ttlMs };
    this.#attempts += 1;
    this.#add(new Receipt(name, owner, this.#attempts, times));
    return { state: 'NEW', attempt: String(this.#attempts) };
  }

  /** The answer to a write whose key has receipts already. Undefined when none of them is at its place. */
  #earlier(name: ReceiptName, now: number): Found | undefined {
    const receipt = this.#find(name, now);
    if (!this.#isFree(name)) {
      this.#forget(now, Infinity);
      if (!this.#isFree(name)) return { state: 'REUSED' };
    }
    return receipt && foundOf(receipt, now);
  }

  /** Whether the key is that of no other operation. */
  #isFree({ key, operation }: ReceiptName): boolean {
    return (this.#keys.get(key)?.operation ?? operation) === operation;
  }

  #hasRoom({ receipts }: Owner): boolean {
    return receipts < this.#options.max - this.#size;
  }

  /** Whether a record can be that of one creation alone. Asked only where a read has found it, so that all others are looked at. */
  #isTheOnlyOne(receipt: Receipt, recordId: string, now: number): boolean {
    const { records, twins } = receipt;
    if (records === undefined) return true;
    for (let other = this.#earliest; other; other = other.later) {
      if (other === receipt || other.records !== records || other.expiresAt <= now) continue;
      if (other.recordId === undefined ? other.twins === twins : other.recordId === recordId) return false;
    }
    return true;
  }

  #kept({ key, place }: ReceiptName): Receipt | undefined {
    let receipt = this.#keys.get(key);
    while (receipt && receipt.place !== place) receipt = receipt.sibling;
    return receipt;
  }

  /** A receipt that has expired is none, whether it is forgotten by now or not. */
  #find(name: ReceiptName, now: number): Receipt | undefined {
    const receipt = this.#kept(name);
    if (receipt === undefined || receipt.expiresAt > now) return receipt;
    this.#remove(receipt);
    return undefined;
  }

  #add(receipt: Receipt): void {
    receipt.sibling = this.#keys.get(receipt.key);
    this.#keys.set(receipt.key, receipt);
    const { owner } = receipt;
    if (owner.receipts === 0) this.#owners.set(owner.name, owner);
    owner.receipts += 1;
    receipt.earlier = this.#latest;
    if (this.#latest) this.#latest.later = receipt;
    else this.#earliest = receipt;
    this.#latest = receipt;
    this.#count(1);
  }

  #remove(receipt: Receipt): void {
    this.#leaveKey(receipt);
    const { owner, earlier, later } = receipt;
    owner.receipts -= 1;
    if (owner.receipts === 0) this.#owners.delete(owner.name);
    if (earlier) earlier.later = later;
    else this.#earliest = later;
    if (later) later.earlier = earlier;
    else this.#latest = earlier;
    this.#count(-1);
  }

  #leaveKey(receipt: Receipt): void {
    const { key, sibling } = receipt;
    let before = this.#keys.get(key);
    if (before !== receipt) {
      while (before && before.sibling !== receipt) before = before.sibling;
      if (before) before.sibling = sibling;
    } else if (sibling) this.#keys.set(key, sibling);
    else this.#keys.delete(key);
  }

  #count(by: 1 | -1): void {
    this.#size += by;
    this.figures.kept = this.#size;
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

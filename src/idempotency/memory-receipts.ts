import type { Departure } from '../calls/transport/departure.ts';
import {
  type Attempt,
  BY_CERTAINTY,
  countBegin,
  type End,
  type Found,
  keptId,
  noBegins,
  type ReceiptName,
  type Receipts,
  type ReceiptsOptions,
} from './receipts.ts';
import { Waiters } from './waiters.ts';

/** The receipts that one `begin` forgets at most: all of a day at once would hold up the process. */
const FORGOTTEN_AT_ONCE = 100;

/** An APPLIED receipt this young is not evicted, in milliseconds: its caller may still be sending the write again. */
export const MIN_EVICTED_MS = 600_000;

/** Where nothing could be evicted, the next attempt to do so comes after this time, in milliseconds. */
const EVICT_AGAIN_MS = 1_000;

/** The number of accepted credentials that are remembered. */
const MAX_ACCEPTED = 10_000;

/** A network, and the receipts of its credentials that upstream has not accepted. */
interface Network {
  readonly name: string;
  receipts: number;
}

/** A credential, and how many receipts it has. */
interface Owner {
  readonly name: string;
  receipts: number;
  /** Undefined once upstream has accepted a write with the credential. */
  network: Network | undefined;
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
  /** Until the record is known. */
  twins: string | undefined;
  readonly key: string;
  readonly mutation: string;
  readonly place: string;
  readonly records: string | undefined;
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
    this.twins = name.twins;
    this.key = name.key;
    this.mutation = name.mutation;
    this.place = name.place;
    this.records = name.records;
    this.owner = owner;
    this.attempt = attempt;
    this.sentAt = sentAt;
    this.begunAt = begunAt;
    this.leaseEndsAt = begunAt + Math.ceil(leaseMs);
    this.expiresAt = begunAt + Math.max(ttlMs, Math.ceil(leaseMs)); // a write under way keeps its receipt
  }

  stateAt(now: number): 'OPEN' | 'APPLIED' | 'UNKNOWN' {
    return this.state === 'OPEN' && this.leaseEndsAt <= now ? 'UNKNOWN' : this.state;
  }

  end(state: 'APPLIED' | 'UNKNOWN', recordId: string | undefined): void {
    if (recordId !== undefined) this.twins = undefined;
    this.state = state;
    this.recordId = recordId;
  }
}

/**
 * The receipts of one process, which end with it.
 *
 * Anybody can invent credentials. Those with which upstream has accepted no write share a tenth of the room, of which a network holds at
 * most half of what the others leave. A further tenth is for the first receipt of an accepted credential. When the rest is full, the
 * credential with the most receipts loses its oldest APPLIED ones.
 *
 * @see docs/scale.md
 */
export class MemoryReceipts implements Receipts {
  readonly begins = noBegins();
  readonly #options: ReceiptsOptions;
  /** The receipts of each key: the first of those that are linked as siblings. */
  readonly #keys = new Map<string, Receipt>();
  readonly #owners = new Map<string, Owner>();
  readonly #networks = new Map<string, Network>();
  /** The credentials that upstream has accepted, the latest last. */
  readonly #accepted = new Set<string>();
  /** The number of receipts of credentials that it has not accepted. */
  #newcomers = 0;
  #evictAgainAt = 0;
  /** The latest end of the lease of an evicted creation: its record is known by no receipt. */
  #evictedUntil = -1;
  readonly #waiters = new Waiters();
  #earliest: Receipt | undefined;
  #latest: Receipt | undefined;
  #size = 0;
  #attempts = 0;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Found {
    return countBegin(this.begins, this.#begin(name, sentAt, leaseMs));
  }

  count(): number {
    return this.#size;
  }

  look(name: ReceiptName): Found | undefined {
    const now = this.#now();
    const receipt = this.#find(name, now);
    return receipt && foundOf(receipt, now);
  }

  end(name: ReceiptName, attempt: string, end: End, endedAt: number | undefined): void {
    const receipt = this.#kept(name);
    if (receipt === undefined || receipt.state === 'APPLIED' || String(receipt.attempt) !== attempt) return;
    if (end.state === 'REFUSED') this.#remove(receipt);
    else receipt.end(end.state, end.state === 'APPLIED' ? keptId(end.id) : undefined);
    receipt.endedAt = endedAt;
    if (end.state === 'APPLIED') this.#accept(receipt.owner);
    this.#waiters.wake(name);
  }

  async settled(name: ReceiptName, ms: number, gone?: Departure): Promise<void> {
    const receipt = this.#kept(name);
    const now = this.#now();
    if (receipt?.stateAt(now) !== 'OPEN') return;
    await this.#waiters.wait(name, Math.min(ms, receipt.leaseEndsAt - now), gone);
  }

  async claim(name: ReceiptName, id: string): Promise<boolean> {
    const now = this.#now();
    const receipt = this.#find(name, now);
    const recordId = keptId(id);
    if (receipt === undefined || recordId === undefined) return false;
    if (receipt.state === 'APPLIED') return receipt.recordId === recordId;
    if (receipt.stateAt(now) === 'OPEN' || !this.#isTheOnlyOne(receipt, recordId, now)) return false;
    receipt.end('APPLIED', recordId);
    this.#accept(receipt.owner);
    return true;
  }

  async close(): Promise<void> {
    this.#waiters.wakeAll();
  }

  #begin(name: ReceiptName, sentAt: number | undefined, leaseMs: number): Found {
    const begunAt = this.#now();
    this.#forget(begunAt, FORGOTTEN_AT_ONCE);
    const receipt = this.#find(name, begunAt);
    if (receipt !== undefined) return foundOf(receipt, begunAt);
    const by = this.#otherThan(name, begunAt);
    if (by !== undefined) return { state: 'REUSED', by };
    const owner = this.#owners.get(name.credential) ?? this.#newOwner(name);
    if (!this.#hasRoom(owner)) {
      this.#forget(begunAt, Infinity);
      if (this.#isFull(owner)) this.#evict(owner, begunAt);
      if (!this.#hasRoom(owner)) return { state: 'FULL' };
    }
    const times = { sentAt, begunAt, leaseMs, ttlMs: this.#options.ttlMs };
    this.#attempts += 1;
    this.#add(new Receipt(name, owner, this.#attempts, times));
    return { state: 'NEW', attempt: String(this.#attempts) };
  }

  /** The state of the writes of the same mutation under the key that the document lacks. Undefined when it has all of them. */
  #otherThan({ key, mutation, writes }: ReceiptName, now: number) {
    const states = new Set<string>();
    for (let each = this.#keys.get(key); each; each = each.sibling) {
      const [write = ''] = each.place.split(' ', 1);
      if (each.mutation === mutation && each.expiresAt > now && !writes.has(write)) states.add(each.stateAt(now));
    }
    return BY_CERTAINTY.find((state) => states.has(state));
  }

  #newOwner({ credential, network }: ReceiptName): Owner {
    if (this.#accepted.has(credential)) return { name: credential, receipts: 0, network: undefined };
    return { name: credential, receipts: 0, network: this.#networks.get(network) ?? { name: network, receipts: 0 } };
  }

  #hasRoom(owner: Owner): boolean {
    if (owner.network && owner.network.receipts >= this.#tenth - this.#newcomers) return false;
    return !this.#isFull(owner);
  }

  /** Whether the room is full that accepted credentials share. What is reserved of it is for those without a receipt. */
  #isFull({ network, receipts }: Owner): boolean {
    const { max } = this.#options;
    if (network) return this.#size >= max;
    return this.#size - this.#newcomers >= max - this.#tenth * (receipts === 0 ? 1 : 2);
  }

  get #tenth(): number {
    return Math.ceil(this.#options.max / 10);
  }

  /** Notes that upstream has accepted a write with a credential: its receipts count as its own. */
  #accept(owner: Owner): void {
    this.#accepted.delete(owner.name);
    this.#accepted.add(owner.name);
    const [oldest] = this.#accepted.size > MAX_ACCEPTED ? this.#accepted : [];
    if (oldest !== undefined) this.#accepted.delete(oldest);
    this.#countNewcomers(owner, -owner.receipts);
    owner.network = undefined;
  }

  #countNewcomers({ network }: Owner, by: number): void {
    if (!network) return;
    this.#newcomers += by;
    network.receipts += by;
    if (network.receipts > 0) this.#networks.set(network.name, network);
    else this.#networks.delete(network.name);
  }

  /**
   * Evicts the oldest APPLIED receipts of the credential that has the most receipts, if not fewer than this one: a hundredth of the
   * room at once, so that the search is rare.
   */
  #evict({ receipts }: Owner, now: number): void {
    if (now < this.#evictAgainAt) return;
    let owner: Owner | undefined;
    for (const each of this.#evictable(now))
      if (each.owner.receipts >= Math.max(receipts, owner ? owner.receipts + 1 : 0)) owner = each.owner;
    if (!owner) this.#evictAgainAt = now + EVICT_AGAIN_MS;
    let left = Math.ceil(this.#options.max / 100);
    for (const each of this.#evictable(now)) {
      if (each.owner !== owner) continue;
      if (each.records !== undefined) this.#evictedUntil = Math.max(this.#evictedUntil, each.leaseEndsAt);
      this.#remove(each);
      left -= 1;
      if (left === 0) return;
    }
  }

  // The oldest first. The one that was given last may be removed.
  *#evictable(now: number): Generator<Receipt> {
    const latest = now - MIN_EVICTED_MS;
    for (let each = this.#earliest; each && each.begunAt <= latest; each = each.later)
      if (each.state === 'APPLIED') yield each;
  }

  /** Whether a record can be that of one creation alone. Asked only where a read has found it, so that all others are looked at. */
  #isTheOnlyOne(receipt: Receipt, recordId: string, now: number): boolean {
    const { records, twins } = receipt;
    if (records === undefined) return true;
    if (receipt.begunAt <= this.#evictedUntil) return false;
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
    this.#countNewcomers(owner, 1);
    receipt.earlier = this.#latest;
    if (this.#latest) this.#latest.later = receipt;
    else this.#earliest = receipt;
    this.#latest = receipt;
    this.#size += 1;
  }

  #remove(receipt: Receipt): void {
    this.#leaveKey(receipt);
    const { owner, earlier, later } = receipt;
    owner.receipts -= 1;
    if (owner.receipts === 0) this.#owners.delete(owner.name);
    this.#countNewcomers(owner, -1);
    if (earlier) earlier.later = later;
    else this.#earliest = later;
    if (later) later.earlier = earlier;
    else this.#latest = earlier;
    this.#size -= 1;
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

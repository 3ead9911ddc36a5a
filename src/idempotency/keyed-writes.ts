import { CallerGoneError, type GatewayError, UnreadResultError, type WriteOutcome } from '../errors.ts';
import type { Begun, KeyedAttempt, KeyedStep, KeyedWrite } from '../calls/keyed-step.ts';
import type { SessionOperation } from '../calls/exchange.ts';
import { GRACE_MS } from './settings.ts';
import type { End, Found, ReceiptName, Receipts } from './receipts.ts';
import {
  inProgress,
  keyNotTaken,
  keyReused,
  keysAreOff,
  receiptsAreAway,
  stillUnknown,
  tooManyReceipts,
} from './key-errors.ts';
import type { KeyedOperation, NamedWrite, OperationNames, ReceiptNames } from './receipt-names.ts';
import { findProof } from './reconcile.ts';
import { upstreamTime } from './upstream-time.ts';

/**
 * The attempt that carried out a write: this one, an earlier one as a read has proven, or an earlier one by its receipt. Where several
 * writes of one field differ, its report is the first of these.
 */
const REPORTS = ['FIRST', 'RECONCILED', 'REPLAYED'] as const;

type Report = (typeof REPORTS)[number];

/** The parts that all operations of a process share. */
interface KeyParts {
  /** Undefined in programs that keep none. */
  readonly receipts?: Receipts | undefined;
  readonly receiptNames: ReceiptNames;
}

/** The operation whose writes they are. */
interface WritingOperation extends Pick<SessionOperation, 'writes' | 'budget' | 'gone'> {
  /** The network of the caller's address. */
  readonly network: string;
  /** The credentials that the caller has sent, by the API that takes them. */
  credentials(): readonly Pick<NamedWrite, 'api' | 'credential'>[];
}

/** A write, of the field at this path, whose receipt is asked for. */
interface AskedWrite {
  readonly receipts: Receipts;
  readonly name: ReceiptName;
  readonly write: KeyedWrite;
  readonly path: string;
}

/** Receipts are waited for and leased no longer than this, in milliseconds: tests may give an operation no end. */
const MAX_MS = 3_600_000;

/** The writes of one operation under its `Idempotency-Key`. Holds the key, so it is never shared or kept. */
export class KeyedWrites implements KeyedStep {
  readonly #parts: KeyParts;
  readonly #key: string;
  readonly #operation: WritingOperation;
  #names: OperationNames | undefined;
  /** By the path of their field in the response. */
  readonly #reports = new Map<string, Report>();

  constructor(parts: KeyParts, key: string, operation: WritingOperation) {
    this.#parts = parts;
    this.#key = key;
    this.#operation = operation;
  }

  /** Tells which operation is run. Called before its first write. */
  identify(operation: Omit<KeyedOperation, 'network'>): void {
    const { network } = this.#operation;
    this.#names = this.#parts.receiptNames.of(this.#key, { ...operation, network });
  }

  begin(write: KeyedWrite): Begun | Promise<Begun> {
    const { path } = this.#operation.writes;
    const name = this.#nameOf(write, path);
    const { receipts } = this.#parts;
    if (!receipts) throw keysAreOff(write.call);
    const asked = { receipts, name, write, path };
    const found = this.#ask(asked);
    if ('state' in found && found.state === 'NEW') return this.#attempt(asked, found.attempt);
    return this.#settled(asked, found);
  }

  #ask({ receipts, name, write }: AskedWrite): Found | Promise<Found> {
    const sentAt = upstreamTime(write.upstream.last, performance.now())?.earliest;
    return receipts.begin(name, sentAt, this.#leaseMs(write));
  }

  /**
   * Waits while another attempt is under way.
   *
   * @throws GatewayError unless the write may be sent, or was carried out before
   */
  async #settled(asked: AskedWrite, first: Found | Promise<Found>): Promise<Begun> {
    const { call } = asked.write;
    for (let found = await first; ; found = await this.#ask(asked)) {
      switch (found.state) {
        case 'NEW':
          return this.#attempt(asked, found.attempt);
        case 'OPEN':
          await this.#wait(asked);
          break;
        case 'APPLIED':
          return this.#applied(found.id, 'REPLAYED');
        case 'UNKNOWN':
          return this.#reconciled(asked, found);
        case 'REUSED':
          throw keyReused(call, found.by);
        case 'FULL':
          throw tooManyReceipts(call);
        case 'AWAY':
          throw receiptsAreAway(call);
      }
    }
  }

  /**
   * Explains why the field that was entered last has failed before it began a write: its reads may fail because, or although, an
   * earlier attempt has carried the write out.
   *
   * @returns the error of the field. The ledger has the outcome of the earlier attempt, where there was one
   */
  async explain(error: GatewayError): Promise<GatewayError> {
    const found = await this.#look();
    if (found?.state === 'AWAY') return receiptsAreAway(error.upstream);
    if (found?.state === 'APPLIED') {
      this.#applied(undefined, 'REPLAYED');
      return new UnreadResultError(`by an earlier attempt under this Idempotency-Key. ${error.message}`, error);
    }
    if (found?.state !== 'OPEN' && found?.state !== 'UNKNOWN') return error;
    this.#operation.writes.record('UNKNOWN');
    return found.state === 'OPEN'
      ? inProgress(error.upstream)
      : stillUnknown(error.upstream, found.sentMsAgo, `What it needs could not be read: ${error.message}`);
  }

  /** Whether an earlier attempt at the first write of the field that was entered last has a receipt, or may have one. */
  async hasReceipt(): Promise<boolean> {
    return (await this.#look()) !== undefined;
  }

  /** The receipt of the first write of the field that was entered last, with any credential of the caller. */
  async #look(): Promise<Found | undefined> {
    const receipts = this.#parts.receipts;
    if (!receipts || !this.#names) return undefined;
    const write = { place: this.#operation.writes.path, number: 1, target: '', isNew: false, alike: undefined };
    for (const credential of this.#operation.credentials()) {
      const found = await receipts.look(this.#names.of({ ...write, ...credential }));
      if (found) return found;
    }
    return undefined;
  }

  late(): void {
    this.#report(this.#operation.writes.path, 'FIRST');
  }

  /** Notes what became of a write of the field at this path. */
  #report(path: string, report: Report): void {
    const known = this.#reports.get(path);
    if (known === undefined || REPORTS.indexOf(report) < REPORTS.indexOf(known)) this.#reports.set(path, report);
  }

  /** The entries of `extensions.idempotency` since the last call, by paths in the response. Undefined for none. */
  takeReports(): object | undefined {
    if (this.#reports.size === 0) return undefined;
    const reports = Object.fromEntries(this.#reports);
    this.#reports.clear();
    return reports;
  }

  /** @throws GatewayError for a write that takes no key */
  #nameOf({ call, credential, path, created, evidence }: KeyedWrite, place: string): ReceiptName {
    if (credential === undefined || !this.#names) throw keyNotTaken(call);
    const { number } = this.#operation.writes;
    const target = `${call.endpoint}\n${path}`;
    const alike = created && evidence && 'by' in evidence ? Reflect.get(created, evidence.by) : undefined;
    return this.#names.of({ api: call.api, credential, place, number, target, isNew: created !== undefined, alike });
  }

  /** A change may wait for its record lock until the deadline of the operation. Its call, once sent, has a deadline of its own. */
  #leaseMs({ upstream, created }: KeyedWrite): number {
    const waitMs = created ? 0 : Math.max(0, this.#operation.budget.msLeft);
    return Math.ceil(Math.min(waitMs + upstream.timeoutMs + GRACE_MS, MAX_MS));
  }

  /** @throws GatewayError when the time of the operation is over */
  async #wait({ receipts, name, write: { call } }: AskedWrite): Promise<void> {
    const { budget, gone, writes } = this.#operation;
    const ms = Math.min(budget.msLeft, MAX_MS);
    if (ms > 0 && !gone.happened) await receipts.settled(name, Math.ceil(ms), gone);
    if (!gone.happened && budget.msLeft > 0) return;
    writes.record('UNKNOWN');
    throw gone.happened ? new CallerGoneError('The caller has closed the connection.', call) : inProgress(call);
  }

  async #reconciled(
    { receipts, name, write }: AskedWrite,
    attempt: Extract<Found, { readonly state: 'UNKNOWN' }>,
  ): Promise<Begun> {
    this.#operation.writes.record('UNKNOWN'); // whatever fails from here on
    const proof = await findProof(write, attempt, write.upstream.timeoutMs + GRACE_MS);
    if ('notice' in proof) throw stillUnknown(write.call, attempt.sentMsAgo, proof.notice);
    if (await receipts.claim(name, proof.id)) return this.#applied(proof.id, 'RECONCILED');
    const notice = 'One record was found, but another write under a key may have made it.';
    throw stillUnknown(write.call, attempt.sentMsAgo, notice);
  }

  #applied(id: string | undefined, report: Report): Begun {
    const { writes } = this.#operation;
    writes.record('APPLIED');
    this.#report(writes.path, report);
    return { end: undefined, id };
  }

  #attempt({ receipts, name, write: { upstream }, path }: AskedWrite, attempt: string): KeyedAttempt {
    return {
      end: (outcome, id) => {
        if (outcome !== 'REFUSED') this.#report(path, 'FIRST');
        const endedAt = upstreamTime(upstream.last, performance.now())?.latest;
        return receipts.end(name, attempt, endOf(outcome, id), endedAt);
      },
    };
  }
}

function endOf(outcome: WriteOutcome, id: string | undefined): End {
  return outcome === 'APPLIED' ? { state: outcome, id } : { state: outcome };
}

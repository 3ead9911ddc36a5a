import type { Worker } from 'node:cluster';
import { z } from 'zod';
import type { NoTurn, RecordTurns, Turn, TurnTimes } from '../http/session/record-turns.ts';
import { Departure } from '../http/transport/departure.ts';
import { LocalTurns, withPlace } from '../preconditions/local-turns.ts';

/** The time that the primary has to answer beyond that of the wait, in milliseconds. It does at once, unless the machine is busy. */
const ANSWER_MS = 1_000;

/** A worker asks by this number for the turn of a record, or gives it up. */
const question = z.union([
  z.object({ takeTurn: z.number(), record: z.string(), waitMs: z.number(), leaseMs: z.number() }),
  z.object({ leaveTurn: z.number(), isHeld: z.boolean() }),
]);

/** The worker has the turn that it asked for by this number, after this wait, or not. */
const answer = z.union([
  z.object({ turn: z.number(), waitedMs: z.number() }),
  z.object({ noTurn: z.number(), reason: z.enum(['LATE', 'FULL', 'AWAY', 'REFUSED']) }),
]);

const turns = new LocalTurns((record) => record);

/** In the primary: gives turns to a worker. Those of a worker that has ended are held: its last writes may still arrive. */
export function takeTurnsFor(worker: Worker): void {
  const asked = new Map<number, Turn | Departure>();
  const tell = (told: z.input<typeof answer>) => worker.isConnected() && worker.send(told);
  worker.on('message', (message: unknown) => {
    const { data } = question.safeParse(message);
    if (data && 'takeTurn' in data) return void take(data.takeTurn, data.record, data);
    if (data) leave(data.leaveTurn, data.isHeld);
  });
  worker.once('exit', () => {
    for (const number of asked.keys()) leave(number, true);
  });
  const take = async (number: number, record: string, times: TurnTimes) => {
    const askedAt = performance.now();
    const gone = new Departure();
    asked.set(number, gone);
    const turn = await turns.take(record, { ...times, gone });
    asked.delete(number);
    if (typeof turn === 'string') return tell({ noTurn: number, reason: turn });
    if (!worker.isConnected()) return turn.end();
    asked.set(number, turn);
    return tell({ turn: number, waitedMs: performance.now() - askedAt });
  };
  const leave = (number: number, isHeld: boolean) => {
    const turn = asked.get(number);
    if (turn instanceof Departure) return turn.happen();
    asked.delete(number);
    if (isHeld) turn?.hold();
    else turn?.end();
  };
}

/** In a worker: the turns of all workers, which their primary gives. */
export class PrimaryTurns implements RecordTurns {
  readonly #worker: Pick<Worker, 'isConnected' | 'send'>;
  readonly #asked = new Map<number, (told: z.output<typeof answer> | undefined) => void>();
  /** How many of this worker have a record or wait for it. */
  readonly #wanted = new Map<string, number>();
  #last = 0;

  constructor(worker: Pick<Worker, 'isConnected' | 'send'>) {
    this.#worker = worker;
    process.on('message', (message) => {
      const { data: told } = answer.safeParse(message);
      if (told) this.#settle('turn' in told ? told.turn : told.noTurn, told);
    });
  }

  isBusy(record: string): boolean {
    return this.#wanted.has(record);
  }

  /** @param record a text of bounded length, the same in all workers */
  async take(record: string, times: TurnTimes): Promise<Turn | NoTurn> {
    this.#want(record, 1);
    const leave = () => this.#want(record, -1);
    const turn = await this.#ask(record, times);
    if (typeof turn === 'string') {
      leave();
      return turn;
    }
    return withPlace(turn, leave);
  }

  #want(record: string, more: number): void {
    const wanted = (this.#wanted.get(record) ?? 0) + more;
    if (wanted > 0) this.#wanted.set(record, wanted);
    else this.#wanted.delete(record);
  }

  async #ask(record: string, { waitMs, leaseMs, gone }: TurnTimes): Promise<Turn | NoTurn> {
    const number = ++this.#last;
    const askedAt = performance.now();
    const answered = new Promise<z.output<typeof answer> | undefined>((resolve) => this.#asked.set(number, resolve));
    const late = setTimeout(() => this.#settle(number, undefined), waitMs + ANSWER_MS).unref();
    const onDeparture = () => void this.#send({ leaveTurn: number, isHeld: false });
    gone?.add(onDeparture);
    if (!this.#send({ takeTurn: number, record, waitMs, leaseMs })) this.#settle(number, undefined);
    const told = await answered;
    clearTimeout(late);
    gone?.remove(onDeparture);
    if (!told) return 'AWAY';
    if ('noTurn' in told) return told.reason;
    return {
      endsAt: askedAt + told.waitedMs + leaseMs,
      end: () => this.#send({ leaveTurn: number, isHeld: false }),
      hold: () => this.#send({ leaveTurn: number, isHeld: true }),
    };
  }

  #settle(number: number, told: z.output<typeof answer> | undefined): void {
    const resolve = this.#asked.get(number);
    this.#asked.delete(number);
    if (resolve) resolve(told);
    else if (told && 'turn' in told) this.#send({ leaveTurn: number, isHeld: false }); // nobody waits for it any more
  }

  #send(message: z.input<typeof question>): boolean {
    return this.#worker.isConnected() && this.#worker.send(message);
  }
}

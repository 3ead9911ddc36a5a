import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tcpSocket } from './http-server.ts';

/** An answer is not cut so soon after it was handed over, in milliseconds: nobody can have read much of it. */
const GRACE_MS = 50;

/** Callers who took their last byte within so many milliseconds of each other are equally slow. */
const EQUAL_MS = 100;

/** A connection, with the answers of it that are not sent yet. */
export interface Reader {
  readonly socket: Socket;
  /** In the order of their requests; only the first one has the socket. */
  readonly responses: readonly ServerResponse[];
  /** The bytes that wait in the process, as they were counted last. */
  unread: number;
  /** Since when bytes wait, and how many the caller had taken until then. */
  since: number;
  takenBefore: number;
  /** How many it had taken when that was looked at last, and when this number was seen to change last. */
  taken: number;
  tookAt: number;
}

/**
 * Bounds the bytes of all answers together that wait in the process because their callers do not read them. Beyond the bound the
 * connections of the slowest callers are cut: those that have taken no byte for longest, and of equal ones those that took the
 * fewest.
 *
 * The sum is kept as answers are handed over and sent. All connections are looked at only when it is beyond the bound.
 *
 * @see docs/operations.md
 */
export class UnreadAnswers {
  readonly #limit: number;
  readonly #readers = new Set<Reader>();
  #bytes = 0;
  /** The sum from which all are looked at: they may have read some of it. */
  #lookAbove: number;
  #cut = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
    this.#lookAbove = limit;
  }

  /** Counts the bytes that wait for a caller: before and after more of them are handed over, and once an answer is sent. */
  count(reader: Reader): void {
    const unread = unreadBytes(reader);
    if (unread === reader.unread) return;
    if (reader.unread === 0) {
      reader.since = performance.now();
      reader.takenBefore = bytesTaken(reader.socket);
      reader.taken = reader.takenBefore;
      reader.tookAt = reader.since;
      this.#readers.add(reader);
    }
    this.#update(reader, unread);
    if (this.#bytes > this.#lookAbove) this.#keepBound();
  }

  /** Cuts what is beyond the bound by now. @returns how many connections were cut since the last call */
  sweep(): number {
    if (this.#bytes > 0) this.#keepBound();
    const cut = this.#cut;
    this.#cut = 0;
    return cut;
  }

  #update(reader: Reader, unread: number): void {
    this.#bytes += unread - reader.unread;
    reader.unread = unread;
    if (unread === 0) this.#readers.delete(reader);
  }

  #keepBound(): void {
    const now = performance.now();
    for (const reader of this.#readers) {
      this.#update(reader, unreadBytes(reader));
      const taken = bytesTaken(reader.socket);
      if (taken === reader.taken) continue;
      reader.taken = taken;
      reader.tookAt = now;
    }
    if (this.#bytes > this.#limit) this.#cutSlowest(now);
    // Where the sum is just below the bound, not every answer is worth a look at all.
    this.#lookAbove = Math.max(this.#limit, this.#bytes + this.#limit / 64);
  }

  #cutSlowest(now: number): void {
    const readers = [...this.#readers].filter(({ since }) => now - since >= GRACE_MS); // the others are looked at later
    for (const reader of readers.toSorted((left, right) => compareSlowness(left, right, now))) {
      if (this.#bytes <= this.#limit) return;
      this.#cut += 1;
      this.#update(reader, 0);
      tcpSocket(reader.socket).resetAndDestroy(); // the kernel would go on offering the bytes that it has
    }
  }
}

/** Negative where the first caller is slower. */
function compareSlowness(left: Reader, right: Reader, now: number): number {
  const idle = ({ tookAt }: Reader) => Math.floor((now - tookAt) / EQUAL_MS);
  const took = ({ taken, takenBefore }: Reader) => taken - takenBefore;
  return idle(right) - idle(left) || took(left) - took(right);
}

/** The bytes of answers that wait in the process. Short texts count one per character. */
function unreadBytes({ socket, responses }: Reader): number {
  if (socket.destroyed) return 0;
  let bytes = 0;
  for (const response of responses) bytes += response.writableLength;
  return bytes;
}

/**
 * The bytes that the kernel has taken to send. Node's public numbers stay the same from the begin of a write to its end,
 * however large it is. Without the private ones a slow reader of a large answer would look stalled.
 */
export function bytesTaken(socket: Socket): number {
  const handle: unknown = Reflect.get(tcpSocket(socket), '_handle');
  if (typeof handle === 'object' && handle && 'bytesWritten' in handle && 'writeQueueSize' in handle) {
    return Number(handle.bytesWritten) - Number(handle.writeQueueSize);
  }
  return socket.bytesWritten - socket.writableLength;
}

import type { Socket } from 'node:net';

const NONE = Buffer.alloc(0);

/** The beginning of the status line of an interim response; `101` is none, as another protocol follows it. */
const INTERIM = 'HTTP/1.1 1';
const SWITCHES = 'HTTP/1.1 101';

/** The head of an interim response has fewer bytes; a longer one is left to the parser of HTTP. */
const MAX_HEAD_BYTES = 16 * 1024;

const END_OF_HEAD = '\r\n\r\n';

/**
 * Takes the interim responses before a response out of what a connection receives. A client passes over those that it has not
 * asked for (RFC 9110, 15.2); undici closes the connection at a `100 Continue`.
 */
export class InterimResponses {
  /** The bytes of an unfinished head. Undefined once the final response has begun. */
  #held: Buffer | undefined = NONE;

  /** To be called before a request is sent: its response may begin with interim ones. */
  begin(): void {
    this.#held = NONE;
  }

  /** Filters all that is read from the socket of the connection. */
  filter(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const chunk: unknown = read(size);
      if (!this.#held || !Buffer.isBuffer(chunk)) return chunk;
      return this.#without(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]));
    };
  }

  /** @returns the bytes from the final response on; null, as of `read`, while none of it has come */
  #without(bytes: Buffer): Buffer | null {
    let rest = bytes;
    for (;;) {
      const start = rest.toString('latin1', 0, SWITCHES.length);
      const isUnknown = start.length < SWITCHES.length && (INTERIM.startsWith(start) || start.startsWith(INTERIM));
      const isInterim = start.startsWith(INTERIM) && start !== SWITCHES;
      const end = isInterim ? rest.indexOf(END_OF_HEAD) : -1;
      if (isUnknown || (isInterim && end === -1 && rest.length < MAX_HEAD_BYTES)) {
        this.#held = rest;
        return null;
      }
      if (end === -1) {
        this.#held = undefined;
        return rest;
      }
      rest = rest.subarray(end + END_OF_HEAD.length);
    }
  }
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The outcomes of the requests of some connections. */
export interface Tally {
  sent: number;
  answered: number;
  /** Answers with the header `Connection: close`. */
  told: number;
  /** The status lines of answers other than 200. */
  readonly others: string[];
}

/** A whole request, as it is written to a connection. */
export function requestBytes(endpoint: string, query: string): string {
  const body = JSON.stringify({ query });
  const head = `POST /graphql HTTP/1.1\r\nhost: ${new URL(endpoint).host}\r\nauthorization: Bearer token`;
  return `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** A connection that is kept alive, which sends a request once the one before it is answered. */
export class KeptConnection {
  readonly #socket: Socket;
  readonly #endpoint: string;
  readonly #query: string;
  readonly #tally: Tally;

  private constructor(socket: Socket, endpoint: string, query: string, tally: Tally) {
    this.#socket = socket;
    this.#endpoint = endpoint;
    this.#query = query;
    this.#tally = tally;
  }

  static async open(endpoint: string, query: string, tally: Tally): Promise<KeptConnection> {
    const { hostname, port } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}); // a request that is not answered is seen in the tally
    await once(socket, 'connect');
    return new KeptConnection(socket, endpoint, query, tally);
  }

  /** Sends a request and waits for its answer. @returns whether the connection may take another request */
  async ask(): Promise<boolean> {
    this.#tally.sent += 1;
    this.#socket.write(requestBytes(this.#endpoint, this.#query));
    const answer = await this.#answer();
    if (answer === undefined) return false;
    this.#tally.answered += 1;
    if (!answer.startsWith('HTTP/1.1 200 ')) this.#tally.others.push(answer.slice(0, answer.indexOf('\r\n')));
    const isTold = /\r\nconnection: close\r\n/i.test(answer);
    if (isTold) this.#tally.told += 1;
    return !isTold;
  }

  /** Sends requests, over a new connection whenever an answer says that the connection closes, until none is accepted. */
  async askUntilRefused(): Promise<void> {
    while (await this.ask());
    const next = await KeptConnection.open(this.#endpoint, this.#query, this.#tally).catch(() => undefined);
    await next?.askUntilRefused();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Undefined when the connection is closed before the whole answer has arrived. */
  async #answer(): Promise<string | undefined> {
    let answer = '';
    return new Promise((resolve) => {
      const done = (whole: string | undefined) => {
        this.#socket.off('data', onData).off('close', onClose);
        resolve(whole);
      };
      const onClose = () => done(undefined);
      const onData = (chunk: Buffer) => {
        answer += chunk.toString('latin1');
        const head = answer.indexOf('\r\n\r\n') + 4;
        const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1];
        if (head > 3 && length !== undefined && answer.length >= head + Number(length)) done(answer);
      };
      this.#socket.on('data', onData).on('close', onClose);
      if (this.#socket.destroyed) onClose();
    });
  }
}

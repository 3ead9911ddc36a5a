import {
  ConnectionLostError,
  GatewayError,
  TooLargeError,
  UnreachableError,
  UpstreamTimeoutError,
} from '../../errors.ts';
import type { SharedApi } from '../../calls/exchange.ts';
import { Departure } from '../../calls/transport/departure.ts';
import type { Answer, Outgoing } from '../../calls/transport/messages.ts';
import type { Path } from '../../calls/transport/path.ts';

const MiB = 1024 ** 2;

/** The bounds of a comparison: the bytes of one answer, and the bytes and milliseconds of all calls. */
export interface Bounds {
  readonly answerBytes: number;
  readonly bytes: number;
  readonly ms: number;
}

/** There is one call for each read of the contract at most. */
export const BOUNDS: Bounds = { answerBytes: 16 * MiB, bytes: 64 * MiB, ms: 60_000 };

/** The answer to a read; or why there is none, and whether further calls to the API would be no use. */
export type Outcome = { readonly answer: Answer } | { readonly reason: string; readonly isFinal: boolean };

/** A read of one endpoint, with the credential in its path or its headers. */
export interface Request {
  readonly endpoint: string;
  readonly path: Path;
  readonly headers: Readonly<Record<string, string>>;
}

type Api = Pick<SharedApi<unknown>, 'upstream'>;

/** Sends GET requests within the bounds. What it tells of a failure holds no text of upstream and no address. */
export class ContractCalls {
  readonly #bounds: Bounds;
  readonly #deadline: number;
  #bytesLeft: number;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#deadline = performance.now() + bounds.ms;
    this.#bytesLeft = bounds.bytes;
  }

  async get({ upstream }: Api, { endpoint, path, headers }: Request, maxBytes: number): Promise<Outcome> {
    const timeoutMs = Math.floor(this.#deadline - performance.now());
    const bytes = Math.min(maxBytes, this.#bounds.answerBytes, this.#bytesLeft);
    if (timeoutMs < 1) return { reason: 'the time of the comparison is over', isFinal: true };
    if (bytes < 1) return { reason: 'the bytes of the comparison are used up', isFinal: true };
    const limit = { bytes, setting: '' };
    const outgoing: Outgoing = { method: 'GET', target: path.path, headers, body: null, isRead: true, limit };
    try {
      const call = { api: upstream.api.name, endpoint };
      const answer = await upstream.open(outgoing, call).answer(new Departure(), { timeoutMs });
      for (const { length } of answer.body) this.#bytesLeft -= length;
      return answer.status === 200 ? { answer } : refusal(answer.status);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error instanceof TooLargeError) this.#bytesLeft -= bytes;
      return { reason: failure(error, bytes), isFinal: !(error instanceof TooLargeError) };
    }
  }
}

/** With a refused credential, or a limit of rates, the API shall not be called again. */
function refusal(status: number): Outcome {
  return { reason: `status ${status}`, isFinal: status === 401 || status === 429 || status === 503 };
}

function failure(error: GatewayError, bytes: number): string {
  if (error instanceof TooLargeError) return `more than ${bytes} bytes`;
  if (error instanceof UpstreamTimeoutError) return 'no whole answer in time';
  if (error instanceof UnreachableError) return 'no connection';
  return error instanceof ConnectionLostError ? 'the connection was cut' : 'no answer that HTTP allows';
}

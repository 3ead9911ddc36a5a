import type { IncomingHttpHeaders } from 'node:http';
import { UnauthenticatedError } from './http/errors.ts';

/**
 * The caller's credentials, read from the headers of one request. They are private fields, so that nothing that
 * prints or serialises a context shows them, and they die with the request.
 */
export class Credentials {
  readonly #authorization: string | undefined;

  constructor(headers: IncomingHttpHeaders) {
    this.#authorization = headers.authorization;
  }

  /**
   * The API token that serves the account and flex APIs.
   *
   * @throws UnauthenticatedError where the header is missing or malformed: no call is made
   */
  bearer(): string {
    const token = this.#bearer();
    if (token !== undefined) return token;
    throw new UnauthenticatedError(
      this.#authorization === undefined
        ? 'No credential: send the header `Authorization: Bearer <API_TOKEN>`.'
        : 'The Authorization header is malformed: send `Authorization: Bearer <API_TOKEN>`.',
    );
  }

  /** Every secret in them, to be taken out of texts. */
  secrets(): string[] {
    return [this.#bearer()].filter((secret) => secret !== undefined);
  }

  #bearer(): string | undefined {
    return /^Bearer +([\x21-\x7e]+) *$/i.exec(this.#authorization ?? '')?.[1];
  }
}

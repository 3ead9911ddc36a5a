import type { IncomingHttpHeaders } from 'node:http';
import { UnauthenticatedError } from './http/errors.ts';

/** A token: printable ASCII without white space, for nothing else goes through a header unchanged. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * The caller's credentials, read from the headers of one request. They are private fields, so that nothing that
 * prints or serialises a context shows them, and they die with the request.
 */
export class Credentials {
  readonly #authorization: string | undefined;
  readonly #crmToken: string | undefined;
  readonly #crmSharesToken: boolean;
  readonly #forumAuthorization: string | undefined;

  /** @param crmSharesToken whether the CRM takes the bearer token where it is given none of its own */
  constructor(headers: IncomingHttpHeaders, { crmSharesToken }: { readonly crmSharesToken: boolean }) {
    this.#authorization = headers.authorization;
    this.#crmToken = headers['x-crm-token']?.toString();
    this.#crmSharesToken = crmSharesToken;
    this.#forumAuthorization = headers['x-forum-authorization']?.toString();
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

  /**
   * The API token that serves the CRM.
   *
   * @throws UnauthenticatedError where there is none, or a malformed one: no call is made
   */
  crmToken(): string {
    if (this.#crmToken === undefined) {
      if (this.#crmSharesToken && this.#authorization !== undefined) return this.bearer();
      const other = this.#crmSharesToken ? ', or `Authorization: Bearer <API_TOKEN>`, which serves it too' : '';
      throw new UnauthenticatedError(
        `No credential for the CRM: send the header \`X-CRM-Token: <API_TOKEN>\`${other}.`,
      );
    }
    if (TOKEN.test(this.#crmToken)) return this.#crmToken;
    throw new UnauthenticatedError('The X-CRM-Token header is malformed: send `X-CRM-Token: <API_TOKEN>`.');
  }

  /** The header that `crmToken` comes from. */
  get crmHeader(): string {
    return this.#crmToken === undefined && this.#crmSharesToken ? 'Authorization' : 'X-CRM-Token';
  }

  /**
   * The `Authorization` of the forum: a login with its password.
   *
   * @throws UnauthenticatedError where the header is missing or malformed: no call is made
   */
  forumAuthorization(): string {
    const encoded = this.#forumBasic();
    if (encoded !== undefined) return `Basic ${encoded}`;
    const example = '`X-Forum-Authorization: Basic <login:password in base64>`';
    throw new UnauthenticatedError(
      this.#forumAuthorization === undefined
        ? `No credential for the forum: send the header ${example}.`
        : `The X-Forum-Authorization header is malformed: send ${example}.`,
    );
  }

  /** Every secret in them, to be taken out of texts. */
  secrets(): string[] {
    const basic = this.#forumBasic();
    const password = basic && userPass(basic)?.replace(/^[^:]*:/, '');
    return [this.#bearer(), this.#crmToken, basic, password].filter((secret) => secret !== undefined);
  }

  #bearer(): string | undefined {
    return /^Bearer +([\x21-\x7e]+) *$/i.exec(this.#authorization ?? '')?.[1];
  }

  #forumBasic(): string | undefined {
    const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(this.#forumAuthorization ?? '') ?? [];
    return encoded !== undefined && userPass(encoded) !== undefined ? encoded : undefined;
  }
}

/** What basic authentication encodes, `login:password`; undefined for anything else. */
function userPass(encoded: string): string | undefined {
  const text = Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text : undefined;
}

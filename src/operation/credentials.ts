import type { IncomingHttpHeaders } from 'node:http';
import { NoCredentialError, UnauthenticatedError } from '../errors.ts';

/** A token: printable ASCII without white space. HTTP headers carry no other character reliably. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Sentences that complete the errors of missing and refused credentials. */
export interface CredentialHints {
  /** For the tokens of the account, flex and CRM APIs. */
  readonly token: string;
  /** For the login of the forum. */
  readonly login: string;
}

interface CredentialsOptions {
  /** Whether the CRM gets the bearer token when the request has no X-CRM-Token header. */
  readonly crmSharesToken: boolean;
  readonly hints?: CredentialHints | undefined;
}

/** A type and no interface: requests take headers of any name. */
type AuthorizationHeader = Readonly<Record<'authorization', string>>;

/**
 * The caller's credentials, read from the headers of one request. The fields are private, so that printing or serialising a
 * context does not show them. They are not stored beyond the request.
 */
export class Credentials {
  readonly #authorization: string | undefined;
  readonly #crmToken: string | undefined;
  readonly #crmSharesToken: boolean;
  readonly #hints: CredentialHints | undefined;
  readonly #forumAuthorization: string | undefined;
  #token: string | undefined;
  #bearerHeaders: AuthorizationHeader | undefined;
  #forumHeaders: AuthorizationHeader | undefined;

  constructor(headers: IncomingHttpHeaders, { crmSharesToken, hints }: CredentialsOptions) {
    this.#authorization = headers.authorization;
    this.#crmToken = headers['x-crm-token']?.toString();
    this.#crmSharesToken = crmSharesToken;
    this.#hints = hints;
    this.#forumAuthorization = headers['x-forum-authorization']?.toString();
  }

  /**
   * The API token of the account and flex APIs.
   *
   * @throws UnauthenticatedError when the header is missing or malformed; no call is made then
   */
  bearer(): string {
    const token = this.#bearer();
    if (token !== undefined) return token;
    const header = '`Authorization: Bearer <API_TOKEN>`';
    if (this.#authorization === undefined)
      throw missing(`No credential: send the header ${header}.`, this.#hints?.token);
    throw malformed(`The Authorization header is malformed: send ${header}.`, this.#hints?.token);
  }

  /**
   * The headers that carry the API token to the account and flex APIs: the same object each time.
   *
   * @throws UnauthenticatedError as `bearer` does
   */
  bearerHeaders(): AuthorizationHeader {
    return (this.#bearerHeaders ??= { authorization: `Bearer ${this.bearer()}` });
  }

  /**
   * The API token of the CRM.
   *
   * @throws UnauthenticatedError when it is missing or malformed; no call is made then
   */
  crmToken(): string {
    if (this.#crmToken === undefined) {
      if (this.#crmSharesToken && this.#authorization !== undefined) return this.bearer();
      const other = this.#crmSharesToken ? ', or `Authorization: Bearer <API_TOKEN>`, which serves it too' : '';
      throw missing(
        `No credential for the CRM: send the header \`X-CRM-Token: <API_TOKEN>\`${other}.`,
        this.#hints?.token,
      );
    }
    if (TOKEN.test(this.#crmToken)) return this.#crmToken;
    throw malformed('The X-CRM-Token header is malformed: send `X-CRM-Token: <API_TOKEN>`.', this.#hints?.token);
  }

  /** The name of the header that `bearer` is read from. */
  get bearerHeader(): string {
    return 'Authorization';
  }

  /** The name of the header that `forumLogin` is read from. */
  get forumHeader(): string {
    return 'X-Forum-Authorization';
  }

  /** The name of the header that `crmToken` is read from. */
  get crmHeader(): string {
    return this.#crmToken === undefined && this.#crmSharesToken ? 'Authorization' : 'X-CRM-Token';
  }

  /**
   * The headers that carry login and password to the forum: the same object each time.
   *
   * @throws UnauthenticatedError when X-Forum-Authorization is missing or malformed; no call is made then
   */
  forumHeaders(): AuthorizationHeader {
    return (this.#forumHeaders ??= { authorization: this.#forumAuthorizationHeader() });
  }

  #forumAuthorizationHeader(): string {
    const encoded = this.#forumBasic();
    if (encoded !== undefined) return `Basic ${encoded}`;
    const example = '`X-Forum-Authorization: Basic <login:password in base64>`';
    if (this.#forumAuthorization === undefined)
      throw missing(`No credential for the forum: send the header ${example}.`, this.#hints?.login);
    throw malformed(`The X-Forum-Authorization header is malformed: send ${example}.`, this.#hints?.login);
  }

  /**
   * Login and password of the forum as one text, the same however they were written in base64.
   *
   * @throws UnauthenticatedError as `forumHeaders` does
   */
  forumLogin(): string {
    return canonicalBase64(this.forumHeaders().authorization.replace(/^Basic /, ''));
  }

  /** Every credential of the request, each as the API that it serves takes it. */
  all(): string[] {
    const basic = this.#forumBasic();
    const login = basic === undefined ? undefined : canonicalBase64(basic);
    return [this.#bearer(), this.#crmToken, login].filter((credential) => credential !== undefined);
  }

  /** All secrets of the request, for redaction. */
  secrets(): string[] {
    const basic = this.#forumBasic();
    const password = basic && decodeUserPass(basic)?.replace(/^[^:]*:/, '');
    return [this.#bearer(), this.#crmToken, basic, password].filter((secret) => secret !== undefined);
  }

  #bearer(): string | undefined {
    return (this.#token ??= /^Bearer +([\x21-\x7e]+) *$/i.exec(this.#authorization ?? '')?.[1]);
  }

  #forumBasic(): string | undefined {
    const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(this.#forumAuthorization ?? '') ?? [];
    return encoded !== undefined && decodeUserPass(encoded) !== undefined ? encoded : undefined;
  }
}

/**
 * Stands in for the credentials of an API without an address. Nothing is sent, so the error names the setting that is
 * missing, and not a header.
 */
export const noCredentials = new Credentials(
  { authorization: 'Bearer none', 'x-crm-token': 'none', 'x-forum-authorization': 'Basic bm9uZTpub25l' },
  { crmSharesToken: false },
);

function missing(message: string, hint: string | undefined): NoCredentialError {
  return new NoCredentialError(hinted(message, hint));
}

function malformed(message: string, hint: string | undefined): UnauthenticatedError {
  return new UnauthenticatedError(hinted(message, hint));
}

function hinted(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

function canonicalBase64(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString('base64');
}

/** Decodes the `login:password` of basic authentication. Undefined for any other text. */
function decodeUserPass(encoded: string): string | undefined {
  const text = Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text : undefined;
}

import { keyedMutations as own } from './possible-types.ts';

/** The credentials of a user. An API whose credential is missing answers `UNAUTHENTICATED`, and the others answer. */
export interface Credentials {
  /** Of the account, the flexible databases, and a CRM that shares it. */
  readonly token?: string | undefined;
  /** Of a CRM with a token of its own. */
  readonly crmToken?: string | undefined;
  readonly forum?: { readonly login: string; readonly password: string } | undefined;
}

/** Where the gateway is, and whose requests it gets. */
export interface Connection {
  /** Address of the endpoint, such as `https://gateway.example/graphql`. */
  readonly url: string;
  /** Called for each operation, and after each renewal: the other attempts of an operation have those of the first. */
  readonly credentials: () => Credentials;
  /**
   * Asks for other credentials when an API has refused these. All operations that were refused wait for it, and are sent again
   * once it resolves, with the credentials of then. Without others, and when it rejects, the refusal is their answer.
   */
  readonly renew?: (() => Promise<unknown>) | undefined;
  /** How often an operation is sent at most while there is no answer, or its outcome is unknown. Default: 5. */
  readonly attempts?: number | undefined;
  /** About how many milliseconds pass until the second attempt. Default: 300. */
  readonly delayMs?: number | undefined;
  /**
   * Further mutations that may be sent again with their `Idempotency-Key`, such as those of tables with types of their own. Behind a
   * router also those of another subgraph that gets the key, and keeps to it.
   */
  readonly keyedMutations?: readonly string[] | undefined;
}

/**
 * The headers of credentials.
 *
 * @throws TypeError for a login with a colon, which ends a login
 */
export function headersOf({ token, crmToken, forum }: Credentials): Record<string, string> {
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(crmToken && { 'x-crm-token': crmToken }),
    ...(forum && { 'x-forum-authorization': `Basic ${basic(forum.login, forum.password)}` }),
  };
}

/** In UTF-8: `btoa` by itself throws for characters beyond Latin-1. */
function basic(login: string, password: string): string {
  if (login.includes(':')) throw new TypeError('A login has no colon.');
  return btoa(String.fromCodePoint(...new TextEncoder().encode(`${login}:${password}`)));
}

/**
 * A new `Idempotency-Key`. An operation has one for all its attempts; under other credentials it is another write, which needs
 * another key.
 */
export function newKey(): string {
  const { randomUUID }: Partial<Crypto> = crypto; // undefined on pages without TLS, unless they are of localhost
  if (randomUUID) return randomUUID.call(crypto);
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/**
 * Whether a mutation may be sent again with its key: each of its root fields is a mutation of trivium that takes one, or of the
 * connection's list. Another one is sent once, as it might be made again.
 */
export function isRepeatable(fields: readonly string[], { keyedMutations = [] }: Connection): boolean {
  const isKeyed = (name: string) => own.test(name) || keyedMutations.includes(name);
  return fields.length > 0 && fields.every(isKeyed);
}

/** A document, or a part of it, as graphql-js and urql have it. */
interface Node {
  readonly kind: string;
  readonly operation?: string | undefined;
  readonly name?: { readonly value: string } | undefined;
  readonly selectionSet?: { readonly selections: readonly Node[] } | undefined;
}

/** The names of the root fields of mutations. A fragment among them, into which this does not look, has none. */
export function rootFields({ definitions }: { readonly definitions: readonly Node[] }): string[] {
  const mutations = definitions.filter(({ operation }) => operation === 'mutation');
  const fields = mutations.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const names = fields.map(({ kind, name }) => (kind === 'Field' && name ? name.value : ''));
  return names.filter((name) => name !== '__typename');
}

/**
 * Renews the credentials of a connection once for all operations that were refused with the same ones.
 *
 * @returns whether an operation is to be sent again: with others than the headers that it was sent with, the argument
 */
export function renewals({ credentials, renew }: Connection): (refused: Record<string, string>) => Promise<boolean> {
  let renewal: Promise<unknown> | undefined;
  return async (refused) => {
    const areOthers = () => JSON.stringify(headersOf(credentials())) !== JSON.stringify(refused);
    if (!renew || areOthers()) return renew !== undefined;
    renewal ??= renew().finally(() => (renewal = undefined));
    return renewal.then(areOthers, () => false);
  };
}

/**
 * The credentials of one user, from the login to the logout: the `credentials` and the `renew` of a connection. A client has the
 * session of its user, so that nothing that a user has sent goes out with the credentials of the next one.
 */
export class Session implements Pick<Connection, 'credentials' | 'renew'> {
  #current: Credentials;
  #isOver = false;
  #renewal: Promise<void> | undefined;
  #settle: (() => void) | undefined;
  readonly #onRefused: () => void;

  /**
   * @param current the credentials of the login
   * @param onRefused called when an API has refused them: operations wait for `goOn` or `end`
   */
  constructor(current: Credentials, onRefused: () => void) {
    this.#current = current;
    this.#onRefused = onRefused;
  }

  readonly credentials = (): Credentials => this.#current;

  readonly renew = (): Promise<void> => {
    this.#renewal ??= new Promise<void>((resolve, reject) => {
      const settle = () => (this.#isOver ? reject(new Error('The user has logged out.')) : resolve());
      if (this.#isOver) return settle();
      this.#settle = settle;
      return this.#onRefused();
    }).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  };

  /** Operations that wait are sent with these credentials, and so is all that comes. */
  goOn(credentials: Credentials): void {
    if (this.#isOver) return;
    this.#current = credentials;
    this.#settle?.();
  }

  /** Ends the session: for operations that wait, and for those that are refused from now on, the refusal is the answer. */
  end(): void {
    this.#isOver = true;
    this.#settle?.();
  }
}

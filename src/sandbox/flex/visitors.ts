import { randomBytes } from 'node:crypto';
import { findSessionUser, sessionCookie, type SessionUser } from '../account/sessions.ts';
import type { SandboxServices } from '../services.ts';
import type { Request } from '../router.ts';

/** Not documented (A118, A119): the name of the cookie, its form beyond 32 characters, and which 30 days a month is. */
const keyCookieName = 'flex_key';
const keyMaxAgeSeconds = 30 * 24 * 60 * 60;

/** The caller of a public method: an IP address, a cookie key, and a user when there is a session. */
export class Visitor {
  readonly #ip: string;
  readonly #user: SessionUser | null;
  #key: string | null;
  #isNew = false;

  /** Not documented (A120): a session counts in the databases of its user's account only. */
  constructor(
    { store }: SandboxServices,
    account: number,
    { headers: responseHeaders, address }: Pick<Request, 'headers' | 'address'>,
  ) {
    const cookies = parseCookies(responseHeaders['cookie'] ?? '');
    const key = cookies.get(keyCookieName) ?? '';
    const user = findSessionUser(store, cookies.get(sessionCookie) ?? '');
    this.#ip = clientAddress(responseHeaders['x-forwarded-for'] ?? '', address);
    this.#key = /^[0-9a-z]{32}$/i.test(key) ? key : null;
    this.#user = user?.account_id === account ? user : null;
  }

  /** Replaces the variables of a template: `{ip}`, `{cookie_key}`, `{user_id}`, `{user_name}`. Other text stays unchanged. */
  fillTemplate(template: string): string {
    return template
      .split(/(\{(?:ip|cookie_key|user_id|user_name)\})/)
      .map((part) => this.#value(part))
      .join('');
  }

  /** A `Set-Cookie` header, when a template used the cookie key and the request had none. */
  get headers(): Readonly<Record<string, string>> {
    if (!this.#isNew) return {};
    return {
      'Set-Cookie': `${keyCookieName}=${this.#key}; Path=/; Max-Age=${keyMaxAgeSeconds}; HttpOnly; SameSite=Lax`,
    };
  }

  #value(part: string): string {
    switch (part) {
      case '{ip}':
        return this.#ip;
      case '{cookie_key}':
        return this.#cookieKey();
      case '{user_id}':
        return this.#user ? String(this.#user.id) : '';
      case '{user_name}':
        return this.#user?.name ?? '';
      default:
        return part;
    }
  }

  #cookieKey(): string {
    if (this.#key !== null) return this.#key;
    this.#isNew = true;
    return (this.#key = randomBytes(16).toString('hex'));
  }
}

/** Not documented (A117): behind a proxy the caller is the first address that the proxy names. */
function clientAddress(forwarded: string, address: string): string {
  const [first = ''] = forwarded.split(',');
  return first.trim() || address.replace(/^::ffff:/, ''); // an IPv4 address on a listener for both
}

function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const [name = '', ...value] = pair.split('=');
    if (!cookies.has(name.trim())) cookies.set(name.trim(), value.join('=').trim());
  }
  return cookies;
}

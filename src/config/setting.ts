import { z } from 'zod';

export const MiB = 1024 ** 2;

/** In CORS_ORIGINS: the pages that this machine serves, on any port. */
export const LOCALHOST = 'localhost';

/** The checked values of some settings, by name. */
export type ValuesOf<Settings extends z.core.$ZodShape> = z.output<z.ZodObject<Settings>>;

function setting<T>(about: string, fallback: T, takes: string, read: (given: string) => T | undefined) {
  return z
    .string()
    .optional()
    .transform((given = '', context): T => {
      const trimmed = given.trim();
      if (trimmed === '') return fallback;
      const value = read(trimmed);
      if (value === undefined) context.addIssue({ code: 'custom', message: takes });
      return value ?? fallback;
    })
    .meta({ description: about, default: fallback });
}

export function text(fallback: string, about: string) {
  return setting(about, fallback, 'a text', (given) => given);
}

export function wholeNumber(fallback: number, min: number, max: number, about: string) {
  return setting(about, fallback, `a whole number from ${min} to ${max}`, (given) => digitsFrom(given, min, max));
}

export function optionalWholeNumber(max: number, about: string) {
  const takes = `a whole number from 0 to ${max}`;
  return setting<number | undefined>(about, undefined, takes, (given) => digitsFrom(given, 0, max));
}

function digitsFrom(given: string, min: number, max: number): number | undefined {
  const number = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

export function choice<const T extends string>(values: readonly T[], fallback: NoInfer<T>, about: string) {
  const takes = `one of ${values.join(', ')}`;
  return oneOf(values, fallback, takes, `${about} O${takes.slice(1)}.`);
}

/** One of more values than a line can list. */
export function oneOf<const T extends string>(
  values: readonly T[],
  fallback: NoInfer<T>,
  takes: string,
  about: string,
) {
  return setting<T>(about, fallback, takes, (given) => values.find((value) => value === given));
}

/** A list, separated by commas. @param read returns undefined for an item that it does not take */
function list<T>(about: string, fallback: readonly NoInfer<T>[], takes: string, read: (item: string) => T | undefined) {
  return setting<readonly T[]>(about, fallback, takes, (given) => {
    const items = given.split(',').map((item) => read(item.trim()));
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? known : undefined;
  });
}

/** Several of some values, separated by commas. */
export function choices<const T extends string>(values: readonly T[], fallback: readonly NoInfer<T>[], about: string) {
  const takes = `some of ${values.join(', ')}, separated by commas`;
  return list(about, fallback, takes, (item) => values.find((value) => value === item));
}

export function fraction(fallback: number, about: string) {
  return setting(about, fallback, 'a number from 0 to 1', (given) =>
    /^(?:0(?:\.\d{1,15})?|1(?:\.0{1,15})?)$/.test(given) ? Number(given) : undefined,
  );
}

export function httpAddress(about: string) {
  const takes = 'an http or https address without a user, query or fragment';
  return setting<URL | undefined>(about, undefined, takes, (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const bare = url && !url.username && !url.password && !url.search && !url.hash;
    return bare && /^https?:$/.test(url.protocol) ? url : undefined;
  });
}

/** A value that no text shows: neither a log line, nor JSON, nor an error. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A text that nobody shall guess, or undefined. */
export function secret(minLength: number, about: string) {
  return setting<Secret<string> | undefined>(about, undefined, `a text of at least ${minLength} characters`, (given) =>
    given.length >= minLength ? new Secret(given) : undefined,
  );
}

/** Where a Redis listens, and how to log in there. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly database: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export function redisAddress(about: string) {
  const takes = 'an address such as rediss://user:password@host:6379/0, without a query or fragment';
  return setting<Secret<RedisAddress> | undefined>(about, undefined, takes, (given) => {
    const address = readRedisAddress(given);
    return address && new Secret(address);
  });
}

function readRedisAddress(given: string): RedisAddress | undefined {
  if (!URL.canParse(given)) return undefined;
  const { protocol, hostname, port, pathname, username, password, search, hash } = new URL(given);
  const isRedis = protocol === 'redis:' || protocol === 'rediss:';
  if (!isRedis || hostname === '' || search || hash || !/^(?:\/\d{0,3})?$/.test(pathname)) return undefined;
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''), // the brackets of IPv6
      port: port === '' ? 6379 : Number(port),
      tls: protocol === 'rediss:',
      database: Number(pathname.slice(1)),
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
    };
  } catch {
    return undefined; // a % that encodes nothing
  }
}

export function files(about: string) {
  return list(about, [], 'JSON files, separated by commas', (file) => file || undefined);
}

/** Without a slash at its end: the empty text for none. */
export function basePath(about: string) {
  const takes = 'a path such as /a/b, with letters, digits and `-._~`, and without `//`, `..` or a slash at its end';
  return setting(about, '', takes, (given) => (/^(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)+$/.test(given) ? given : undefined));
}

/** A token of RFC 9110. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export function cookieNames(about: string) {
  return list(about, [], 'names of cookies, separated by commas', (name) => (TOKEN.test(name) ? name : undefined));
}

/** A `*` is refused: it is a token, and in a response to a preflight it stands for any header. */
export function headerNames(about: string) {
  return list(about, [], 'names of headers without `*`, separated by commas', (name) =>
    TOKEN.test(name) && !name.includes('*') ? name : undefined,
  );
}

export function origins(about: string) {
  const takes = 'origins such as https://app.example, or localhost, separated by commas';
  return list(about, [], takes, (origin) => (origin === LOCALHOST || isOrigin(origin) ? origin : undefined));
}

/** Whether a text is an origin. A `*` is refused: URLs may contain it, but there are no wildcards here. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}

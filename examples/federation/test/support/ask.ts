export interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface Result {
  readonly data: unknown;
  readonly errors: readonly ResultError[];
}

export type Headers = Readonly<Record<string, string>>;

/** What trivium's demo data knows: a caller who may do everything, with a login of the forum. */
export const admin: Headers = { authorization: 'Bearer demo-admin', 'x-forum-authorization': 'Basic ZGVtbzpkZW1v' };

export type Ask = (query: string, headers?: Headers) => Promise<Result>;

/** Runs operations at this address. */
export function asker(url: string): Ask {
  return async (query, headers = admin) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    const { data = null, errors = [] } = await response.json();
    return { data, errors };
  };
}

/** The codes of the errors, each with where it happened. */
export function codes({ errors }: Result): [unknown, string | undefined][] {
  return errors.map(({ extensions, path }) => [extensions['code'], path?.join('.')]);
}

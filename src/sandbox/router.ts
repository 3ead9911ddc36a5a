import { type BodyFormat, jsonBodyFormat } from './body.ts';
import { badRequest, type HttpResponse, methodNotAllowed, notFound } from './responses.ts';

type Strings = Readonly<Record<string, string>>;

/** What a handler is given. `Name` are the names of the path's parameters. */
export interface Request<Name extends string = string> {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: Strings;
  /** By lower-case name. */
  readonly headers: Strings;
  /** The address that the request came from. */
  readonly address: string;
  /** Undefined when none was sent. */
  readonly body: unknown;
}

/** `'id'` of `'GET /account/api_tokens/:id.json'`. */
type NamesIn<Pattern extends string> = Pattern extends `${string}/:${infer Rest}`
  ? NameOf<Rest> | NamesIn<Rest>
  : never;
type NameOf<Text extends string> = Text extends `${infer Head}/${string}`
  ? NameOf<Head>
  : Text extends `${infer Head}.${string}`
    ? Head
    : Text;

/** What holds for all endpoints of an API. */
interface Manner {
  /** Default: JSON. */
  readonly bodies?: BodyFormat;
  /** Refuses a caller, before the body is read. Default: that is up to each endpoint. */
  readonly admit?: (request: Pick<Request, 'headers'>) => void;
}

type Segment = { readonly literal: string } | { readonly name: string; readonly suffix: string };

interface Route extends Required<Manner> {
  readonly pattern: string;
  readonly method: string;
  readonly path: string;
  readonly segments: readonly Segment[];
  /** Parameters that the query must hold with exactly these values. */
  readonly query: readonly (readonly [string, string])[];
  readonly handle: (request: Request) => HttpResponse;
}

/** A route that fits a request, the values of its path's parameters filled in. */
interface Match extends Required<Manner> {
  readonly path: string;
  readonly params: Strings;
  readonly handle: (request: Request) => HttpResponse;
}

/**
 * The endpoints of one API. A pattern reads like the API's own table:
 * `GET /account/api_tokens/:id.json`, or with a fixed query `GET /account/api_tokens.json?for_account=yes`.
 */
export class Router {
  readonly #routes: Route[] = [];
  readonly #manner: Required<Manner>;

  constructor({ bodies = jsonBodyFormat, admit = () => {} }: Manner = {}) {
    this.#manner = { bodies, admit };
  }

  /** The endpoints of several APIs on one origin. */
  static of(...routers: readonly Router[]): Router {
    const together = new Router();
    together.#routes.push(...routers.flatMap((router) => router.#routes));
    return together;
  }

  /** In the order in which they were added. */
  get patterns(): readonly string[] {
    return this.#routes.map((route) => route.pattern);
  }

  on<Pattern extends string>(pattern: Pattern, handler: (request: Request<NamesIn<Pattern>>) => HttpResponse): this {
    const [method = '', path = ''] = pattern.split(' ');
    const [pathname = '', query = ''] = path.split('?');
    this.#routes.push({
      pattern,
      method,
      path,
      segments: pathname.split('/').map(segment),
      query: [...new URLSearchParams(query)],
      handle: handler,
      ...this.#manner,
    });
    return this;
  }

  /**
   * The most specific route for a request: a literal path wins over a parameter, a fixed query over
   * none. Without one this throws 404, or 405 when the path is known with another method.
   */
  match(method: string, path: string, query: Strings): Match {
    const segments = path.split('/').map(decoded);
    const fitting = this.#routes
      .filter((route) => route.query.every(([name, value]) => query[name] === value))
      .flatMap((route) => {
        const params = paramsOf(route, segments);
        return params ? [{ ...route, params }] : [];
      })
      .toSorted((one, other) => literals(other) - literals(one) || other.query.length - one.query.length);
    if (fitting.length === 0) throw notFound();

    const best = fitting.find((route) => route.method === method);
    if (!best) throw methodNotAllowed([...new Set(fitting.map((route) => route.method))]);
    return best;
  }
}

function segment(text: string): Segment {
  const [, name, suffix] = /^:(\w+)(.*)$/.exec(text) ?? [];
  return name === undefined || suffix === undefined ? { literal: text } : { name, suffix };
}

/** Decoded after the path was split, so that an encoded slash stays inside its segment. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('malformed path');
  }
}

function paramsOf(route: Route, segments: readonly string[]): Strings | null {
  if (route.segments.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of route.segments.entries()) {
    const actual = segments[index] ?? '';
    if ('literal' in expected) {
      if (actual !== expected.literal) return null;
    } else {
      if (!actual.endsWith(expected.suffix)) return null;
      params[expected.name] = actual.slice(0, actual.length - expected.suffix.length);
    }
  }
  return params;
}

function literals({ segments }: Route): number {
  return segments.filter((expected) => 'literal' in expected).length;
}

import type { RequestedRoute, ResponseTransform } from './answers.ts';
import { type BodyFormat, jsonBodyFormat } from './body.ts';
import { badRequest, type HttpResponse, methodNotAllowed, notFound } from './responses.ts';

type StringMap = Readonly<Record<string, string>>;

/** The request that a handler receives. `Name` is the union of the path's parameter names. */
export interface Request<Name extends string = string> {
  readonly params: Readonly<Record<Name, string>>;
  readonly query: StringMap;
  /** Headers by lower-case name. */
  readonly headers: StringMap;
  /** The IP address of the client. */
  readonly address: string;
  /** The parsed body, undefined when none was sent. */
  readonly body: unknown;
}

/** `'id'` of `'GET /account/api_tokens/:id.json'`. */
type ParamNames<Pattern extends string> = Pattern extends `${string}/:${infer Rest}`
  ? ParamName<Rest> | ParamNames<Rest>
  : never;
type ParamName<Text extends string> = Text extends `${infer Head}/${string}`
  ? ParamName<Head>
  : Text extends `${infer Head}.${string}`
    ? Head
    : Text;

/** Options of all routes of an API. */
interface ApiOptions {
  /** Default: JSON. */
  readonly bodyFormat?: BodyFormat;
  /** Rejects an unauthenticated request before its body is parsed. By default each handler authenticates. */
  readonly authenticate?: (request: Pick<Request, 'headers'>) => void;
  /** Turns every response of a matching route, a refusal too, into the one that is sent. By default it is sent as it is. */
  readonly transform?: ResponseTransform;
}

type Segment = { readonly literal: string } | { readonly name: string; readonly suffix: string };

interface Route extends Required<ApiOptions> {
  readonly pattern: string;
  readonly method: string;
  readonly path: string;
  readonly segments: readonly Segment[];
  /** Parameters that the query must hold with exactly these values. */
  readonly query: readonly (readonly [string, string])[];
  readonly handle: (request: Request) => HttpResponse;
}

/** A matching route, with the values of the path's parameters. */
interface RouteMatch extends Required<ApiOptions>, RequestedRoute {
  readonly params: StringMap;
  readonly handle: (request: Request) => HttpResponse;
}

/**
 * The endpoints of one API. A pattern reads like the API's own table:
 * `GET /account/api_tokens/:id.json`, or with a fixed query `GET /account/api_tokens.json?for_account=yes`.
 */
export class Router {
  readonly #routes: Route[] = [];
  readonly #options: Required<ApiOptions>;

  constructor({
    bodyFormat = jsonBodyFormat,
    authenticate = () => {},
    transform = (_route, response) => response,
  }: ApiOptions = {}) {
    this.#options = { bodyFormat, authenticate, transform };
  }

  /** Combines the routes of several APIs for one origin. */
  static combine(...routers: readonly Router[]): Router {
    const combined = new Router();
    combined.#routes.push(...routers.flatMap((router) => router.#routes));
    return combined;
  }

  /** The patterns of all routes, in the order in which they were added. */
  get patterns(): readonly string[] {
    return this.#routes.map((route) => route.pattern);
  }

  on<Pattern extends string>(pattern: Pattern, handler: (request: Request<ParamNames<Pattern>>) => HttpResponse): this {
    const [method = '', path = ''] = pattern.split(' ');
    const [pathname = '', query = ''] = path.split('?');
    this.#routes.push({
      pattern,
      method,
      path,
      segments: pathname.split('/').map(parseSegment),
      query: [...new URLSearchParams(query)],
      handle: handler,
      ...this.#options,
    });
    return this;
  }

  /**
   * The most specific route for a request: a literal path wins over a parameter, a fixed query over
   * none. Without one this throws 404, or 405 when the path is known with another method.
   */
  match(method: string, path: string, query: StringMap): RouteMatch {
    const segments = path.split('/').map(decodeSegment);
    const candidates = this.#routes
      .filter((route) => route.query.every(([name, value]) => query[name] === value))
      .flatMap((route) => {
        const params = matchParams(route, segments);
        return params ? [{ ...route, params }] : [];
      })
      .toSorted((one, other) => countLiterals(other) - countLiterals(one) || other.query.length - one.query.length);
    if (candidates.length === 0) throw notFound();

    const best = candidates.find((route) => route.method === method);
    if (!best) throw methodNotAllowed([...new Set(candidates.map((route) => route.method))]);
    return best;
  }
}

function parseSegment(text: string): Segment {
  const [, name, suffix] = /^:(\w+)\b(.*)$/.exec(text) ?? [];
  return name === undefined || suffix === undefined ? { literal: text } : { name, suffix };
}

/** Decodes one segment. The path was split before, so an encoded slash stays inside its segment. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('malformed path');
  }
}

function matchParams(route: Route, segments: readonly string[]): StringMap | null {
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

function countLiterals({ segments }: Route): number {
  return segments.filter((expected) => 'literal' in expected).length;
}

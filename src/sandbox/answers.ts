import type { HttpResponse } from './responses.ts';

/**
 * The ways in which the sandbox answers. The documents allow all of them; `full` is the default.
 *
 * - `lean`: a record holds only documented keys; ids are texts; an empty value is null or missing in turn; the keys are
 *   in reverse order; each record has an unknown key.
 * - `wrapped`: a record is inside the key that its request has, a list inside the plural of that key. Every second list is
 *   bare, with each of its records inside the key. The forum answers as in `full`.
 * - `bare:204`, `bare:ok`, `bare:status`: a write answers without a record.
 * - `bare:wrapped`: a write answers the record inside the key that its request has.
 * - `bare:refused-200`: a refused write answers with the status 200.
 */
export const answerModes = [
  'full',
  'lean',
  'wrapped',
  'bare:204',
  'bare:ok',
  'bare:status',
  'bare:wrapped',
  'bare:refused-200',
] as const;
export type AnswerMode = (typeof answerModes)[number];

export function isAnswerMode(text: string): text is AnswerMode {
  return answerModes.some((mode) => mode === text);
}

/** The route of a request: its method, and its path as in the API's table, with a fixed query where it has one. */
export interface RequestedRoute {
  readonly method: string;
  readonly path: string;
}

/** Turns the full response of a route into the one that is sent. */
export type ResponseTransform = (route: RequestedRoute, response: HttpResponse) => HttpResponse;

/** A body and its headers, without a status. */
export type Content = Pick<HttpResponse, 'headers' | 'body'>;

/** How one API writes the modes that concern its bodies. */
export interface AnswerFormat {
  /** Whether a request to the route writes. */
  readonly isWrite: (route: RequestedRoute) => boolean;
  /** The content of `lean`, of a response that succeeded. */
  readonly lean: ResponseContent;
  /** The content of `bare:ok`. */
  readonly ok: Content;
  /** The content of `bare:status`. */
  readonly status: Content;
  /** The content of `wrapped` and `bare:wrapped`, of a response that succeeded. Undefined where it holds no record. */
  readonly wrapped: (route: RequestedRoute, response: HttpResponse) => Content | undefined;
  /** The content of `bare:refused-200`. @param count how many refusals it wrote before */
  readonly refused: (response: HttpResponse, count: number) => Content;
}

type ResponseContent = (route: RequestedRoute, response: HttpResponse) => Content;

/** The refusals that `bare:refused-200` sends with the status 200. Not documented (A199): which they are. */
const refusals: readonly number[] = [400, 403, 409, 422];

/** Creates the transform of an API's responses for a mode. */
export function answerTransform(mode: AnswerMode, format: AnswerFormat): ResponseTransform {
  let refused = 0;
  const refusedUnder200: ResponseTransform = (_route, response) =>
    refusals.includes(response.status) ? withContent(response, 200, format.refused(response, refused++)) : response;
  const bare = (content: ResponseContent): ResponseTransform =>
    forSuccess((route, response) => withContent(response, statusWithBody(response), content(route, response)));
  const transforms: Readonly<Record<AnswerMode, ResponseTransform>> = {
    full: (_route, response) => response,
    lean: forSuccess((route, response) => withContent(response, response.status, format.lean(route, response))),
    wrapped: forSuccess((route, response) =>
      withContent(response, response.status, format.wrapped(route, response) ?? response),
    ),
    'bare:204': forSuccess((_route, response) => withContent(response, 204, { headers: {}, body: '' })),
    'bare:ok': bare(() => format.ok),
    'bare:status': bare(() => format.status),
    'bare:wrapped': bare((route, response) => format.wrapped(route, response) ?? format.status),
    'bare:refused-200': refusedUnder200,
  };
  const transform = transforms[mode];
  const concerns = mode.startsWith('bare:') ? format.isWrite : () => true;
  return (route, response) => (concerns(route) ? transform(route, response) : response);
}

function forSuccess(transform: ResponseTransform): ResponseTransform {
  return (route, response) => (response.status < 300 ? transform(route, response) : response);
}

/** A response with 204 has no body: one with a body has 200. */
function statusWithBody({ status }: HttpResponse): number {
  return status === 204 ? 200 : status;
}

/** Replaces the status and the content of a response. Its headers but the type of the content stay: cookies. */
function withContent({ headers: before }: HttpResponse, status: number, { headers, body }: Content): HttpResponse {
  const kept = Object.entries(before).filter(([name]) => name !== 'Content-Type');
  return { status, headers: { ...Object.fromEntries(kept), ...headers }, body };
}

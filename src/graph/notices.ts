import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { withoutStackTrace } from '../execution/stack-traces.ts';
import type { GatewayError } from '../errors.ts';

type ResponsePath = readonly (string | number)[];

/** A response, or a deferred fragment or a streamed row with its path in the response. */
interface DeliveredResult {
  readonly path?: ResponsePath | undefined;
  readonly data?: unknown;
  readonly items?: unknown;
}

/** The request header by which a caller asks for `extensions.notSent`. Its value is `1`. */
export const NOT_SENT_HEADER = 'x-trivium-not-sent';

/** The most paths that `extensions.notSent` lists. */
const MAX_PATHS = 10_000;

/** The statements of one response beside its data: errors of fields with a value, and values that upstream did not send. */
export class Notices {
  readonly #wantsNotSent: boolean;
  /** The places of each error. Made by the first error: most operations report none. */
  #reported: Map<GatewayError, WeakSet<object>> | undefined;
  #errors: GraphQLError[] = [];
  #notSent: ResponsePath[] = [];

  /** @param wantsNotSent whether the caller asks for the paths of values that upstream did not send */
  constructor(wantsNotSent: boolean) {
    this.#wantsNotSent = wantsNotSent;
  }

  /** Adds an error to a field that has a value. Each error is added once per `place`: the field, or the page that its fields share. */
  report(error: GatewayError, { fieldNodes, path }: GraphQLResolveInfo, place: object): void {
    this.#reported ??= new Map();
    const places = this.#reported.get(error) ?? new WeakSet();
    if (places.has(place)) return;
    this.#reported.set(error, places.add(place));
    const nodes = [...fieldNodes];
    const options = { nodes, path: responsePathAsArray(path), originalError: error };
    this.#errors.push(withoutStackTrace(() => new GraphQLError(error.message, options))); // there may be thousands
  }

  /** Notes that a field is null because upstream did not send its value. */
  notSent({ path }: GraphQLResolveInfo): void {
    if (this.#wantsNotSent && this.#notSent.length < MAX_PATHS) this.#notSent.push(responsePathAsArray(path));
  }

  /**
   * The errors of fields that a result holds, each once: those of other fields stay until theirs is delivered.
   *
   * @param isLast whether no other result follows, so that all are taken
   */
  takeErrors(result: DeliveredResult, isLast = false): readonly GraphQLError[] {
    if (this.#errors.length === 0) return this.#errors; // as in most operations
    const isTaken = ({ path = [] }: GraphQLError) => isLast || holds(result, path);
    const taken = this.#errors.filter(isTaken);
    this.#errors = this.#errors.filter((error) => !isTaken(error));
    return taken;
  }

  /** The paths since the last call. Undefined when the caller does not ask for them. */
  takeNotSent(): readonly ResponsePath[] | undefined {
    if (!this.#wantsNotSent) return undefined;
    const paths = this.#notSent;
    this.#notSent = [];
    return paths;
  }
}

/** Whether a result holds the field at a path, or a null in its place or in that of an outer field. */
function holds({ path: start = [], data, items = data }: DeliveredResult, path: ResponsePath): boolean {
  if (start.some((key, index) => key !== path[index])) return false;
  let value: unknown = Array.isArray(items) ? items[0] : items; // the executor streams row by row
  for (const key of path.slice(start.length)) {
    if (value === null || !Object.hasOwn(Object(value), key)) return value === null;
    value = Reflect.get(Object(value), key);
  }
  return value !== undefined;
}

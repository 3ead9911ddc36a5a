import { z } from 'zod';
import { describeIssue, exactObject, quote } from '../issues.ts';
import { nearest } from '../nearest.ts';
import { badRequest } from '../responses.ts';
import type { Router } from '../router.ts';

const maxDelayMs = 60_000;
const maxTimes = 1_000_000;

/** A whole number in a range. */
const wholeNumber = (from: number, to: number) => {
  const message = `must be a whole number from ${from} to ${to}`;
  return z.int(message).min(from, message).max(to, message).exactOptional();
};

const faultInput = exactObject({
  endpoint: z.string('must be a string such as "GET /app/clients.json"'),
  status: wholeNumber(400, 599),
  delayMs: wholeNumber(1, maxDelayMs),
  cut: z.literal(true, 'must be true').exactOptional(),
  applyThenCut: z.enum(['before-status', 'mid-body'], 'must be "before-status" or "mid-body"').exactOptional(),
  times: wholeNumber(1, maxTimes),
})
  .refine(
    ({ status, delayMs, cut, applyThenCut }) => (status ?? delayMs ?? cut ?? applyThenCut) !== undefined,
    'must have status, delayMs, cut or applyThenCut',
  )
  .refine(({ status, cut }) => status === undefined || cut === undefined, 'must not have both status and cut')
  .refine(
    ({ status, applyThenCut }) => status === undefined || applyThenCut === undefined,
    'must not have both status and applyThenCut: with status the request is not carried out',
  )
  .refine(
    ({ cut, applyThenCut }) => cut === undefined || applyThenCut === undefined,
    'must not have both cut and applyThenCut: with cut the request is not carried out',
  );

/** How the requests to an endpoint fail. With `times` the next ones only, without it all until the fault is removed. */
export type Fault = z.infer<typeof faultInput>;

/** The faults that are set: one for an endpoint, so never more than there are endpoints. */
export class Faults {
  /** Every endpoint of every API, as its router names it: `GET /app/clients/:id.json`. */
  readonly endpoints: readonly string[];
  readonly #routers: readonly Router[];
  readonly #faults = new Map<string, Fault>();

  constructor(routers: readonly Router[]) {
    this.#routers = routers;
    this.endpoints = routers.flatMap((router) => router.patterns);
  }

  get all(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  /**
   * Sets a fault, in place of the one that its endpoint had.
   *
   * @param body the body of a request
   * @throws HttpError 400 that says what is wrong
   */
  set(body: unknown): Fault {
    const { data, error } = faultInput.safeParse(body ?? {});
    if (error) throw badRequest(error.issues.map((issue) => describeIssue(issue, 'the fault')).join('; '));
    if (!this.endpoints.includes(data.endpoint)) throw badRequest(this.#unknownEndpoint(data.endpoint));
    this.#faults.set(data.endpoint, data);
    return data;
  }

  /** The fault that the next request to an endpoint meets. It counts as met. */
  take(endpoint: string): Fault | undefined {
    const fault = this.#faults.get(endpoint);
    if (fault?.times === 1) this.#faults.delete(endpoint);
    else if (fault?.times !== undefined) this.#faults.set(endpoint, { ...fault, times: fault.times - 1 });
    return fault;
  }

  clear(): void {
    this.#faults.clear();
  }

  #unknownEndpoint(endpoint: string): string {
    const suggested = this.#endpointOfPath(endpoint) ?? nearest(endpoint, this.endpoints) ?? '';
    return `there is no endpoint ${quote(endpoint)}: the nearest is ${quote(suggested)}, GET /sandbox/faults lists all`;
  }

  /** The endpoint of a method and a path with values in it: `GET /app/clients/7.json`. */
  #endpointOfPath(text: string): string | undefined {
    const [, method = '', path = ''] = /^([A-Z]+) (\/[^?\s]*)$/.exec(text.slice(0, 1000)) ?? [];
    const matches = this.#routers.flatMap((router) => {
      try {
        const match = router.match(method, path, {});
        return [`${match.method} ${match.path}`];
      } catch {
        return []; // no endpoint of this API
      }
    });
    return matches.find((endpoint) => !endpoint.endsWith('/:category_name'));
  }
}

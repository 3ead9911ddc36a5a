import type { ByteLimit } from './messages.ts';
import type { Call } from './call.ts';
import type { Path } from './path.ts';

/** A call under way that identical reads may join, and its parsed response. */
export interface SharedRead<Body> {
  readonly call: Call;
  /** The body, once somebody has begun to parse it: parsing empties the response. A promise for one that takes long. */
  parsed: { readonly body: Body | Promise<Body> } | undefined;
}

/** Finds the calls that the reads of one caller may join. */
export interface ReadSharing<Body> {
  /**
   * Returns the call of an identical read that is under way, else the one that `start` starts.
   *
   * @param start takes a function to call when the call is over: nobody may join it then
   * @returns undefined when this read must have a call of its own
   */
  find(
    request: { readonly path: Path },
    limit: ByteLimit,
    start: (onOver: () => void) => Call,
  ): SharedRead<Body> | undefined;
}

/** One of the upstream APIs: what errors call it, and which setting and which header concern it. */
export interface Api {
  readonly name: string;
  /** The setting that holds its base address. */
  readonly setting: string;
  /** The request header that carries the caller's credential. */
  readonly credential: string;
}

/** One of the upstream APIs: what errors call it, and which setting concerns it. */
export interface Api {
  readonly name: string;
  /** The setting that holds its base address. */
  readonly setting: string;
}

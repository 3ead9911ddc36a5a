/** An upstream API as errors and settings name it. */
export interface Api {
  readonly name: string;
  /** The setting that holds its base address. */
  readonly setting: string;
  /** A sentence that completes the error of a credential that it refuses. */
  readonly credentialHint?: string | undefined;
}

/** A response body as it came, and the headers that describe it. */
export interface Body {
  /** Used up by being parsed. */
  readonly body: Uint8Array[];
  readonly contentType: string;
  readonly contentEncoding: string;
}

/** How the bodies of one API are written and read. */
export interface Format<Parsed> {
  /** Media type of what is asked for. */
  readonly accept: string;
  /** Content type of what is sent. */
  readonly contentType: string;
  encode(body: unknown): string;
  /** @throws BadResponseError for what cannot be an answer of the API. `setting` holds its address. */
  parse(answer: Body, setting: string): Parsed | Promise<Parsed>;
  /** What an answer to a write without any body stands for. */
  parseNothing(): Parsed;
  /** What a refusal says, as JSON would say it; undefined where it says nothing that can be read. */
  parseRefusal(answer: Body, setting: string): unknown;
  /** Looks at an answer that nobody needs: a web page would mean that the API was never reached. */
  assertNotWebPage(answer: Body, setting: string): void;
}

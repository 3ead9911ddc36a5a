/** A response body as it was received, and the headers that describe it. */
export interface Body {
  /** The chunks. Parsing may empty the array. */
  readonly body: Uint8Array[];
  readonly contentType: string;
  /** The coding of the body. Of one that was unpacked it is empty. */
  readonly contentEncoding: string;
}

/** Takes note of memory, in bytes. @throws GatewayError where there is not enough of it */
export type Hold = (bytes: number) => void;

/** Encodes and parses the bodies of one API. */
export interface Format<Parsed> {
  /** The `Accept` header of a request. */
  readonly accept: string;
  /** The `Content-Type` header of a request with a body. */
  readonly contentType: string;
  encode(body: unknown): string;
  /**
   * Parses a response body.
   *
   * @param setting the setting that holds the API's address; named when a web page answers
   * @param hold takes note of the memory of what is parsed next, in bytes, and throws where there is not enough
   * @throws BadResponseError for a body that cannot be an answer of the API
   */
  parse(answer: Body, setting: string, hold?: Hold): Parsed | Promise<Parsed>;
  /** Parses the body of a refusal into the shape that JSON has. Undefined when it cannot be read. */
  parseRefusal(answer: Body, setting: string): unknown;
  /** Finds the text under a key in a body that cannot be parsed. Returns an object of them; undefined without exactly one. */
  salvage(answer: Body, key: string): Parsed | undefined;
  /** Converts a parsed body into the shape that a refusal has in JSON, for a refusal under a status of success. */
  refusalIn(body: Parsed): unknown;
  /**
   * Checks a response whose body is not used.
   *
   * @throws BadResponseError for a web page: the API itself was not reached
   */
  assertNotWebPage(answer: Body, setting: string): void;
}

/** Characters that need no encoding in a segment of a path, and lead nowhere else. */
const PLAIN_SEGMENT = /^[\w-]{1,500}$/;

// The path must fit its template for every reader on the way. Some decode it twice, resolve dot segments, or cut a segment at
// a semicolon; control characters end a line or a string somewhere.
const UNSAFE_SEGMENT = /^\.{0,2}(?:;|$)|[/\\?#]|%[\da-f]{2}|\p{Cc}/iu;
const MAX_SEGMENT_LENGTH = 500;

/** Whether a text is a segment of a path as it is. */
export function isPlainSegment(text: string): boolean {
  return PLAIN_SEGMENT.test(text);
}

/** Whether a text can be a segment of a path, once it is encoded, without leading to another endpoint. */
export function canBeSegment(text: string): boolean {
  if (PLAIN_SEGMENT.test(text)) return true;
  return !UNSAFE_SEGMENT.test(text) && text.length <= MAX_SEGMENT_LENGTH && text.isWellFormed();
}

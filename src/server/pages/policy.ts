import { createHash } from 'node:crypto';

/** Allows a page nothing, not even to be shown in the frame of another page. */
export const NOTHING =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Names an inline script or style in a `Content-Security-Policy`. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

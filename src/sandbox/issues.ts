import { z } from 'zod';
import { nearest } from './nearest.ts';

/** An object with these fields and no other. An unknown field is named, together with the nearest known one. */
export function exactObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, ...issue }) =>
      code === 'unrecognized_keys' && 'keys' in issue ? unknownFields(issue.keys, known) : 'must be an object',
  });
}

/** Says that fields are unknown, and what the known ones are. */
export function unknownFields(unknown: unknown, known: readonly string[]): string {
  const [field = ''] = Array.isArray(unknown) ? unknown.map(String) : [];
  const advice =
    known.length <= 12 ? `it takes ${list(known)}` : `the nearest that it takes is ${nearest(field, known)}`;
  return `has the unknown field ${quote(field)}: ${advice}`;
}

/** One problem in words: `clients[3].name must be a string`. */
export function describeIssue(
  { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
  root: string,
): string {
  return `${path.length === 0 ? root : pathText(path)} ${message}`;
}

/** A path as JavaScript writes it: `clients[3].name`. It may hold a key of somebody's file: an odd one is quoted. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const place = text.replace(/^\./, '');
  return /^[\w.[\]-]{1,200}$/.test(place) ? place : quote(place);
}

/** A text in quotes, on one line and not too long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

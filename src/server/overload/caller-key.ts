import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config.ts';
import { addressOf } from '../request.ts';

/** A prime number below 2 ** 32. */
const PRIME = 4_294_967_291;

/** A secret, so that nobody outside knows which callers have the same number. Its product with a number below PRIME is exact. */
const FACTOR = randomInt(2 ** 16, 2 ** 20);

/**
 * A number that stands for the caller of a request: its credential, or its address when it has none. Neither can be told from
 * the number. Different callers may have the same one.
 */
export function callerKey(request: IncomingMessage, config: Config): number {
  const { headers } = request;
  const credential = headers.authorization ?? headers['x-crm-token'] ?? headers['x-forum-authorization'];
  return hash(credential?.toString() ?? addressOf(request, config));
}

/** The text as digits of a number, modulo a prime. */
function hash(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (sum * FACTOR + text.charCodeAt(index)) % PRIME;
  return sum;
}

import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from './config.ts';

/** A text that stands for another one, from which nobody without the secret can tell it: 22 characters of base64url. */
export type KeyedHash = (text: string) => string;

/** Creates the hash with HASH_SECRET as its key; without the setting, with a random one of this process. */
export function keyedHash({ HASH_SECRET }: Config): KeyedHash {
  const secret = HASH_SECRET?.reveal() ?? randomBytes(32);
  return (text) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22); // 132 bits
}

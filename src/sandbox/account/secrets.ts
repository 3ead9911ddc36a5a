import { createHash, createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** A raw token value that nobody can guess. */
export function newSecret(): string {
  return randomBytes(20).toString('hex');
}

/** What is stored in a raw value's place. It is random enough for a plain hash to do. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * The masked fragment that later reads show.
 * Not documented: its form. It gives away at most a quarter of the value, and never more than eight characters.
 */
export function maskSecret(secret: string): string {
  const shown = Math.min(4, Math.floor(secret.length / 8));
  return `${secret.slice(0, shown)}…${secret.slice(secret.length - shown)}`;
}

/** What is stored in a password's place: a salt and a hash that is slow to guess. */
export function passwordHash(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${scryptSync(password, salt, 32).toString('hex')}`;
}

/** The hashes of passwords that are no secret. */
const publicPasswordHashes = new Map<string, string>();

/** The same for a password that is no secret, as those of the demo: its users share one hash, which is made once. */
export function publicPasswordHash(password: string): string {
  const known = publicPasswordHashes.get(password);
  if (known !== undefined) return known;
  const hash = passwordHash(password);
  publicPasswordHashes.set(password, hash);
  return hash;
}

/** Digests of what was verified, so that not each request is slow. Without the key, which ends with the process, they tell nothing. */
const verifiedProofs = new Set<string>();
const proofKey = randomBytes(32);

/** Whether a password is the one that `passwordHash` made this of. */
export function verifyPassword(password: string, stored: string): boolean {
  const proof = createHmac('sha256', proofKey).update(`${stored}:${password}`).digest('hex');
  if (verifiedProofs.has(proof)) return true;
  const [salt = '', hash = ''] = stored.split(':');
  const expected = Buffer.from(hash, 'hex');
  const matches = timingSafeEqual(scryptSync(password, salt, expected.length), expected);
  if (matches) verifiedProofs.add(proof);
  return matches;
}

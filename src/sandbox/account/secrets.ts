import { createHash, createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Creates a random token: 40 hexadecimal digits. */
export function newSecret(): string {
  return randomBytes(20).toString('hex');
}

/** The SHA-256 digest under which a token is stored. Tokens are random, so they need no salt. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * The masked fragment that later reads show.
 * Not documented (A31): its form. It gives away at most a quarter of the value, and never more than eight characters.
 */
export function maskSecret(secret: string): string {
  const shown = Math.min(4, Math.floor(secret.length / 8));
  return `${secret.slice(0, shown)}…${secret.slice(secret.length - shown)}`;
}

/**
 * The cost of hashes of passwords (`N` of scrypt), an eighth of Node's default: a request with a new password takes 5 ms
 * and not 40. The passwords of a sandbox are made up for tests, and it listens on this machine alone unless told otherwise.
 */
const HASH_COST = 2048;

/** The cost of the hashes that name none, in data files that an earlier version wrote. */
const UNNAMED_COST = 16_384;

/** Hashes a password with scrypt and a random salt: `salt:hash:cost`. */
export function passwordHash(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${scryptSync(password, salt, 32, { N: HASH_COST }).toString('hex')}:${HASH_COST}`;
}

/** Cached hashes of passwords that are no secret. */
const publicPasswordHashes = new Map<string, string>();

/** Hashes a password that is no secret, such as the demo's. The hash is computed once and shared by all users. */
export function publicPasswordHash(password: string): string {
  const known = publicPasswordHashes.get(password);
  if (known !== undefined) return known;
  const hash = passwordHash(password);
  publicPasswordHashes.set(password, hash);
  return hash;
}

/** Digests of verified passwords, so that only the first request is slow. They are keyed by a secret of this process. */
const verifiedProofs = new Set<string>();
const proofKey = randomBytes(32);

/** Compares a password with a hash made by `passwordHash`. */
export function verifyPassword(password: string, stored: string): boolean {
  const proof = createHmac('sha256', proofKey).update(`${stored}:${password}`).digest('hex');
  if (verifiedProofs.has(proof)) return true;
  const [salt = '', hash = '', cost = UNNAMED_COST] = stored.split(':');
  const expected = Buffer.from(hash, 'hex');
  const matches = timingSafeEqual(scryptSync(password, salt, expected.length, { N: Number(cost) }), expected);
  if (matches) verifiedProofs.add(proof);
  return matches;
}

const MAJOR = 20;
const MINOR = 19;

/**
 * Tells that this version of Node is too old.
 *
 * @param version such as `18.20.8`
 * @returns one line, or undefined for a version that is new enough
 */
export function oldNodeMessage(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return undefined;
  return `trivium needs Node ${MAJOR}.${MINOR} or newer; this is ${version}`;
}

import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { ListenOptions } from 'node:net';

/** The version of the package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('trivium/package.json');
  return manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : 'unknown';
}

/** The code of an error of Node or of the system, such as `ENOENT`. Undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The number of lines that could not be written to a standard stream since the start of this process. */
export const droppedLines = { count: 0 };

/**
 * Listens on an address.
 *
 * @returns the base URL without a trailing slash, such as `http://127.0.0.1:4000`
 * @throws the error of Node when the port cannot be had
 */
export async function listen(server: Server, options: ListenOptions, scheme: 'http' | 'https'): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no address.');
  return `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

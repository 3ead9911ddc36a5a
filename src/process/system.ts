import { createRequire } from 'node:module';

/** The version of the package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('trivium/package.json');
  return manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : 'unknown';
}

/** The code of an error of Node or of the system, such as `ENOENT`. Undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

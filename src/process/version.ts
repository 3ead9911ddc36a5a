import { createRequire } from 'node:module';

/** The version of the package. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('trivium/package.json');
  return manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : 'unknown';
}

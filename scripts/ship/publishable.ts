// npm runs it before it publishes: docs/releasing.md.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { obstacles } from './releases.ts';

const manifest = z
  .object({ version: z.string(), repository: z.unknown().optional() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const found = obstacles(manifest, readFileSync('CHANGELOG.md', 'utf8'));
for (const obstacle of found) console.error(obstacle);
process.exitCode = found.length === 0 ? 0 : 1;

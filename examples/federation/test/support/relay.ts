import { composeServices } from '@theguild/federation-composition';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Subgraphs } from '../../src/graph.ts';

const compiler = fileURLToPath(new URL('../../node_modules/relay-compiler/cli.js', import.meta.url));

/** What Relay's compiler makes of a module of a web app over the graph: the text of each operation, by its name. */
export async function compiled(graph: Subgraphs, source: string): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { trivium, billing, reviews, nodes } = graph;
  const services = [trivium, billing, reviews, nodes].map(({ name, url, sdl }) => ({
    name,
    url,
    typeDefs: parse(sdl),
  }));
  const { publicSdl = '' } = composeServices(services);
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'schema.graphql'), publicSdl);
  await writeFile(join(folder, 'src', 'Balance.ts'), source);
  const config = { src: './src', schema: './schema.graphql', language: 'typescript', artifactDirectory: './made' };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  await mkdir(join(folder, 'made'));
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
  const operations = new Map<string, string>();
  for (const file of await readdir(join(folder, 'made'))) {
    const [, text] = /"text": (".*")/.exec(await readFile(join(folder, 'made', file), 'utf8')) ?? [];
    if (text !== undefined) operations.set(file.replace('.graphql.ts', ''), z.string().parse(JSON.parse(text)));
  }
  return operations;
}

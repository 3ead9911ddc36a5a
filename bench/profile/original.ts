import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A place in a file that was executed: lines and columns from 0. */
export interface Place {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

const sourceMap = z.object({
  version: z.number(),
  file: z.string().default(''),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(''),
});

/** Creates a function that finds the source file of a place in a bundle. Other files are their own source. */
export function sourceFinder(): (place: Place) => string {
  const maps = new Map<string, SourceMap | undefined>();
  return ({ url, lineNumber, columnNumber }) => {
    if (!maps.has(url)) maps.set(url, mapOf(url));
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    return entry && 'originalSource' in entry ? new URL(entry.originalSource, url).href : url;
  };
}

function mapOf(url: string): SourceMap | undefined {
  const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
  return existsSync(file) ? new SourceMap(sourceMap.parse(JSON.parse(readFileSync(file, 'utf8')))) : undefined;
}

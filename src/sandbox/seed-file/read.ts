import { readFileSync, statSync } from 'node:fs';
import { describeIssue } from '../issues.ts';
import { parseJson } from '../json-text.ts';
import { migrations } from '../migrations.ts';
import { demoCallers } from '../seed.ts';
import type { Seed } from '../seeding.ts';
import type { SandboxServices } from '../services.ts';
import { Store } from '../store.ts';
import { findConflicts } from './check.ts';
import { SeedFileError } from './error.ts';
import { fillFrom } from './fill.ts';
import { type SeedDocument, seedDocument } from './shape.ts';

const maxBytes = 20 * 1024 * 1024;

/**
 * Reads a seed file.
 *
 * @throws SeedFileError when it cannot be read, or is not as it must be
 */
export function readSeedFile(file: string): Seed {
  const refuse = (problem: string): never => {
    throw new SeedFileError(`The seed file ${JSON.stringify(file)} cannot be used: ${problem}.`);
  };
  return seedOf(parseText(readText(file, refuse), refuse), 'the file', refuse);
}

/**
 * Reads the content of a seed file that a request has as its body.
 *
 * @throws SeedFileError when it is not as it must be
 */
export function readSeed(content: unknown): Seed {
  return seedOf(content, 'the body', (problem) => {
    throw new SeedFileError(`The seed cannot be used: ${problem}.`);
  });
}

type Refuse = (problem: string) => never;

function seedOf(content: unknown, name: string, refuse: Refuse): Seed {
  const document = parseDocument(content, name, refuse);
  const fill = (services: SandboxServices) => {
    try {
      fillFrom(services, document);
    } catch (error) {
      if (error instanceof SeedFileError) refuse(error.message);
      throw error;
    }
  };
  return { callers: document.users ?? demoCallers, fill, check: (now) => tryToFill(fill, now) };
}

function readText(file: string, refuse: Refuse): string {
  try {
    if (statSync(file).size > maxBytes) return refuse('it is larger than 20 MB');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof SeedFileError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reasons: ReadonlyMap<string, string> = new Map([
      ['ENOENT', 'it does not exist'],
      ['EISDIR', 'it is a folder'],
      ['EACCES', 'it may not be read'],
      ['ERR_ENCODING_INVALID_ENCODED_DATA', 'it is not UTF-8'],
    ]);
    return refuse(reasons.get(code) ?? `it cannot be read (${code})`);
  }
}

function parseText(text: string, refuse: Refuse): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // The message may hold a part of the file: its position alone is shown.
    const [, position] = error instanceof Error ? (/ at position (\d+)/.exec(error.message) ?? []) : [];
    if (position === undefined) return refuse('it is not JSON');
    const before = text.slice(0, Number(position)).split('\n');
    return refuse(`it is not JSON: see line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`);
  }
}

function parseDocument(value: unknown, name: string, refuse: Refuse): SeedDocument {
  const { data, error } = seedDocument.safeParse(value);
  const issues = error ? error.issues : findConflicts(data);
  const [first] = issues;
  if (first) {
    const others = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`;
    return refuse(`${describeIssue(first, name)}${others}`);
  }
  return data ?? refuse('it is empty');
}

/** Fills a store that is thrown away. */
function tryToFill(fill: Seed['fill'], now: () => Date): void {
  const store = new Store();
  try {
    store.migrate(migrations);
    store.transaction(() => fill({ store, now }));
  } finally {
    store.close();
  }
}

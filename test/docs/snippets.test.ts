import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { fences, pagesOfDocs, read } from './pages.ts';

// Code on a page is an excerpt of a file that the tests run. A comment right before it names the file, by its path from the
// root, or the paragraph before it links it. examples.test.ts runs operations, and commands.test.ts knows the commands.

interface Snippet {
  readonly page: string;
  readonly number: number;
  readonly language: string;
  readonly code: string;
  /** The text of the page before it. */
  readonly before: string;
}

/** Fences that are no code: answers, and what programs print. */
const TEXTS = ['json', 'text', 'mermaid'];

/** Fences that other tests run. */
const RUN_ELSEWHERE = ['sh'];

const pages = ['README.md', 'CONTRIBUTING.md', 'kits/README.md', ...pagesOfDocs];

const snippets = pages.flatMap(snippetsOf).filter(({ language, code }) => {
  if (TEXTS.includes(language) || RUN_ELSEWHERE.includes(language)) return false;
  return language !== 'graphql' || !isOperation(code);
});

function snippetsOf(page: string): Snippet[] {
  const text = read(page);
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: code = '', index }, at) => {
    return { page, number: at + 1, language, code, before: text.slice(0, index) };
  });
}

function isOperation(code: string): boolean {
  try {
    return parse(code).definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  } catch {
    return false;
  }
}

/** The file that a comment or a link right before a snippet names, by its path from the root. */
function sourceOf({ page, before }: Snippet): string | undefined {
  const paragraph = before.trimEnd().split('\n\n').at(-1) ?? '';
  const named = /<!-- (\S+) -->$/.exec(paragraph)?.[1];
  if (named !== undefined) return named;
  const linked = [...paragraph.matchAll(/\]\(([^)#:]+)\)/g)].at(-1)?.[1];
  return linked === undefined ? undefined : normalize(join(dirname(page), linked));
}

/** The lines of a text without their indentation, and without empty ones. */
function lines(code: string): string[] {
  return code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

test('pages have code', () => {
  expect(new Set(snippets.map(({ page }) => page)).size).toBeGreaterThan(4);
});

describe.each(snippets)('$page, fence $number ($language)', (snippet) => {
  const source = sourceOf(snippet) ?? '';

  test('names a file that tests run', () => {
    expect(source).toMatch(/^(examples\/|kits\/|src\/|test\/|deploy\/|compose\.yaml$)/);
    expect(existsSync(source)).toBe(true);
  });

  test('is an excerpt of it', () => {
    expect(`\n${lines(read(source)).join('\n')}\n`).toContain(`\n${lines(snippet.code).join('\n')}\n`);
  });
});

test('each fence has a language', () => {
  expect(pages.flatMap(snippetsOf).filter(({ language }) => language === '')).toEqual([]);
  expect(fences('```ts\n1;\n```', 'ts')).toEqual(['1;\n']);
});

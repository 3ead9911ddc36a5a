import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { pagesOfDocs, prose, read } from './pages.ts';

const project = join(import.meta.dirname, '../..');
const atTheTop = readdirSync(project).filter((file) => file.endsWith('.md'));
const ofExamples = readdirSync(join(project, 'examples'))
  .map((name) => `examples/${name}/README.md`)
  .filter((file) => existsSync(join(project, file)));

/** The links of a page to files of the project, and to parts of pages. */
function linksOf(page: string): string[] {
  const targets = [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The file that a link names, from the root of the project, and the part of it. */
function resolved(page: string, link: string): { file: string; anchor: string | undefined } {
  const [path = '', anchor] = link.split('#');
  return { file: path === '' ? page : normalize(join(dirname(page), path)).replaceAll('\\', '/'), anchor };
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...prose(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each([...atTheTop, 'kits/README.md', ...ofExamples, ...pagesOfDocs])('every link of %s resolves', (page) => {
  const broken = linksOf(page).filter((link) => {
    const { file, anchor } = resolved(page, link);
    if (!existsSync(join(project, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });

  expect(broken).toEqual([]);
});

test.each(['README.md', 'docs/README.md'])('%s links every page of docs/', (index) => {
  const linked = linksOf(index).map((link) => resolved(index, link).file);
  const pages = pagesOfDocs.filter((page) => dirname(page) === 'docs' && page !== 'docs/README.md');

  expect(linked).toEqual(expect.arrayContaining(pages));
});

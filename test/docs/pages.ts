import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** The text of a file, by its path from the root of the project. */
export function read(file: string): string {
  return readFileSync(join(project, file), 'utf8');
}

/** The pages of docs/, each by its path from the root of the project: `docs/decisions/README.md`. */
export const pagesOfDocs = readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file.replaceAll('\\', '/')}`);

/** A page whose tables have no padding: a row is found whatever the width of its columns. */
export function unpadded(page: string): string {
  return page.replace(/[ -]{2,}/g, ' ');
}

/** The code of each fence of this language. */
export function fences(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);
}

/** The page without the code in its fences. */
export function prose(page: string): string {
  return page.replace(/^```.*?^```/gms, '');
}

// Fails where schema.graphql breaks clients of the last release and nobody wrote so: see docs/stability.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Base, findBase } from './base.ts';
import { type BreakingChange, schemaChanges, type Texts } from './changes.ts';

try {
  const base = findBase();
  if ('reason' in base) console.log(`Note: schema.graphql is compared with nothing: ${base.reason}`);
  else await check(base);
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}

async function check({ name, texts }: Base): Promise<void> {
  const { breaking, dangerous } = await schemaChanges(texts, workingTree());
  for (const message of dangerous) console.log(`Note: dangerous since ${name}: ${message}`);

  const unwritten = breaking.filter(({ missing }) => missing.length > 0);
  if (unwritten.length === 0) {
    console.log(`Breaking changes since ${name}, each of them written down: ${breaking.length}.`);
    return;
  }
  console.error(failure(name, unwritten));
  process.exitCode = 1;
}

function failure(name: string, unwritten: readonly BreakingChange[]): string {
  const rows = unwritten.map(({ path, message, missing }) => {
    return `- \`${path}\`: ${message}. Missing in ${missing.join(' and ')}.`;
  });
  return `schema.graphql breaks what clients have from ${name}:

${rows.join('\n')}

If that is meant, write each path above, in its backticks, into a sentence that is new since then: in docs/decisions why
it has to be and what clients do instead, in CHANGELOG.md under "Unreleased" what changes. See docs/stability.md.`;
}

function workingTree(): Texts {
  const folder = 'docs/decisions';
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const decisions = files.filter((file) => file.endsWith('.md'));
  return {
    schema: readFileSync('schema.graphql', 'utf8'),
    decisions: decisions.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n\n'),
    changelog: existsSync('CHANGELOG.md') ? readFileSync('CHANGELOG.md', 'utf8') : '',
  };
}

// Compiles the documents of the sequences, whose text is no part of this example, against the schema with the types of tables.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ConcreteRequest } from 'relay-runtime';
import { queries } from '../../page-sequences/queries.ts';
import { allWrites } from '../../page-sequences/writes.ts';

const run = promisify(execFile);
const folder = 'generated';

/** Writes each document into a module of its own, as the compiler has it. Resolves with what it makes of them, by their names. */
export async function compileDocuments(): Promise<ReadonlyMap<string, ConcreteRequest>> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const texts = [...queries, ...allWrites()].map((one) => ('list' in one ? withConnection(one) : one.text));
  const names = await Promise.all(texts.map((text) => writeModule(text)));
  const flexSchema = '../codegen/flex.schema.json';
  const { stdout } = await run(process.execPath, ['../../dist/main.js', 'schema', '--flex-schema', flexSchema], {
    maxBuffer: 2 ** 24,
  });
  await writeFile(`${folder}/schema.graphql`, stdout);
  const config = JSON.parse(await readFile('relay.config.json', 'utf8'));
  const own = { ...config, src: '.', schema: 'schema.graphql', requireCustomScalarTypes: false };
  await writeFile(`${folder}/relay.config.json`, JSON.stringify(own));
  await run('../node_modules/.bin/relay-compiler', ['relay.config.json'], { cwd: folder });
  const nodes = names.map(async ([name, document]) => {
    const { default: node } = await import(/* @vite-ignore */ resolve(folder, `__generated__/${document}.graphql.ts`));
    return [name, node] as const;
  });
  return new Map(await Promise.all(nodes));
}

/** The compiler takes documents by the name of their module alone. */
async function writeModule(text: string): Promise<[name: string, document: string]> {
  const [, kind = '', name = ''] = /^\s*(\w+) (\w+)/.exec(text) ?? [];
  const document = `${name}${kind === 'query' ? 'Query' : 'Mutation'}`;
  const module = `import { graphql } from 'relay-runtime';\ngraphql\`${text.replace(name, document)}\`;\n`;
  await writeFile(`${folder}/${name}.ts`, module);
  return [name, document];
}

const withConnection = ({ name, text, list }: { name: string; text: string; list?: readonly string[] }) =>
  text.replace('@page', `@connection(key: "${name}_${list?.at(-1)}")`);

// Makes generated/ from the schema and the operations: typed documents, and a manifest of them by their hashes.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse, Source } from 'graphql';
import { scalars } from './scalars.js';

process.chdir(import.meta.dirname);

// The schema with the types of the databases in flex.schema.json. Without them: ../../schema.graphql.
const printed = ['../../dist/main.js', 'schema', '--flex-schema', 'flex.schema.json'];
const sdl = execFileSync(process.execPath, printed, { encoding: 'utf8' });
const files = await Promise.all(['operations', 'typed-operations'].map((folder) => filesOf(folder)));
const documents = await Promise.all(
  files.flat().map(async (location) => {
    const rawSDL = await readFile(location, 'utf8');
    return { location, rawSDL, document: parse(new Source(rawSDL, location)) };
  }),
);

/** @param {string} folder */
async function filesOf(folder) {
  const names = await readdir(folder);
  return names.sort().map((name) => `${folder}/${name}`);
}

const generated = await preset.buildGeneratesSection({
  baseOutputDir: 'generated/',
  schema: parse(sdl),
  schemaAst: buildSchema(sdl),
  documents,
  config: {
    scalars,
    strictScalars: true, // a scalar that scalars.js lacks is refused, instead of being `any`
    enumType: 'string-literal',
    documentMode: 'string', // so that graphql is not needed at run time
    immutableTypes: true,
    arrayInputCoercion: false,
    useTypeImports: true,
  },
  presetConfig: { fragmentMasking: false, persistedDocuments: true, skipIndexFile: true },
  plugins: [],
  pluginMap: {},
});

await mkdir('generated', { recursive: true });
await writeFile('generated/schema.graphql', sdl);
await Promise.all(
  generated
    .filter(({ filename }) => filename !== 'generated/gql.ts') // for operations inside of source code, here are none
    .map(async (file) => writeFile(file.filename, await codegen(file))),
);

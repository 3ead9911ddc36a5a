// Makes generated/ from the schema and operations/: typed documents, and a manifest of them by their hashes.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse, Source } from 'graphql';
import { scalars } from './scalars.js';

process.chdir(import.meta.dirname);

const sdl = await readFile('../../schema.graphql', 'utf8');
const names = await readdir('operations');
const documents = await Promise.all(
  names.sort().map(async (location) => {
    const rawSDL = await readFile(`operations/${location}`, 'utf8');
    return { location, rawSDL, document: parse(new Source(rawSDL, `operations/${location}`)) };
  }),
);

const files = await preset.buildGeneratesSection({
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
await Promise.all(
  files
    .filter(({ filename }) => filename !== 'generated/gql.ts') // for operations inside of source code, here are none
    .map(async (file) => writeFile(file.filename, await codegen(file))),
);

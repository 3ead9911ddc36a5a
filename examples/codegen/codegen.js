// Makes generated/ from the schema and the operations: typed documents, and a manifest of them by their hashes. In
// generated/throwing/ are the same documents with the types of a client that throws errors.
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

/**
 * @param {string} baseOutputDir
 * @param {boolean} errorHandlingClient whether a field that is null beside an error only has a type without null
 */
async function generate(baseOutputDir, errorHandlingClient) {
  const generated = await preset.buildGeneratesSection({
    baseOutputDir,
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
      nullability: { errorHandlingClient },
    },
    presetConfig: { fragmentMasking: false, persistedDocuments: true, skipIndexFile: true },
    plugins: [],
    pluginMap: {},
  });
  await mkdir(baseOutputDir, { recursive: true });
  await Promise.all(
    generated
      .filter(({ filename }) => !filename.endsWith('/gql.ts')) // for operations inside of source code, here are none
      .map(async (file) => writeFile(file.filename, await codegen(file))),
  );
}

await generate('generated/', false);
await generate('generated/throwing/', true);
await writeFile('generated/schema.graphql', sdl);

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, isScalarType, isSpecifiedScalarType } from 'graphql';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { startTrivium } from '../../trivium.ts';
import { FlexDbsDocument } from '../generated/graphql.ts';
import { scalars } from '../scalars.js';
import { connect } from '../src/client.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The declaration around each `any`. */
function holdersOfAny(source: string): string[] {
  const file = ts.createSourceFile('graphql.ts', source, ts.ScriptTarget.Latest);
  const countIn = (node: ts.Node): number =>
    node.getChildren(file).reduce((sum, child) => sum + countIn(child), node.kind === ts.SyntaxKind.AnyKeyword ? 1 : 0);
  return file.statements.flatMap((statement) => Array<string>(countIn(statement)).fill(nameOf(statement)));
}

function nameOf(statement: ts.Statement): string {
  return (ts.isClassDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name
    ? statement.name.text
    : ts.SyntaxKind[statement.kind];
}

test('no any is generated but the two that the preset writes into its class of documents', () => {
  // Both are the type of `__meta__`, which holds the hash.
  expect(holdersOfAny(read('../generated/graphql.ts'))).toEqual(['TypedDocumentString', 'TypedDocumentString']);
});

test('every custom scalar of the schema is mapped', () => {
  const types = Object.values(buildSchema(read('../generated/schema.graphql')).getTypeMap());
  const custom = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type)).map(({ name }) => name);
  expect(Object.keys(scalars).sort()).toEqual(custom.sort());
});

test('docs/codegen.md has a row for each scalar', () => {
  const rows = read('../../../docs/codegen.md').matchAll(/^\| `(\w+)` +\| `(.+?)` +\| /gm);
  expect(Object.fromEntries(Array.from(rows, ([, name, type = '']) => [name, type.replace('\\|', '|')]))).toEqual(
    scalars,
  );
});

test('flex.schema.json has the definitions of the demo', async () => {
  const FLEX_SCHEMA = fileURLToPath(new URL('../flex.schema.json', import.meta.url));
  const { url, close } = await startTrivium(['serve'], { LOG_LEVEL: 'silent', FLEX_SCHEMA });
  onTestFinished(close);
  await connect(url, { token: 'demo-admin' })(FlexDbsDocument);
  const ready: unknown = await (await fetch(new URL('/ready', url))).json();
  expect(ready).toMatchObject({ flexSchema: { databases: 3, compared: 3, changed: [], missing: [] } });
});

import { readFileSync } from 'node:fs';
import { buildSchema, isIntrospectionType, isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../../src/apis/served-schema.ts';
import { testConfig } from '../support/gateway.ts';

const [, section = ''] = /## Names that are taken\n([^]*?)\n## /.exec(readFileSync('docs/federation.md', 'utf8')) ?? [];

const { subgraph } = await servedSchema(testConfig());
const { sdl } = subgraph();
const schema = buildSchema(sdl.replaceAll(/ @(?:link|key)\([^)]*\)| @shareable/g, ''));

/** Names that follow from those of mutations and records. */
const FOLLOWS = /(?:Result|Connection|Edge)$/;

test.each([
  ['Queries', Object.keys(schema.getQueryType()?.getFields() ?? {})],
  ['Mutations', Object.keys(schema.getMutationType()?.getFields() ?? {})],
  [
    'Types',
    Object.values(schema.getTypeMap())
      .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
      .map(({ name }) => name)
      .filter((name) => !FOLLOWS.test(name) && name !== 'Query' && name !== 'Mutation'),
  ],
])('docs/federation.md has the names of the subgraph: %s', (kind, names) => {
  const [, list = ''] = new RegExp(`^- ${kind}: (.*)\\.$`, 'm').exec(section) ?? [];
  expect(list.split(', ')).toEqual(names.toSorted().map((name) => `\`${name}\``));
});

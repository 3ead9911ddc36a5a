import * as graphql from 'graphql';
import * as graphql15 from 'graphql-15';
import * as graphql16 from 'graphql-16.0';
import * as graphql168 from 'graphql-16.8';
import * as graphql17 from 'graphql-17';
import { describe, expect, test } from 'vitest';
import { servedSchema } from '../src/apis/served-schema.ts';
import { testConfig } from './support/gateway.ts';
import { sharedDemoSnapshot } from './typed-flex/snapshot-files.ts';

// Tools read the text of the schema with the graphql-js that they have. Versions before 16.9 do not know `@oneOf`.

interface GraphqlJs<Schema> {
  readonly version: string;
  buildSchema(text: string): Schema;
  validateSchema(schema: Schema): readonly { readonly message: string }[];
}

/** A version, and the problems that it has with a text. */
function reader<Schema>({ version, buildSchema, validateSchema }: GraphqlJs<Schema>) {
  return [version, (text: string) => validateSchema(buildSchema(text))] as const;
}

const readers = [reader(graphql15), reader(graphql16), reader(graphql168), reader(graphql), reader(graphql17)];

const demo = sharedDemoSnapshot();
const schemas = {
  'the schema': async () => servedSchema(testConfig()),
  'the schema with typed databases': async () => servedSchema({ FLEX_SCHEMA: demo() }),
  'the schema of public methods': async () => servedSchema({ FLEX_SCHEMA: demo(), PUBLIC: 'true' }),
};

describe.each(Object.entries(schemas))('%s', (_name, served) => {
  test.each(readers)('is read by graphql %s', async (_version, problemsOf) => {
    const { printed } = await served();
    expect(problemsOf(printed())).toEqual([]);
  });

  test('has its inputs of which one field is given, whoever reads it', async () => {
    const { schema, printed } = await served();
    expect(oneOfInputs(graphql.buildSchema(printed()))).toEqual(oneOfInputs(schema));
  });
});

function oneOfInputs(schema: graphql.GraphQLSchema): string[] {
  const types = Object.values(schema.getTypeMap());
  return types.flatMap((type) => (graphql.isInputObjectType(type) && type.isOneOf ? type.name : [])).toSorted();
}

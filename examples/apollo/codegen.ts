import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: 'src/**/*.ts',
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        nonOptionalTypename: true, // Apollo Client adds __typename to every selection,
        skipTypeNameForRoot: true, // but for Query and Mutation
        enumType: 'string-literal',
        useTypeImports: true,
        strictScalars: true, // a scalar without a type here is refused
        scalars: {
          Date: 'string',
          DateOrDateTime: 'string',
          DateTime: 'string',
          Decimal: 'string',
          Expiry: 'string',
          JSON: 'unknown',
          JSONObject: 'Record<string, unknown>',
          Password: 'string',
          SafeInt: 'number',
        },
      },
    },
  },
};

export default config;

import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: ['../../schema.graphql', 'src/directives.graphql'],
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/generated/': {
      preset: 'client', // without `documentMode: 'string'`: urql takes documents, not texts
      presetConfig: { fragmentMasking: false },
      config: {
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
        strictScalars: true, // a scalar that is not listed is refused, instead of being `any`
        enumType: 'string-literal',
        arrayInputCoercion: false,
        useTypeImports: true,
      },
    },
    'src/generated/introspection.ts': {
      plugins: ['urql-introspection'], // the schema for graphcache, with the members of unions and interfaces
      config: { useTypeImports: true },
    },
  },
};

export default config;

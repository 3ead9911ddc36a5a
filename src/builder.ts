import SchemaBuilder, { type ArgBuilder as ArgBuilderOf } from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import type { Context } from './context.ts';
import { globalId, parseGlobalId } from './graphql/ids.ts';

/** A scalar whose `serialize` checks what upstream sent, and whose input is the text that it was given. */
interface Checked<Input> {
  Input: Input;
  Output: unknown;
}

/** The Pothos builder that every slice adds its types and fields to. Fields are nullable unless they say otherwise. */
export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    ID: { Input: string; Output: string };
    Date: Checked<string>;
    DateTime: Checked<string>;
    DateOrDateTime: Checked<string>;
    Decimal: Checked<string>;
    JSON: Checked<unknown>;
    JSONObject: Checked<Record<string, unknown>>;
    Password: Checked<string>;
    SafeInt: Checked<number>;
  };
}>({
  plugins: [ErrorsPlugin, RelayPlugin, DataloaderPlugin],
  errors: {
    directResult: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
      description: 'What became of the mutation: the success member, or one of the refusals.',
    },
  },
  relay: {
    encodeGlobalID: globalId,
    decodeGlobalID: (id) => parseGlobalId(id) ?? { typename: '', id },
    // Ours are in graphql/node.ts: the plugin's `nodes` answers one malformed id with `data: null`.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'A record with an id that is unique in the whole graph.' },
    idFieldOptions: { description: 'Global id: the type and the upstream id, such as `Client:42`.' },
  },
});

builder.queryType({ description: 'Reads. Each field names the endpoint that it calls.' });
builder.mutationType({ description: 'Writes, carried out one after the other in the order of the document.' });

/** For inputs that share their fields. */
export type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** For arguments that several fields share. */
export type ArgBuilder = ArgBuilderOf<typeof builder.$inferSchemaTypes>;

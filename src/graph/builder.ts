import SchemaBuilder, { type ArgBuilder as ArgBuilderOf } from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import type { Context } from '../operation/context.ts';
import { NOTICES_PLUGIN } from './field-rules.ts';
import { refusalClasses, resultUnion } from './refusals.ts';
import { SEMANTIC_NON_NULL } from './semantic-non-null.ts';

/** A scalar whose `serialize` checks the value of upstream, so resolvers may return any value. */
interface Checked<Input> {
  Input: Input;
  Output: unknown;
}

/** The Pothos builder. Every slice adds its types and fields to it. Fields are nullable by default. */
export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    ID: { Input: string; Output: string };
    Date: Checked<string>;
    DateTime: Checked<string>;
    DateOrDateTime: Checked<string>;
    Expiry: Checked<string>;
    Decimal: Checked<string>;
    JSON: Checked<unknown>;
    JSONObject: Checked<Record<string, unknown>>;
    Password: Checked<string>;
    SafeInt: Checked<number>;
  };
}>({
  plugins: [ErrorsPlugin, DataloaderPlugin, SEMANTIC_NON_NULL, NOTICES_PLUGIN],
  errors: {
    // Each mutation has `errors: {}`; its union then has every refusal.
    defaultTypes: refusalClasses,
    directResult: true,
    defaultUnionOptions: resultUnion,
    defaultItemUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}ItemResult`,
      description: 'The result of one item: success, the reason why it was refused, or that it was not attempted.',
    },
  },
});

builder.queryType({ description: 'Reads. The description of each field names the endpoint that it calls.' });
builder.mutationType({ description: 'Writes. They run one after the other, in the order of the document.' });

/** The builder of input fields, for functions that several inputs share. */
export type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** The builder of arguments, for functions that several fields share. */
export type ArgBuilder = ArgBuilderOf<typeof builder.$inferSchemaTypes>;

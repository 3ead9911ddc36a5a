import type { GraphQLSchema } from 'graphql';
import { type ValuesByType, valuesByType } from './field-values.ts';
import { SharedTypes } from './shared-types.ts';

/** The types that the types of records are made of. */
export interface Parts {
  readonly shared: SharedTypes;
  readonly values: ValuesByType;
}

/** Takes the types of a schema that typed databases share with it. */
export function partsOf(base: GraphQLSchema): Parts {
  const shared = new SharedTypes(base);
  return { shared, values: valuesByType(shared) };
}

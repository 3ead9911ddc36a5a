import type { ValuesByType } from './field-values.ts';
import type { SharedTypes } from './shared-types.ts';

/** The types that the types of records are made of. */
export interface Parts {
  readonly shared: SharedTypes;
  readonly values: ValuesByType;
}

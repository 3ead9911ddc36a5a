import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/graphql-env.d.ts';

/** Scalars are what stands in JSON: nothing is parsed on the way. */
export interface Scalars {
  Date: string;
  DateOrDateTime: string;
  DateTime: string;
  Decimal: string;
  Expiry: string;
  JSON: unknown;
  JSONObject: Record<string, unknown>;
  Password: string;
  SafeInt: number;
}

/** Types a document by its text. */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: Scalars }>();

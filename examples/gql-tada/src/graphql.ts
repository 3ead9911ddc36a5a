import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/graphql-env.d.ts';

/** Types a document by its text. Scalars are what stands in JSON: nothing is parsed on the way. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    Date: string;
    DateOrDateTime: string;
    DateTime: string;
    Decimal: string;
    JSON: unknown;
    JSONObject: Record<string, unknown>;
    Password: string;
    SafeInt: number;
  };
}>();

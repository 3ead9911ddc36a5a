/** What the custom scalars are in TypeScript, as they stand in JSON: nothing is parsed on the way. */
export const scalars = {
  BigInt: 'number | string', // a text beyond 2^53
  Date: 'string',
  DateOrDateTime: 'string',
  DateTime: 'string',
  Decimal: 'string',
  Expiry: 'string',
  JSON: 'unknown',
  JSONObject: 'Record<string, unknown>',
  Password: 'string',
  SafeInt: 'number',
};

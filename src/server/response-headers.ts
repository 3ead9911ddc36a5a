/** The `Cache-Control` header of each response of /graphql: it may hold the data, or a secret, of one caller. */
export const CACHE_CONTROL = 'private, no-store';

/** The headers of each response of /graphql, as names and values in turns. */
export const RESPONSE_HEADERS: readonly string[] = ['Cache-Control', CACHE_CONTROL];

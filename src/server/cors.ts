import type { Config } from '../config.ts';

/** The CORS options for requests of an origin, as Yoga takes them. False for an origin that is not listed in CORS_ORIGINS. */
export function corsOptions(origin: string | null | undefined, { CORS_ORIGINS, FLEX_COOKIES }: Config) {
  // For an origin that is not listed Yoga would allow `null`, which is the origin of sandboxed pages. So CORS is off for it.
  if (!origin || !CORS_ORIGINS.includes(origin)) return false;
  return { origin: [origin], methods: ['GET', 'POST'], credentials: FLEX_COOKIES.length > 0 };
}

/**
 * The CORS headers of a response to a POST, the same that Yoga sends, as names and values in turns. None for an origin that
 * is not listed.
 */
export function corsHeaders(origin: string, config: Config): readonly string[] {
  const options = corsOptions(origin, config);
  if (!options) return [];
  return [
    ...['Access-Control-Allow-Origin', origin],
    ...['Access-Control-Allow-Methods', options.methods.join(', ')],
    ...(options.credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
  ];
}

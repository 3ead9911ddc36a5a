import { wholeNumber } from './setting.ts';

/** How many operations callers may send. */
export const rateSettings = {
  RATE_LIMIT: wholeNumber(
    0,
    0,
    100_000_000,
    'Operations a minute for each credential, and each address unless RATE_LIMIT_ADDRESS is set; 0: any number.',
  ),
  RATE_LIMIT_ADDRESS: wholeNumber(
    0,
    0,
    100_000_000,
    'Operations a minute for each client address (IPv6: each /64 network), see TRUST_PROXY; 0: as RATE_LIMIT.',
  ),
};

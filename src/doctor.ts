import { accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { Upstreams } from './context.ts';
import type { Api } from './http/api.ts';
import { GatewayError, NotFoundError, UnauthenticatedError } from './http/errors.ts';

export interface Finding {
  readonly api: string;
  readonly ok: boolean;
  /** What was found, in words. */
  readonly text: string;
}

/** A token that nobody has: enough to see whether an address answers. */
const NO_TOKEN = 'none';

/** Tries one cheap read on each upstream that has an address, with the token of the settings if there is one. */
export async function doctor(config: Config): Promise<Finding[]> {
  const upstreams = new Upstreams(config);
  const { account } = upstreams.context({ authorization: `Bearer ${config.API_TOKEN || NO_TOKEN}` }, () => {});
  try {
    if (!config.ACCOUNT_URL) return [];
    return [await examine(accountApi, config.API_TOKEN, () => account.apiTokens(), 'tokens')];
  } finally {
    await upstreams.close();
  }
}

async function examine(
  { name, setting }: Api,
  token: string,
  read: () => Promise<readonly unknown[]>,
  what: string,
): Promise<Finding> {
  try {
    return { api: name, ok: true, text: `answers; ${what} of the caller: ${(await read()).length}.` };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { api: name, ok: false, text: explained(error, setting, token) };
  }
}

function explained(error: GatewayError, setting: string, token: string): string {
  if (error instanceof NotFoundError) return `${error.message} Is the address in ${setting} right?`;
  if (!(error instanceof UnauthenticatedError)) return error.message;
  if (!error.upstream) return 'API_TOKEN is no token: it holds white space, or a character beyond ASCII.'; // never sent
  if (token === '') return `The address in ${setting} answers. Set API_TOKEN to try a token with it.`;
  return `${error.message} The address in ${setting} is right; is API_TOKEN?`;
}

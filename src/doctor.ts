import { accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { Upstreams } from './context.ts';
import type { Api } from './http/api.ts';
import { GatewayError } from './http/errors.ts';

export interface Finding {
  readonly api: string;
  readonly ok: boolean;
  /** What was found, in words. */
  readonly text: string;
}

/** Tries one cheap read on each upstream that has an address, with the credentials of the settings. */
export async function doctor(config: Config): Promise<Finding[]> {
  const upstreams = new Upstreams(config);
  const { account } = upstreams.context({ authorization: `Bearer ${config.API_TOKEN}` }, () => {});
  try {
    if (!config.ACCOUNT_URL) return [];
    if (!config.API_TOKEN)
      return [{ api: accountApi.name, ok: false, text: 'No token to try it with: set API_TOKEN.' }];
    return [
      await examine(accountApi, async () => `answers; the caller has ${(await account.apiTokens()).length} tokens.`),
    ];
  } finally {
    await upstreams.close();
  }
}

async function examine({ name, setting }: Api, read: () => Promise<string>): Promise<Finding> {
  try {
    return { api: name, ok: true, text: await read() };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code !== 'UNAUTHENTICATED') return { api: name, ok: false, text: error.message };
    // without an upstream call the token was not even sent
    const text = error.upstream
      ? `${error.message} The address in ${setting} is right; is API_TOKEN?`
      : 'API_TOKEN is no token: it holds white space, or a character beyond ASCII.';
    return { api: name, ok: false, text };
  }
}

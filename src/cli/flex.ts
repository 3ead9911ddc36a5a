import { type Config, ConfigError, readConfig } from '../config.ts';
import { schemaFlags, UsageError, type Values } from './usage.ts';

/** `trivium flex pull` and `trivium flex diff` */
export async function runFlex(values: Values, [action, ...words]: readonly string[]): Promise<number> {
  if (action === 'pull' && words.length === 0) {
    const config = upstreamConfig(values);
    const { runPull } = await import('./flex-commands.ts');
    return runPull(values, config);
  }
  if (action === 'diff' && words.length <= 1) {
    const config = upstreamConfig(values);
    const { runDiff } = await import('./flex-commands.ts');
    return runDiff(values, config, words[0]);
  }
  throw new UsageError('flex takes pull, or diff: trivium flex --help.');
}

/** @throws ConfigError without an address and a token: no sandbox is started here */
function upstreamConfig(values: Values): Config {
  // With PUBLIC a gateway needs the file that a pull writes.
  const config = readConfig(undefined, { ...schemaFlags(values), PUBLIC: 'false' });
  if (!config.FLEX_URL && !config.ACCOUNT_URL)
    throw new ConfigError(
      `flex needs the address of the API: set FLEX_URL or ACCOUNT_URL${config.API_TOKEN === '' ? ', and API_TOKEN' : ''}. ` +
        'For the demo data, start `trivium sandbox` in another terminal, and set ACCOUNT_URL=http://127.0.0.1:4001 API_TOKEN=demo-admin.',
    );
  if (config.API_TOKEN === '') throw new ConfigError('flex needs API_TOKEN, a token that may read the databases.');
  return config;
}

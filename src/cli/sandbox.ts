import type { AnswerMode } from '../sandbox/answers.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import { sandboxBanner } from './banner.ts';
import { print } from './output.ts';
import { terminationSignal } from './termination.ts';
import { explainListenError, textOrNone, UsageError, type Values } from './usage.ts';

/** `trivium sandbox` */
export async function runSandbox({ data, seed, host, port = '4001', answers = 'full' }: Values): Promise<number> {
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) > 65_534) {
    throw new UsageError('--port takes a whole number from 0 to 65534.');
  }
  const files = { data: textOrNone(data), seed: textOrNone(seed) };
  const address = typeof host === 'string' ? { host } : {};
  const options = { ...address, port: Number(port), answers: await answerMode(String(answers)), ...files };
  const sandbox = await importAndStartSandbox(options, '--port', '--host');
  const end = terminationSignal();
  print(sandboxBanner(sandbox, files.data !== undefined));
  await end;
  await sandbox.close();
  return 0;
}

async function answerMode(text: string): Promise<AnswerMode> {
  const { answerModes, isAnswerMode } = await import('../sandbox/answers.ts');
  if (isAnswerMode(text)) return text;
  throw new UsageError(`--answers takes one of ${answerModes.join(', ')}.`);
}

/** Imports and starts the sandbox. A gateway over real upstreams does not load its database. */
export async function importAndStartSandbox(
  options: SandboxOptions,
  portName: string,
  hostName = portName,
): Promise<Sandbox> {
  const { startSandbox, DataFileError, SeedFileError } = await import('../sandbox/server.ts');
  return startSandbox(options)
    .catch(explainListenError(portName, hostName))
    .catch((error: unknown) => {
      if (!(error instanceof DataFileError || error instanceof SeedFileError)) throw error;
      throw new UsageError(error.message, { cause: error });
    });
}

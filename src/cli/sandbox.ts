import { createServer } from 'node:net';
import { errorCode } from '../system.ts';
import type { AnswerMode } from '../sandbox/answers.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import { sandboxBanner } from './banner.ts';
import { tell } from './output.ts';
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
  tell(sandboxBanner(sandbox, files.data !== undefined));
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
    .catch((error: unknown) => explainTakenPorts(error, options, portName))
    .catch(explainListenError(portName, hostName))
    .catch((error: unknown) => {
      if (!(error instanceof DataFileError || error instanceof SeedFileError)) throw error;
      throw new UsageError(error.message, { cause: error });
    });
}

/** Names all ports that are taken: the sandbox stops at the first one, and the next attempt would stop at the other. */
async function explainTakenPorts(
  failure: unknown,
  { port = 0, host }: SandboxOptions,
  portName: string,
): Promise<never> {
  if (errorCode(failure) !== 'EADDRINUSE' || port === 0) throw failure;
  const ports = [port, port + 1];
  const areFree = await Promise.all(ports.map((each) => isFree({ port: each, host: host ?? '127.0.0.1' })));
  const taken = ports.filter((_each, index) => !areFree[index]);
  if (taken.length === 0) throw failure; // one was, until now
  const which = taken.length === 1 ? `Port ${taken[0]} is taken` : `Ports ${taken.join(' and ')} are taken`;
  const needs = `the sandbox needs ${portName}, ${port}, and for its forum the next one`;
  throw new UsageError(`${which}: ${needs}. Set ${portName} to another one, or to 0.`, { cause: failure });
}

async function isFree(address: { readonly port: number; readonly host: string }): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(address, () => server.close(() => resolve(true)));
  });
}

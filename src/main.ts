#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Config, ConfigError, type Flags, readConfig, settings } from './config.ts';
import { demoBanner, graphiqlTabs, sandboxSettings } from './demo.ts';
import type { AnswerMode } from './sandbox/answers.ts';
import type { Sandbox, SandboxOptions } from './sandbox/server.ts';
import type { Gateway, GatewayOptions } from './server/server.ts';
import { terminationSignal, uncaughtErrors } from './termination.ts';
import { explainListenError, UsageError } from './usage-error.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;

interface Command {
  readonly help: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** @returns the exit code */
  readonly run: (values: Values) => Promise<number>;
}

// Each command imports its modules when it runs, so that help and usage errors appear at once.
const commands: Readonly<Record<string, Command>> = {
  serve: {
    help: `trivium serve [--subgraph] [--workers N]: the gateway, at /graphql.

  --subgraph    serves it as a subgraph of Apollo Federation 2, as SUBGRAPH=true does
  --workers N   serves it by N processes that share the port, as WORKERS=N does; auto: one per core

Without the address of an upstream it starts a sandbox of the upstream APIs, with demo data, and serves that.
SIGTERM or SIGINT ends it once the requests in flight are answered; /ready answers 503 from then on.

Settings (environment variables):
${describeSettings()}`,
    options: { subgraph: { type: 'boolean' }, workers: { type: 'string' } },
    run: serve,
  },
  worker: {
    help: 'trivium worker: one of the processes that trivium serve --workers N starts. Not for other uses.\n',
    options: { number: { type: 'string' }, demo: { type: 'boolean' } },
    run: runWorker,
  },
  sandbox: {
    help: `trivium sandbox [--data FILE] [--port N] [--answers MODE]: the sandbox alone.

  --data FILE      keeps the data in a file; by default it is in memory
  --port N         listens there instead of on 4001, with the forum on N + 1; 0 takes free ports
  --answers MODE   answers in another way that the API documents allow:

    full              every field, as docs/assumptions.md says (default)
    lean              documented fields only, ids as texts, null or no key for an empty value, other orders, unknown keys
    bare:204          a write answers nothing, with the status 204
    bare:ok           a write answers the JSON text "ok", in the forum an empty body
    bare:status       a write answers {"status":"ok"}
    bare:wrapped      a write answers the record inside the key of its request, {"client":{…}}
    bare:refused-200  a refused write answers {"status":"error","message":…} or {"errors":{…}}, with the status 200
`,
    options: { data: { type: 'string' }, port: { type: 'string' }, answers: { type: 'string' } },
    run: runSandbox,
  },
  schema: {
    help: `trivium schema [--check | --subgraph]: prints the GraphQL schema.

  --check       prints nothing; fails when ./schema.graphql is another one
  --subgraph    prints it as a subgraph of Apollo Federation 2, for a supergraph to be composed of
`,
    options: { check: { type: 'boolean' }, subgraph: { type: 'boolean' } },
    run: schema,
  },
  doctor: {
    help: `trivium doctor: tries each upstream that has an address, and says in words what is wrong.

  ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL   the addresses to try
  API_TOKEN             the token to try them with
  CRM_TOKEN             the token to try the CRM with, where it is another one
  FORUM_AUTHORIZATION   the credential to try the forum with, Basic <base64>
`,
    run: runDoctor,
  },
};

const overview = `trivium: one GraphQL endpoint over several APIs.

Usage: trivium [command] [options]

  serve         the gateway (default)
  sandbox       the sandbox of the upstream APIs alone
  schema        prints the GraphQL schema
  doctor        tries the upstreams that have an address

  --help        help, also of each command
  --version     the version
`;

async function main(args: readonly string[]): Promise<number> {
  const [firstArgument = 'serve', ...rest] = args;
  if (firstArgument === '--help' || firstArgument === '-h' || firstArgument === 'help') return print(overview);
  if (firstArgument === '--version') return print(`${version()}\n`);

  const isNamed = !firstArgument.startsWith('-');
  const name = isNamed ? firstArgument : 'serve';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}: trivium --help lists them.`);

  const values = parse(name, command, isNamed ? rest : args);
  return values['help'] ? print(command.help) : await command.run(values);
}

function parse(name: string, { options = {} }: Command, args: readonly string[]): Values {
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    return { ...parseArgs({ args: [...args], options: { ...options, help }, strict: true }).values };
  } catch (error) {
    // Node's messages end with advice about `--`: only the first sentence is kept
    const [what] = error instanceof Error ? error.message.split(/\.\s/) : [];
    throw new UsageError(`${what}: trivium ${name} --help lists the options.`, { cause: error });
  }
}

async function serve({ subgraph, workers }: Values): Promise<number> {
  const flags: Flags = {
    ...(subgraph && { SUBGRAPH: 'true' }),
    ...(typeof workers === 'string' && { WORKERS: workers }),
  };
  const config = readConfig(undefined, flags);
  const hasUpstream = [config.ACCOUNT_URL, config.FLEX_URL, config.CRM_URL, config.FORUM_URL].some(
    (url) => url !== undefined,
  );
  const sandbox = hasUpstream ? undefined : await importAndStartSandbox({ port: config.SANDBOX_PORT }, 'SANDBOX_PORT');
  const withSandbox: Flags = { ...flags, ...(sandbox && sandboxSettings(sandbox.urls)) };
  const announce = (url: string) => {
    const role = `${config.SUBGRAPH === 'true' ? ', as a subgraph' : ''}${config.WORKERS > 1 ? `, by ${config.WORKERS} workers` : ''}`;
    const endpoint = `${url}/graphql`;
    print(sandbox ? demoBanner(endpoint, role, sandbox.urls) : `trivium serves ${endpoint}${role}\n`);
  };
  try {
    return config.WORKERS > 1
      ? await serveByWorkers(config, withSandbox, sandbox !== undefined, announce)
      : await serveAlone(readConfig(undefined, withSandbox), sandbox !== undefined, announce);
  } finally {
    await sandbox?.close();
  }
}

async function serveAlone(config: Config, demo: boolean, announce: (url: string) => void): Promise<number> {
  const gateway = await importAndStartGateway(config, { graphiql: graphiqlTabs(demo) });
  const errors = uncaughtErrors(gateway.logUncaught);
  const end = terminationSignal(); // listens for signals before the banner says that the gateway runs
  announce(gateway.url);
  await Promise.race([end, errors.first]);
  await gateway.beginShutdown();
  await gateway.close();
  return errors.exitCode();
}

async function serveByWorkers(
  config: Config,
  flags: Flags,
  demo: boolean,
  announce: (url: string) => void,
): Promise<number> {
  const { killWorkers, runWorkers } = await import('./workers/primary.ts');
  const { workerSettings } = await import('./workers/settings.ts');
  const { createLog, logsUncaught, standardError } = await import('./log.ts');
  const log = createLog(config.LOG_LEVEL, standardError(true));
  const errors = uncaughtErrors(logsUncaught(log));
  const exitCode = await runWorkers({
    count: config.WORKERS,
    args: (number) => ['worker', '--number', String(number), ...(demo ? ['--demo'] : [])],
    environment: { ...flags, ...workerSettings(config) },
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    log,
    end: Promise.race([terminationSignal(killWorkers), errors.first]),
    onListening: announce,
  });
  return exitCode || errors.exitCode();
}

async function runWorker({ number, demo }: Values): Promise<number> {
  const { joinPrimary } = await import('./workers/worker.ts');
  const primary = joinPrimary();
  if (!primary) throw new UsageError('trivium worker is only for the processes that trivium serve --workers N starts.');
  const options = { graphiql: graphiqlTabs(demo === true), worker: Number(number) };
  const gateway = await importAndStartGateway(readConfig(), options).catch((error: unknown) => {
    primary.leave();
    throw error;
  });
  const errors = uncaughtErrors(gateway.logUncaught);
  await Promise.race([primary.reportListening(gateway.url), errors.first]);
  await gateway.beginShutdown();
  await primary.requestRelease();
  await gateway.close();
  return errors.exitCode();
}

async function importAndStartGateway(config: Config, options: GatewayOptions): Promise<Gateway> {
  const { createGateway } = await import('./server/server.ts');
  return createGateway(config, options).catch(explainListenError('PORT', 'HOST'));
}

async function runSandbox({ data, port = '4001', answers = 'full' }: Values): Promise<number> {
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) > 65_534) {
    throw new UsageError('--port takes a whole number from 0 to 65534.');
  }
  const sandbox = await importAndStartSandbox(
    { port: Number(port), answers: await answerMode(String(answers)), ...(typeof data === 'string' && { data }) },
    '--port',
  );
  const end = terminationSignal();
  const { account, forum } = sandbox.urls;
  print(`The sandbox serves the account, flex and CRM APIs at ${account} and the forum at ${forum}\n`);
  await end;
  await sandbox.close();
  return 0;
}

async function answerMode(text: string): Promise<AnswerMode> {
  const { answerModes, isAnswerMode } = await import('./sandbox/answers.ts');
  if (isAnswerMode(text)) return text;
  throw new UsageError(`--answers takes one of ${answerModes.join(', ')}.`);
}

/** Imports and starts the sandbox. A gateway over real upstreams does not load its database. */
async function importAndStartSandbox(options: SandboxOptions, portName: string): Promise<Sandbox> {
  const { startSandbox, DataFileError } = await import('./sandbox/server.ts');
  return startSandbox(options)
    .catch(explainListenError(portName))
    .catch((error: unknown) => {
      throw error instanceof DataFileError ? new UsageError(`${error.message} See --data.`, { cause: error }) : error;
    });
}

async function schema({ check, subgraph: asSubgraph }: Values): Promise<number> {
  if (check && asSubgraph) throw new UsageError('schema takes either --check or --subgraph: no subgraph is committed.');
  const { printedSchema, subgraph } = await import('./schema.ts');
  if (asSubgraph) return print(subgraph().sdl);
  if (!check) return print(printedSchema());
  if (existsSync('schema.graphql') && readFileSync('schema.graphql', 'utf8') === printedSchema()) return 0;
  return printError('schema.graphql is not what the code says: run `npm run schema` and commit it.', 1);
}

async function runDoctor(): Promise<number> {
  const config = readConfig();
  const { doctor } = await import('./doctor.ts');
  const findings = await doctor(config);
  if (findings.length === 0)
    return printError('There is nothing to try: set ACCOUNT_URL or CRM_URL, and API_TOKEN.', 2);
  for (const { api, ok, text } of findings) print(`${ok ? 'ok  ' : 'FAIL'}  ${api}: ${text}\n`);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

function describeSettings(): string {
  const lines = Object.entries(settings).map(([name, setting]) => {
    const { description, default: fallback } = setting.meta() ?? {};
    const shown = String(fallback ?? '');
    return `  ${name.padEnd(22)}${description}${shown && ` [${shown}]`}\n`;
  });
  return lines.join('');
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : 'unknown';
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function printError(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}

/** Prints an error and returns the exit code. Errors that the user can fix are one line; all others are bugs, with a stack. */
function fail(error: unknown): number {
  if (error instanceof ConfigError || error instanceof UsageError) return printError(error.message, 2);
  return printError(error instanceof Error ? (error.stack ?? error.message) : String(error), 1);
}

// A reader such as `head` may close the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2)).catch(fail);

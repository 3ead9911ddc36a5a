#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Config, ConfigError, readConfig, settings } from './config.ts';
import { demoCookies, demoForumAuthorization, demoTokens, graphiqlTabs } from './demo.ts';
import type { AnswerMode } from './sandbox/answers.ts';
import type { Sandbox, SandboxOptions } from './sandbox/server.ts';

/** An invalid command line, or one whose port, host or file cannot be used. */
class UsageError extends Error {}

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
    help: `trivium serve [--subgraph]: the gateway, at /graphql.

  --subgraph    serves it as a subgraph of Apollo Federation 2, as SUBGRAPH=true does

Without the address of an upstream it starts a sandbox of the upstream APIs, with demo data, and serves that.
SIGTERM or SIGINT ends it once the requests in flight are answered.

Settings (environment variables):
${describeSettings()}`,
    options: { subgraph: { type: 'boolean' } },
    run: serve,
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

async function serve({ subgraph }: Values): Promise<number> {
  const config = { ...readConfig(), ...(subgraph && { SUBGRAPH: 'true' as const }) };
  const { createGateway } = await import('./server/server.ts');
  const hasUpstream = [config.ACCOUNT_URL, config.FLEX_URL, config.CRM_URL, config.FORUM_URL].some(
    (url) => url !== undefined,
  );
  const sandbox = hasUpstream ? undefined : await importAndStartSandbox({ port: config.SANDBOX_PORT }, 'SANDBOX_PORT');
  try {
    const gateway = await createGateway(sandbox ? { ...config, ...settingsFor(sandbox) } : config, {
      graphiql: graphiqlTabs(sandbox !== undefined),
    }).catch(explainListenError('PORT', 'HOST'));
    const end = terminationSignal(); // listens for signals before the banner says that the gateway runs
    const endpoint = `${gateway.url}/graphql`;
    const role = config.SUBGRAPH === 'true' ? ', as a subgraph' : '';
    print(sandbox ? demoBanner(endpoint, role, sandbox.urls) : `trivium serves ${endpoint}${role}\n`);
    await end;
    await gateway.close();
    return 0;
  } finally {
    await sandbox?.close();
  }
}

/** The settings that make the sandbox the upstream. */
function settingsFor({ urls }: Sandbox): Partial<Config> {
  return {
    ACCOUNT_URL: new URL(urls.account),
    FLEX_URL: new URL(urls.flex),
    FLEX_COOKIES: demoCookies,
    CRM_URL: new URL(urls.crm),
    CRM_SHARES_TOKEN: 'true',
    FORUM_URL: new URL(urls.forum),
  };
}

function demoBanner(endpoint: string, role: string, sandbox: Sandbox['urls']): string {
  const token = demoTokens[0]?.token;
  return `trivium is up${role}, over a sandbox with demo data.

  GraphQL   ${endpoint}   in a browser: GraphiQL
  Sandbox   ${sandbox.account}   stands in for the account, flex and CRM APIs
            ${sandbox.forum}   for the forum

  Credentials to paste, as the header Authorization: Bearer <token>
${demoTokens.map(({ token: demo, may }) => `    ${demo.padEnd(13)}may ${may}`).join('\n')}
  and for the forum X-Forum-Authorization: ${demoForumAuthorization}

  curl -s ${endpoint} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"query":"{ apiTokens { name tokenInfo } }"}'

  To serve the real APIs instead: ACCOUNT_URL=https://account.example npm start
`;
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

async function terminationSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function printError(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}

/** For `.catch`: turns the error of a server that could not listen into advice which setting or flag to change. */
function explainListenError(port: string, host = port) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const cause = error;
    const at = error instanceof Error && 'port' in error ? String(error.port) : 'given';
    if (code === 'EADDRINUSE')
      throw new UsageError(`Port ${at} is taken: set ${port} to another one, or to 0.`, { cause });
    if (code === 'EACCES')
      throw new UsageError(`Port ${at} needs privileges that this process lacks: set ${port} to another one.`, {
        cause,
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new UsageError(`${host} is no address of this machine (${code}).`, { cause });
    }
    throw error;
  };
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

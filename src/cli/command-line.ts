import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { SnapshotError } from '../typed-flex/snapshot/snapshot-error.ts';
import { version } from '../system.ts';
import { describeSettings } from './banner.ts';
import { runDocuments } from './documents.ts';
import { runFlex } from './flex.ts';
import { announce, print, printError } from './output.ts';
import { runDoctor } from './run-doctor.ts';
import { runSandbox } from './sandbox.ts';
import { serve } from './serve.ts';
import { schemaFlags, UsageError, type Values } from './usage.ts';

interface Command {
  readonly help: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** Whether it takes words that belong to no option. */
  readonly takesWords?: boolean;
  /** The exit code after a bug, where 1 is a result. */
  readonly bugCode?: number;
  /** @returns the exit code */
  readonly run: (values: Values, words: readonly string[]) => Promise<number>;
}

const schemaOptions = { 'flex-schema': { type: 'string' }, public: { type: 'boolean' } } as const;
const sandboxFiles = { data: { type: 'string' }, seed: { type: 'string' } } as const;

// Each command imports its modules when it runs, so that help and usage errors appear at once.
const commands: Readonly<Record<string, Command>> = {
  serve: {
    help: `trivium serve [--subgraph] [--flex-schema FILE [--public]] [--seed FILE]: the gateway, at /graphql.

  --subgraph           serves it as a subgraph of Apollo Federation 2, as SUBGRAPH=true does
  --flex-schema FILE   gives the flexible databases of a snapshot types of their own, as FLEX_SCHEMA=FILE does
  --public             serves the public methods of its databases alone, to anonymous callers, as PUBLIC=true does
  --seed FILE          starts the sandbox with the records of a JSON file in place of the demo data

Without the address of an upstream it starts a sandbox of the upstream APIs, with demo data, and serves that; in
production only with SANDBOX=true.
SIGTERM or SIGINT ends it once the requests in flight are answered; /ready answers 503 from then on.
SIGHUP reads certificates and trusted documents again; without any, and in a terminal, it ends the process.

Settings (environment variables):
${describeSettings()}`,
    options: { subgraph: { type: 'boolean' }, ...schemaOptions, seed: { type: 'string' } },
    run: serve,
  },
  sandbox: {
    help: `trivium sandbox [--data FILE] [--seed FILE] [--port N] [--host ADDRESS] [--answers MODE]: the sandbox alone.

  --data FILE      keeps the data in a file; by default it is in memory
  --seed FILE      begins with the records of a JSON file in place of the demo data: docs/sandbox.md
  --port N         listens there instead of on 4001, with the forum on N + 1; 0 takes free ports
  --host ADDRESS   listens there instead of on 127.0.0.1; in a container 0.0.0.0
  --answers MODE   answers in another way that the API documents allow:

    full              every field, as docs/assumptions.md says (default)
    lean              documented fields only, ids as texts, null or no key for an empty value, other orders, unknown keys
    wrapped           a record inside the key of its request, {"client":{…}}; lists {"clients":[…]} or [{"client":{…}}] in turn
    bare:204          a write answers nothing, with the status 204
    bare:ok           a write answers the JSON text "ok", in the forum an empty body
    bare:status       a write answers {"status":"ok"}
    bare:wrapped      a write answers the record inside the key of its request, {"client":{…}}
    bare:refused-200  a refused write answers {"status":"error","message":…} or {"errors":{…}}, with the status 200
`,
    options: { ...sandboxFiles, port: { type: 'string' }, host: { type: 'string' }, answers: { type: 'string' } },
    run: runSandbox,
  },
  schema: {
    help: `trivium schema [--check | --subgraph [--stubs]] [--flex-schema FILE [--public]]: prints the GraphQL schema.

  --check              prints nothing; fails when ./schema.graphql is another one
  --subgraph           prints it as a subgraph of Apollo Federation 2, for a supergraph to be composed of
  --stubs              prints another subgraph in its place, the owner of node and nodes, with the ids of all records
  --flex-schema FILE   with the types of the flexible databases of a snapshot, as FLEX_SCHEMA=FILE does
  --public             the public methods of these databases alone: the anonymous schema, as PUBLIC=true does
`,
    options: {
      check: { type: 'boolean' },
      subgraph: { type: 'boolean' },
      stubs: { type: 'boolean' },
      ...schemaOptions,
    },
    run: schema,
  },
  documents: {
    help: `trivium documents check FILE...: tries manifests of trusted documents, and starts nothing.

  check   says whether a gateway would serve them

  --flex-schema FILE   the snapshot that the gateway has, as FLEX_SCHEMA=FILE does
  --public             for a gateway with PUBLIC=true

  Each document has to fit the schema, and to keep the limits of the settings, as at the start of a gateway with
  TRUSTED_DOCUMENTS. What is wrong is one line, with exit code 2.
`,
    options: schemaOptions,
    takesWords: true,
    run: runDocuments,
  },
  flex: {
    help: `trivium flex pull [--db CODE]... [--flex-schema FILE]: the snapshot of definitions that gives databases types.
trivium flex diff [--db CODE]... [--flex-schema FILE]: how the definitions differ from it, and the GraphQL schema with them.

  pull                 reads the definitions, and writes them with the names of the schema, which people edit: docs/typed-flex.md
  diff                 compares the definitions with the snapshot, and writes nothing
  --db CODE            reads this database only, by its code or id, and leaves the others as they are; may be repeated
  --flex-schema FILE   the snapshot, as FLEX_SCHEMA=FILE does; by default flex.schema.json. Also --out FILE for pull, FILE for diff

  Names that were edited are kept. No record is read, no value of a default is written, and no token.

  Exit code 0   it is done, and no change breaks an operation
  Exit code 1   diff: a change is breaking; pull: a database could not be read, and stays as it was
  Exit code 2   it could not be done: settings, file, upstream or, for diff, a database that could not be read

  FLEX_URL or ACCOUNT_URL   the address
  API_TOKEN                 a token that may read the databases
`,
    options: {
      db: { type: 'string', multiple: true },
      'flex-schema': schemaOptions['flex-schema'],
      out: { type: 'string' },
    },
    takesWords: true,
    bugCode: 2,
    run: runFlex,
  },
  health: {
    help: `trivium health: asks the gateway of the same settings whether it takes requests, at /ready.

  Prints its answer. The exit code is 0 if it does, else 1: for the health check of a container.
`,
    run: runHealth,
  },
  doctor: {
    help: `trivium doctor [--watch [--interval SECONDS] | --contract [--json] [--writes]]: tries each upstream that has an address.

It makes one read at each of them, and says in words what is wrong.

  --watch               repeats that until SIGTERM or SIGINT, and prints each change with its time
  --interval SECONDS    the pause between two rounds, by default 5
  --contract            makes each documented read once, and reports what differs from the known shapes, without any value
  --json                prints that report as JSON
  --writes              also tries whether PUT of the CRM keeps what is not sent, with a deal that is deleted and a contact that stays

  ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL   the addresses to try
  API_TOKEN             the token to try them with
  CRM_TOKEN             the token to try the CRM with, where it is another one
  FORUM_AUTHORIZATION   the credential to try the forum with, Basic <base64>
`,
    options: {
      watch: { type: 'boolean' },
      interval: { type: 'string' },
      contract: { type: 'boolean' },
      json: { type: 'boolean' },
      writes: { type: 'boolean' },
    },
    run: runDoctor,
  },
};

const overview = `trivium: one GraphQL endpoint over several APIs.

Usage: trivium [command] [options]

  serve         the gateway (default)
  sandbox       the sandbox of the upstream APIs alone
  schema        prints the GraphQL schema
  documents     tries manifests of trusted documents
  flex          takes the definitions of flexible databases, for types of their own
  doctor        tries the upstreams that have an address
  health        asks a gateway that runs whether it takes requests

  --help        help, also of each command
  --version     the version
`;

async function runCommand(args: readonly string[]): Promise<number> {
  const [firstArgument = 'serve', ...rest] = args;
  if (firstArgument === '--help' || firstArgument === '-h' || firstArgument === 'help') return print(overview);
  if (firstArgument === '--version') return print(`${version()}\n`);

  const isNamed = !firstArgument.startsWith('-');
  const name = isNamed ? firstArgument : 'serve';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}: trivium --help lists them.`);

  const { values, words } = parse(name, command, isNamed ? rest : args);
  if (values['help']) return print(command.help);
  const { bugCode, run } = command;
  if (bugCode === undefined) return run(values, words);
  // The command would go on, and set its own exit code.
  process.on('uncaughtException', (error) => process.exit(fail(error, bugCode)));
  return run(values, words).catch((error: unknown) => fail(error, bugCode));
}

interface Parsed {
  readonly values: Values;
  readonly words: readonly string[];
}

function parse(name: string, { options = {}, takesWords = false }: Command, args: readonly string[]): Parsed {
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help },
      strict: true,
      allowPositionals: takesWords,
    });
    return { values: { ...values }, words: positionals };
  } catch (error) {
    // Node's messages end with advice about `--`: only the first sentence is kept
    const [what] = error instanceof Error ? error.message.split(/\.\s/) : [];
    throw new UsageError(`${what}: trivium ${name} --help lists the options.`, { cause: error });
  }
}

async function schema(values: Values): Promise<number> {
  const { check, subgraph: asSubgraph, stubs } = values;
  if (check && asSubgraph) throw new UsageError('schema takes either --check or --subgraph: no subgraph is committed.');
  if (stubs && !asSubgraph)
    throw new UsageError('schema takes --stubs with --subgraph alone: the stubs are a subgraph.');
  const { servedSchema } = await import('../apis/served-schema.ts');
  const flags = { ...schemaFlags(values), ...(asSubgraph && { SUBGRAPH: 'true' }) };
  const config = readConfig(undefined, flags);
  const served = await servedSchema(config);
  if (asSubgraph) return print(stubs ? served.subgraph(config).stubs : served.subgraph(config).sdl);
  if (!check) return print(served.printed());
  if (existsSync('schema.graphql') && readFileSync('schema.graphql', 'utf8') === served.printed()) return 0;
  return printError('schema.graphql is not what the code says: run `npm run schema` and commit it.', 1);
}

async function runHealth(): Promise<number> {
  const config = readConfig();
  const { health } = await import('./health.ts');
  return health(config);
}

/**
 * Prints an error. Errors that the user can fix are one line; all others are bugs, with a stack.
 *
 * @returns the exit code: 2, or that of a bug
 */
function fail(error: unknown, bugCode: number, say = printError): number {
  const isForUser = [ConfigError, UsageError, SnapshotError].some((type) => error instanceof type);
  if (error instanceof Error && isForUser) return say(error.message, 2);
  return say(error instanceof Error ? (error.stack ?? error.message) : String(error), bugCode);
}

/** Prints the error for which a gateway cannot start, or has ended. */
function sayWhyItEnds(msg: string, exitCode: number): number {
  announce('fatal', `${msg}\n`, { msg });
  return exitCode;
}

/** Whether the arguments start a gateway. */
export function isServing([command = 'serve']: readonly string[]): boolean {
  return command === 'serve' || command.startsWith('-');
}

/**
 * Runs the command that the arguments name, and prints its errors.
 *
 * @param args those after the script, such as `['serve', '--subgraph']`
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  return runCommand(args).catch((error: unknown) => fail(error, 1, isServing(args) ? sayWhyItEnds : printError));
}

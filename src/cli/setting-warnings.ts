import { existsSync, readFileSync } from 'node:fs';
import leven from 'leven';
import { addressOf, apiNames, apis } from '../config/apis.ts';
import { type Config, settings, variableNames } from '../config.ts';
import { receiptsPlace } from '../idempotency/settings.ts';

/** The text of HASH_SECRET in deploy/kubernetes/secret.yaml: everybody can read it. */
const EXAMPLE_SECRET = 'replace-me-by-32-random-characters-or-more';

const ENVIRONMENTS: ReadonlySet<string> = new Set(['', 'production', 'development', 'test']);

/** Environment variables with the URL of an outgoing proxy, which may hold a password: it is never shown. */
const PROXIES: ReadonlySet<string> = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']);

/**
 * Settings that are valid and probably not meant, each with a sentence that never has a secret.
 *
 * @param variables the names of those that are set
 * @param openFiles the limit on open files of the process
 */
export function settingWarnings(
  config: Config,
  variables: readonly string[] = variableNames(),
  openFiles = openFileLimit(),
): (readonly [setting: string, message: string])[] {
  const { UPSTREAM_TIMEOUT_MS, OPERATION_TIMEOUT_MS, NODE_ENV, HASH_SECRET } = config;
  const isSubgraph = config.SUBGRAPH === 'true';
  const closed = 'TRUSTED_DOCUMENTS_ONLY refuses what a router sends to a SUBGRAPH: close the router instead';
  const example = 'HASH_SECRET is the example of deploy/kubernetes/secret.yaml, which everybody can read';
  const files = filesNeeded(config);
  const tooFew = `The limit on open files is ${openFiles}; MAX_CONNECTIONS and UPSTREAM_CONNECTIONS need ${files}: raise it (ulimit -n ${files})`;
  const proxies = variables.filter((variable) => PROXIES.has(variable.toUpperCase()));
  const possible: readonly (readonly [holds: unknown, setting: string, message: string])[] = [
    [
      UPSTREAM_TIMEOUT_MS > OPERATION_TIMEOUT_MS,
      'UPSTREAM_TIMEOUT_MS',
      'UPSTREAM_TIMEOUT_MS has no effect: OPERATION_TIMEOUT_MS is shorter',
    ],
    [isSubgraph && config.TRUSTED_DOCUMENTS_ONLY === 'true', 'TRUSTED_DOCUMENTS_ONLY', closed],
    [!isSubgraph && config.SUBGRAPH_TAGS === 'true', 'SUBGRAPH_TAGS', 'SUBGRAPH_TAGS has no effect without SUBGRAPH'],
    ...proxies.map((name) => [true, name, `${name} has no effect: the APIs are called directly`] as const),
    [!ENVIRONMENTS.has(NODE_ENV), 'NODE_ENV', 'NODE_ENV is not production: only that name has an effect, see GRAPHIQL'],
    [HASH_SECRET?.reveal() === EXAMPLE_SECRET, 'HASH_SECRET', example],
    [openFiles < files, 'MAX_CONNECTIONS', tooFew],
  ];
  const found = possible.flatMap(([holds, setting, message]) => (holds ? [[setting, message] as const] : []));
  if (NODE_ENV !== 'production' || config.PUBLIC === 'true') return found;
  found.push(...missingAddresses(config));
  if (config.IDEMPOTENCY === 'auto' && receiptsPlace(config) === 'memory')
    found.push(['IDEMPOTENCY', `${IN_MEMORY}; IDEMPOTENCY=memory says that this is meant`]);
  return found;
}

/** The open files of one process when all its connections are in use; 100 are for its own, logs, Redis and metrics. */
function filesNeeded({ MAX_CONNECTIONS, UPSTREAM_CONNECTIONS }: Config): number {
  return 100 + MAX_CONNECTIONS + apiNames.length * UPSTREAM_CONNECTIONS;
}

/** The limit on open files. Node has raised the soft limit to the hard one. Infinity where nothing says it: Linux alone has the file. */
function openFileLimit(): number {
  const limits = '/proc/self/limits';
  const [, limit] = /^Max open files +(\d+)/m.exec(existsSync(limits) ? readFileSync(limits, 'utf8') : '') ?? [];
  return Number(limit ?? Infinity);
}

const IN_MEMORY =
  'Receipts of writes are in memory: a write that is sent again after a restart is a new one. REDIS_URL keeps them';

/** The line of the banner on receipts of writes. Empty where they are in Redis, or no write has one. */
export function receiptsLine(config: Config): string {
  const isInMemory = config.PUBLIC !== 'true' && receiptsPlace(config) === 'memory';
  return isInMemory ? `\n  ${IN_MEMORY}\n` : '';
}

/** Those of some APIs, where others have one: the fields of these APIs are errors. */
function missingAddresses(config: Config): (readonly [setting: string, message: string])[] {
  const missing = apiNames.filter((name) => addressOf(name, config) === undefined);
  if (missing.length === apiNames.length) return [];
  return missing.map((name) => {
    const setting = `${apis[name].prefix}_URL`;
    return [setting, `${setting} is not set: fields of ${apis[name].words} are errors`] as const;
  });
}

/** A variable of the environment that is no setting, and the setting that was probably meant. */
export interface Misspelling {
  readonly variable: string;
  readonly setting: string;
}

/** Shorter names, PORT and HOST, are near to names that have other meanings, such as POST: of these only two swapped letters tell. */
const MIN_LENGTH = 5;

/** The maximum number of misspellings that are returned. */
const MAX_MISSPELLINGS = 10;

/** Names that other programs read. */
const OF_OTHER_PROGRAMS: ReadonlySet<string> = new Set(['APP_TOKEN']);

const NAMES = Object.keys(settings);

/**
 * Finds variables that are probably misspelled settings: one letter is missing, wrong or too many, or two are swapped, or the last
 * words are missing. A variable whose neighbour is set, too, belongs to another program.
 *
 * @param variables the names of those that are set
 */
export function misspelledSettings(variables: readonly string[] = variableNames()): Misspelling[] {
  const found: Misspelling[] = [];
  for (const variable of variables) {
    if (Object.hasOwn(settings, variable) || OF_OTHER_PROGRAMS.has(variable) || !/^\w+$/.test(variable)) continue;
    const setting = NAMES.find((name) => isMisspelled(variable, name)) ?? beginningWith(variable);
    if (setting !== undefined && !variables.includes(setting)) found.push({ variable, setting });
    if (found.length === MAX_MISSPELLINGS) break;
  }
  return found;
}

function isMisspelled(variable: string, setting: string): boolean {
  const edits = leven(variable, setting, { maxDistance: 3 });
  return edits === 1 ? setting.length >= MIN_LENGTH : edits === 2 && lettersOf(variable) === lettersOf(setting);
}

const lettersOf = (name: string) => [...name].sort().join('');

/** The only setting that begins with the words of a variable: with two at least, as other programs have names of one. */
function beginningWith(variable: string): string | undefined {
  if (!/^[A-Z]+(?:_[A-Z]+)+$/.test(variable)) return undefined;
  const [setting, ...others] = NAMES.filter((name) => name.startsWith(`${variable}_`));
  return others.length === 0 ? setting : undefined;
}

/** The warning about a misspelled setting. It never has the value of the variable. */
export function misspellingMessage({ variable, setting }: Misspelling): string {
  return `${variable} is no setting and has no effect: ${setting} is one`;
}

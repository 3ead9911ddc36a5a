import { getOwn, isJsonObject, type JsonObject, jsonObjectInput } from '../json-object.ts';

/** The public methods of a database. */
export const operations = ['list', 'get', 'create', 'update', 'delete', 'search'] as const;
export type Operation = (typeof operations)[number];

/** Restrictions of one public method; null is no restriction. */
export interface MethodOptions {
  readonly allowed_fields: readonly string[] | null;
  readonly required_fields: readonly string[];
  readonly default_values: JsonObject;
  /** Templates by field: `{ip}`, `{cookie_key}`, `{user_id}` and `{user_name}` are replaced by the server. */
  readonly auto_fields: ReadonlyMap<string, string>;
  readonly allowed_params: readonly string[] | null;
  readonly scope: Scope | null;
}

/** Each caller gets only the records whose field holds the caller's own value. */
interface Scope {
  readonly field: string;
  readonly template: string;
}

export type PublicMethods = ReadonlyMap<Operation, MethodOptions>;

/** Collects a problem of the configuration. */
type ReportProblem = (problem: string) => void;

const optionNames = [
  'allowed_fields',
  'required_fields',
  'default_values',
  'auto_fields',
  'allowed_params',
  'scope_by',
];

/**
 * The methods that are on, and all that is wrong with their configuration.
 * Not documented (A105): null and false turn a method off, and what is no option is refused.
 */
export function readPublicMethods(value: unknown): {
  readonly methods: PublicMethods;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const methods = readMethods(value, (problem) => problems.push(problem));
  return { methods, problems };
}

function readMethods(value: unknown, report: ReportProblem): PublicMethods {
  const methods = new Map<Operation, MethodOptions>();
  if (value === null) return methods;
  if (!isJsonObject(value)) {
    report('must be an object');
    return methods;
  }
  for (const [name, configured] of Object.entries(value)) {
    const operation = operations.find((known) => known === name);
    if (!operation) report(`${name} is not one of ${operations.join(', ')}`);
    else if (configured === true) methods.set(operation, readOptions(name, {}, value, report));
    else if (isJsonObject(configured)) methods.set(operation, readOptions(name, configured, value, report));
    else if (configured !== false && configured !== null) report(`${name} must be true or an object of options`);
  }
  return methods;
}

function readOptions(operation: string, given: JsonObject, all: JsonObject, report: ReportProblem): MethodOptions {
  const optionPath = (name: string) => `${operation}.${name}`;
  for (const name of Object.keys(given)) {
    if (!optionNames.includes(name)) report(`${optionPath(name)} is not an option`);
  }
  const names = (name: string) => readNames(getOwn(given, name) ?? null, optionPath(name), report);
  return {
    allowed_fields: names('allowed_fields'),
    required_fields: names('required_fields') ?? [],
    default_values: readDefaults(getOwn(given, 'default_values') ?? {}, optionPath('default_values'), report),
    auto_fields: readTemplates(getOwn(given, 'auto_fields') ?? {}, optionPath('auto_fields'), report),
    allowed_params: names('allowed_params'),
    scope: readScope(getOwn(given, 'scope_by') ?? null, [given, ...Object.values(all)], optionPath('scope_by'), report),
  };
}

function readNames(value: unknown, at: string, report: ReportProblem): string[] | null {
  if (value === null) return null;
  if (Array.isArray(value) && value.every((name: unknown) => typeof name === 'string')) return value;
  report(`${at} must be a list of names`);
  return null;
}

function readDefaults(value: unknown, at: string, report: ReportProblem): JsonObject {
  const { data = {}, error } = jsonObjectInput.safeParse(value);
  for (const { message } of error?.issues ?? []) report(`${at} ${message}`);
  return data;
}

function readTemplates(value: unknown, at: string, report: ReportProblem): Map<string, string> {
  const templates = new Map<string, string>();
  if (!isJsonObject(value)) report(`${at} must be an object`);
  for (const [field, template] of isJsonObject(value) ? Object.entries(value) : []) {
    if (typeof template === 'string') templates.set(field, template);
    else report(`${at}.${field} must be a text`);
  }
  return templates;
}

/**
 * `scope_by` takes its variable from the `auto_fields` entry of that field.
 * Not documented (A115): a method that has no such entry itself takes that of another one, and without any it is
 * refused.
 */
function readScope(field: unknown, configured: readonly unknown[], at: string, report: ReportProblem): Scope | null {
  if (field === null) return null;
  if (typeof field !== 'string') {
    report(`${at} must be the name of a field`);
    return null;
  }
  for (const options of configured) {
    const entries = isJsonObject(options) ? getOwn(options, 'auto_fields') : undefined;
    const template = isJsonObject(entries) ? getOwn(entries, field) : undefined;
    if (typeof template === 'string') return { field, template };
  }
  report(`${at} needs an auto_fields entry for ${field}`);
  return null;
}

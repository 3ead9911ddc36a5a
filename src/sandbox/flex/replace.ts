import type { SandboxServices } from '../services.ts';
import { HttpError, invalid, json } from '../responses.ts';
import type { Router } from '../router.ts';
import { getOwn, isJsonObject } from '../json-object.ts';
import { parseJson, stringifyJson } from '../json-text.ts';
import { shown, visible } from './databases.ts';
import { readPublicMethods } from './public-options.ts';
import { readSchema } from './schemas.ts';
import { type DatabaseFields, parseJsonText, saveDatabase, type StoredDatabase } from './stored-databases.ts';

const replaceable = ['fields', 'schema', 'public_methods'] as const;
type Replaceable = (typeof replaceable)[number];

/** Not documented (A78): how long a definition may become by an edit. */
const maxLength = 10_000_000;

interface Edit {
  readonly field: Replaceable;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

/** Adds the route that replaces a substring in the stored JSON text of a definition. */
export function replace(router: Router, services: SandboxServices): void {
  router.on('PATCH /flex/dbs/:id/replace.json', (request) => {
    const database = visible(services, request);
    const edit = readEdit(request.body);
    const value = readJson(replaceInText(edit, storedText(database, edit.field)));
    return json(shown(saveDatabase(services, database, validateChange(database, edit.field, value))));
  });
}

function readEdit(body: unknown): Edit {
  const given = isJsonObject(body) ? body : {};
  const field = replaceable.find((name) => name === getOwn(given, 'field'));
  const [old_string, new_string] = [getOwn(given, 'old_string'), getOwn(given, 'new_string') ?? ''];
  const replace_all = getOwn(given, 'replace_all') ?? false;
  if (!field) throw editError(`field must be one of ${replaceable.join(', ')}`);
  if (typeof old_string !== 'string' || old_string === '') throw editError('old_string is required');
  if (typeof new_string !== 'string') throw editError('new_string must be a string');
  if (typeof replace_all !== 'boolean') throw editError('replace_all must be true or false');
  return { field, old_string, new_string, replace_all };
}

/**
 * Not documented (A76): `fields` are those of the schema of a single table; with several tables there are none.
 * What is not set has an empty text, in which nothing is found.
 */
function storedText({ schema, public_methods }: StoredDatabase, field: Replaceable): string {
  if (field === 'public_methods') return public_methods ?? '';
  if (field === 'schema') return schema ?? '';
  const whole = parseJsonText(schema);
  const fields = isJsonObject(whole) ? getOwn(whole, 'fields') : undefined;
  return fields === undefined ? '' : stringifyJson(fields);
}

function replaceInText({ field, old_string, new_string, replace_all }: Edit, text: string): string {
  const parts = text.split(old_string);
  if (parts.length === 1) throw editError(`old_string not found in ${field}`);
  if (parts.length > 2 && !replace_all) throw editError('old_string is not unique, use replace_all: true');
  if (text.length + (parts.length - 1) * new_string.length > maxLength) throw editError('the result is too long');
  return parts.join(new_string);
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw editError('the result is not valid JSON');
  }
}

/** The changed fields of the database, validated. An invalid definition is 422 by field. */
function validateChange({ schema }: StoredDatabase, field: Replaceable, value: unknown): Partial<DatabaseFields> {
  if (field === 'public_methods')
    return { public_methods: validJsonText(field, value, readPublicMethods(value).problems) };
  const whole = field === 'schema' ? value : withFields(parseJsonText(schema), value);
  return { schema: validJsonText('schema', whole, readSchema(whole).problems) };
}

function withFields(schema: unknown, fields: unknown): unknown {
  return isJsonObject(schema) ? { ...schema, fields } : { fields };
}

function validJsonText(field: string, value: unknown, problems: readonly string[]): string | null {
  if (problems.length > 0) throw invalid({ [field]: problems });
  return value === null ? null : stringifyJson(value);
}

/** 422 with one message instead of messages by field. */
function editError(error: string): HttpError {
  return new HttpError(json({ error }, 422));
}

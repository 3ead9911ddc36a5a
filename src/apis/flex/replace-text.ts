import { readExactly } from '../../graph/json.ts';
import { invalidInput } from '../../errors.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { parseLongNumbers } from '../../formats/long-numbers.ts';
import type { Replacement } from './source.ts';
import type { FlexDbRecord } from './wire.ts';

/** Not documented (A78): how long a definition may become by an edit. */
const MAX_LENGTH = 10_000_000;

/**
 * Edits a definition as upstream would. Not documented (A76): the stored text is the JSON of a read, without blanks, and
 * `fields` are those of the schema of a single table.
 *
 * @returns the part of the database that changes, under its name on the wire
 * @throws ValidationError where upstream would refuse the edit
 * @throws BadResponseError for a part whose text is not known, because it holds a number that JavaScript would round
 */
export function replaceText(database: FlexDbRecord, edit: Replacement): Partial<FlexDbRecord> {
  const schema = isObject(database.schema) ? database.schema : {};
  if (edit.field === 'fields') return { schema: { ...schema, fields: edited(schema['fields'], edit) } };
  return { [edit.field]: edited(database[edit.field], edit) };
}

function edited(part: unknown, { old_string, new_string, replace_all }: Replacement): JsonObject | null {
  if (old_string === '') throw invalidInput('oldString', 'is empty');
  const text = isObject(part) ? JSON.stringify(readExactly(part)) : '';
  const parts = text.split(old_string);
  if (parts.length === 1) throw invalidInput('oldString', 'does not occur');
  if (parts.length > 2 && !replace_all) throw invalidInput('oldString', 'occurs several times: use `replaceAll`');
  const added = (parts.length - 1) * (new_string.length - old_string.length);
  if (text.length + added > MAX_LENGTH) throw invalidInput('newString', 'makes the definition too long');
  return parsed(parts.join(new_string));
}

function parsed(text: string): JsonObject | null {
  const value = jsonOrUndefined(text);
  if (value === null || isObject(value)) return value;
  throw invalidInput('newString', 'leaves no JSON object');
}

function jsonOrUndefined(text: string): unknown {
  try {
    return parseLongNumbers(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

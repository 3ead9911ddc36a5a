import { type GraphQLSchema, isEnumType } from 'graphql';
import { suggestionFor } from './suggestions.ts';

// The messages of graphql-js quote the refused values and the text beside them, which may be passwords. These functions
// remove the values and keep the variable, the place in it, the expected type and names. They add the values of an enum.

const valuePatterns: readonly (readonly [message: RegExp, without: string])[] = [
  // Not the list of values that is added below: a message may be stripped twice.
  [/^((?:\w+|Enum "\w+") cannot represent (?:(?! Expected one of)[^:])*): [^]*$/, '$1.'],
  [/^Value "[^]*" does not exist in "(\w+)" enum\./, 'The value does not exist in "$1" enum.'],
  [/^(Expected value of type "[^"]+"), found [^]*$/, '$1.'],
  [/^(Argument "\w+" has) invalid value [^]*$/, '$1 an invalid value.'],
  [/^(Syntax Error: (?:Unexpected|Expected .+?, found) (?:String|BlockString|Int|Float)) "[^]*$/, '$1.'],
];

/** Begins the message about a variable, whose value it does not quote. */
const REFUSED_VARIABLE = /^Variable "\$(\w+)" got an invalid value(?: at "[^"]+")?; /;

/** The key of an object that a caller sent. Other than a name of GraphQL it may hold quotes. */
const KEY_OF_JSON = /^(Field "|Unexpected parameter ")([^]*)(" is not defined by type "|" in the request body)/;

/** Longer names are cut: a caller chooses them. */
const MAX_NAME_LENGTH = 100;

/** A name that the schema does not have, as an error shows it. */
export function shortName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/**
 * Returns the message of an error of graphql-js without the values in it.
 *
 * @param schema whose names the message suggests in the place of a misspelt one. Undefined for none: by suggestions a caller
 *   could find the schema where introspection is closed by a proxy
 */
export function redactedMessage(message: string, schema: GraphQLSchema | undefined): string {
  const [place = '', variable = ''] = REFUSED_VARIABLE.exec(message) ?? [];
  const reason = message.slice(place.length);
  const text = valuePatterns.reduce((quoted, [quotes, without]) => quoted.replace(quotes, without), reason);
  const cut = text
    .replace(KEY_OF_JSON, (_message, start: string, key: string, end: string) => `${start}${shortName(key)}${end}`)
    .replaceAll(/"([^"]*)"/g, (_quoted, name: string) => `"${shortName(name)}"`);
  return `${place.replaceAll(variable, shortName(variable))}${cut}${schema ? `${expectedValues(cut, schema)}${suggestionFor(reason, schema)}` : ''}`;
}

/** Matches a message, stripped of values, that refuses the value of an enum and does not list the enum's values. */
const REFUSED_ENUM_VALUE =
  /^(?:The value does not exist in "(?<absent>\w+)" enum|Enum "(?<unfit>\w+)" cannot represent [^.]+)\.$/;

/** A message lists this many values of an enum at most. The schema has all of them. */
const MAX_VALUES = 20;

/** The sentence that lists the values of an enum, where one was refused. */
function expectedValues(message: string, schema: GraphQLSchema): string {
  const { absent, unfit } = REFUSED_ENUM_VALUE.exec(message)?.groups ?? {};
  const type = schema.getType(absent ?? unfit ?? '');
  if (!isEnumType(type)) return '';
  const values = type.getValues().map(({ name }) => name);
  const rest = values.length - MAX_VALUES;
  return ` Expected one of: ${values.toSorted().slice(0, MAX_VALUES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

import type { GraphQLError } from 'graphql';
import { builder } from '../../graphql/builder.ts';

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

/** Returns the message of an error of graphql-js without the values in it. */
export function stripValues({ message, originalError }: GraphQLError): string {
  const [prefix, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? [];
  if (prefix === undefined) return stripPatterns(message);

  const reason = originalError?.message ?? '';
  const quoted = message.slice(0, message.length - `; ${reason}`.length);
  const [location = ''] = / at "\w+(?:\.\w+|\[\d+\])*"$/.exec(quoted) ?? []; // a quoted value would contain \" here
  return `Variable "$${variable}" got an invalid value${location}; ${stripPatterns(reason)}`;
}

/** Matches a message, stripped of values, that refuses the value of an enum and does not list the enum's values. */
const refusedEnumValue =
  /^(?:The value does not exist in "(\w+)" enum\.(?! Expected)|Enum "(\w+)" cannot represent [^.]+\.$)/;

function stripPatterns(message: string): string {
  const text = valuePatterns.reduce((quoted, [quotes, without]) => quoted.replace(quotes, without), message);
  return text.replace(
    refusedEnumValue,
    (told, absent?: string, unfit?: string) => `${told}${expectedValues(absent ?? unfit ?? '')}`,
  );
}

/** A message lists this many values of an enum at most. The schema has all of them. */
const MAX_VALUES = 20;

/** The sentence that lists the values of an enum. */
function expectedValues(name: string): string {
  const config = builder.configStore.typeConfigs.get(name);
  if (config?.kind !== 'Enum') return '';
  const values = Object.keys(config.values).sort();
  const rest = values.length - MAX_VALUES;
  return ` Expected one of: ${values.slice(0, MAX_VALUES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Returns a message without the names that it suggests: `Did you mean "apiTokens"?` and the values of an enum. */
export function stripSuggestions(message: string): string {
  return message.replace(/ (?:Expected one of: |Did you mean )[^]*$/, '');
}

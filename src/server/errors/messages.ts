import type { GraphQLError } from 'graphql';
import { builder } from '../../builder.ts';

// graphql's own messages quote the values that they refuse, and what stands beside them: any of it may be a password.
// Kept is what helps: the variable, the place within it, what was expected, and names; the values of an enum are added.

const quoting: readonly (readonly [message: RegExp, without: string])[] = [
  [/^((?:\w+|Enum "\w+") cannot represent [^:]*): [^]*$/, '$1.'],
  [/^Value "[^]*" does not exist in "(\w+)" enum\./, 'The value does not exist in "$1" enum.'],
  [/^(Expected value of type "[^"]+"), found [^]*$/, '$1.'],
  [/^(Argument "\w+" has) invalid value [^]*$/, '$1 an invalid value.'],
  [/^(Syntax Error: (?:Unexpected|Expected .+?, found) (?:String|BlockString|Int|Float)) "[^]*$/, '$1.'],
];

/** The message of an error that graphql itself has made, without the values in it. */
export function stripValues({ message, originalError }: GraphQLError): string {
  const [start, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? [];
  if (start === undefined) return stripKnown(message);

  const reason = originalError?.message ?? '';
  const quoted = message.slice(0, message.length - `; ${reason}`.length);
  const [place = ''] = / at "\w+(?:\.\w+|\[\d+\])*"$/.exec(quoted) ?? []; // a quoted text would hold \" in there
  return `Variable "$${variable}" got an invalid value${place}; ${stripKnown(reason)}`;
}

/** What is left of a message that refuses the value of an enum, up to where it is told which values there are. */
const noValue = /^(?:The value does not exist in "(\w+)" enum\.(?! Expected)|Enum "(\w+)" cannot represent [^.]+\.$)/;

function stripKnown(message: string): string {
  const text = quoting.reduce((quoted, [quotes, without]) => quoted.replace(quotes, without), message);
  return text.replace(noValue, (told, absent?: string, unfit?: string) => `${told}${valuesOf(absent ?? unfit ?? '')}`);
}

/** More than these would hide what the message says: the schema has them all. */
const MOST_VALUES = 20;

/** What an enum takes, in words. */
function valuesOf(name: string): string {
  const config = builder.configStore.typeConfigs.get(name);
  if (config?.kind !== 'Enum') return '';
  const values = Object.keys(config.values).sort();
  const rest = values.length - MOST_VALUES;
  return ` Expected one of: ${values.slice(0, MOST_VALUES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

import type { GraphQLError } from 'graphql';

// graphql's own messages quote the values that they refuse, and what stands beside them: any of it may be a password.
// Kept is what helps: the variable, the place within it, what was expected, and names.

const quoting: readonly (readonly [message: RegExp, without: string])[] = [
  [/^((?:\w+|Enum "\w+") cannot represent [^:]*): [^]*$/, '$1.'],
  [/^Value "[^]*" does not exist in "(\w+)" enum\./, 'The value does not exist in "$1" enum.'],
  [/^(Expected value of type "[^"]+"), found [^]*$/, '$1.'],
  [/^(Argument "\w+" has) invalid value [^]*$/, '$1 an invalid value.'],
  [/^(Syntax Error: (?:Unexpected|Expected .+?, found) (?:String|BlockString|Int|Float)) "[^]*$/, '$1.'],
];

/** The message of an error that graphql itself has made, without the values in it. */
export function withoutValues({ message, originalError }: GraphQLError): string {
  const [start, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? [];
  if (start === undefined) return unquoted(message);

  const reason = originalError?.message ?? '';
  const quoted = message.slice(0, message.length - `; ${reason}`.length);
  const [place = ''] = / at "\w+(?:\.\w+|\[\d+\])*"$/.exec(quoted) ?? []; // a quoted text would hold \" in there
  return `Variable "$${variable}" got an invalid value${place}; ${unquoted(reason)}`;
}

function unquoted(message: string): string {
  return quoting.reduce((text, [quotes, without]) => text.replace(quotes, without), message);
}

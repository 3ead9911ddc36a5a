import {
  type GraphQLFieldMap,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { memoize1 } from '@graphql-tools/utils';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import leven from 'leven';

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

// graphql-js compares each name that it does not know with all names of the schema. In a schema of typed databases that takes a
// tenth of a second for each error, so that its suggestions are off, and are made here for the errors that a caller sees.

/** More names are not compared with a misspelt one. */
const MAX_CANDIDATES = 500;

/** Longer names get no suggestion: to compare them takes long. */
const MAX_LENGTH = 100;

/** The names in a message: the misspelt one, and those of its type, its field or its directive. */
interface Named {
  readonly name: string;
  readonly owner: string;
  readonly field: string;
}

type Suggest = (schema: GraphQLSchema, named: Named) => string;

/** The messages of graphql-js about an unknown name, each with the function that finds similar names. */
const MISSPELT: readonly (readonly [message: RegExp, suggest: Suggest])[] = [
  [/^Unknown type "(?<name>\w+)"\.$/, (schema, { name }) => similar(name, namesIn(schema.getTypeMap()))],
  [/^Cannot query field "(?<name>\w+)" on type "(?<owner>\w+)"\.$/, similarField],
  [
    /^Unknown argument "(?<name>\w+)" on field "(?<owner>\w+)\.(?<field>\w+)"\.$/,
    (schema, { name, owner, field }) => similar(name, namesOf(fieldsOf(schema, owner)?.[field]?.args)),
  ],
  [
    /^Unknown argument "(?<name>\w+)" on directive "@(?<owner>\w+)"\.$/,
    (schema, { name, owner }) => similar(name, namesOf(schema.getDirective(owner)?.args)),
  ],
  [
    /^Field "(?<name>\w+)" is not defined by type "(?<owner>\w+)"\.$/,
    (schema, { name, owner }) => {
      const type = schema.getType(owner);
      return isInputObjectType(type) ? similar(name, Object.keys(type.getFields())) : '';
    },
  ],
  [
    /^Value "(?<name>\w+)" does not exist in "(?<owner>\w+)" enum\.$/,
    (schema, { name, owner }) => {
      const type = schema.getType(owner);
      return isEnumType(type) ? similar(name, namesOf(type.getValues()), 'the enum value') : '';
    },
  ],
];

/** The sentence ` Did you mean "clients"?` at the end of a message of graphql-js. Empty where nothing is like the name in it. */
function suggestionFor(message: string, schema: GraphQLSchema): string {
  for (const [form, suggest] of MISSPELT) {
    const { name = '', owner = '', field = '' } = form.exec(message)?.groups ?? {};
    if (name !== '' && name.length <= MAX_LENGTH) return suggest(schema, { name, owner, field });
  }
  return '';
}

function similar(name: string, candidates: readonly string[], kind = ''): string {
  if (candidates.length > MAX_CANDIDATES) return '';
  const most = Math.floor(name.length * 0.4) + 1; // as graphql-js has it
  const found = candidates
    .map((candidate) => [candidate, leven(name.toLowerCase(), candidate.toLowerCase())] as const)
    .filter(([, edits]) => edits <= most)
    .sort(([one, edits], [other, otherEdits]) => edits - otherEdits || one.localeCompare(other))
    .map(([candidate]) => candidate);
  return kind === '' ? didYouMean(found) : didYouMean(kind, found);
}

/** A field of the type, or behind an interface or a union the types that have the field. */
function similarField(schema: GraphQLSchema, { name, owner }: Named): string {
  const type = schema.getType(owner);
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  if (types.length > 0 && types.length <= MAX_CANDIDATES) {
    const withField = types.filter((each) => Object.hasOwn(each.getFields(), name));
    if (withField.length > 0) return didYouMean('to use an inline fragment on', namesOf(withField));
  }
  return similar(name, namesIn(fieldsOf(schema, owner) ?? {}));
}

function fieldsOf(schema: GraphQLSchema, owner: string): GraphQLFieldMap<unknown, unknown> | undefined {
  const type = schema.getType(owner);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : undefined;
}

/** Kept as long as the schema: to list its types takes milliseconds. */
const namesIn = memoize1((map: object): readonly string[] => Object.keys(map));

const namesOf = (named: readonly { readonly name: string }[] = []) => named.map(({ name }) => name);

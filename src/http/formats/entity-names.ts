const SEMICOLON = 0x3b;
const LAST_LETTER = 0x7a;

/** HTML's names of ASCII characters. XML has the first five of them. */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': 'amp AMP',
    '<': 'lt LT',
    '>': 'gt GT',
    '"': 'quot QUOT',
    "'": 'apos',
    '\t': 'Tab',
    '\n': 'NewLine',
    '!': 'excl',
    '#': 'num',
    $: 'dollar',
    '%': 'percnt',
    '(': 'lpar',
    ')': 'rpar',
    '*': 'ast midast',
    '+': 'plus',
    ',': 'comma',
    '.': 'period',
    '/': 'sol',
    ':': 'colon',
    ';': 'semi',
    '=': 'equals',
    '?': 'quest',
    '@': 'commat',
    '[': 'lsqb lbrack',
    '\\': 'bsol',
    ']': 'rsqb rbrack',
    '^': 'Hat',
    _: 'lowbar UnderBar',
    '`': 'grave DiacriticalGrave',
    '{': 'lcub lbrace',
    '|': 'verbar vert VerticalLine',
    '}': 'rcub rbrace',
  }).flatMap(([character, spellings]) => spellings.split(' ').map((name): [string, string] => [name, character])),
);

/** The beginnings of all names: a text that begins like none of them is left at its first letters. */
const beginnings: ReadonlySet<string> = new Set(
  [...names.keys()].flatMap((name) => Array.from({ length: name.length }, (_, at) => name.slice(0, at + 1))),
);

/**
 * Finds the character of an HTML entity by its name, such as `amp;`.
 *
 * @param next returns the next character; it is called up to the semicolon, or until no name begins so
 * @returns the code of an ASCII character; undefined for every other name
 */
export function entityNamed(next: () => number): number | undefined {
  let name = '';
  while (name === '' || beginnings.has(name)) {
    const character = next();
    if (character === SEMICOLON) return names.get(name)?.charCodeAt(0);
    if (character > LAST_LETTER) return undefined;
    name += String.fromCharCode(character);
  }
  return undefined;
}

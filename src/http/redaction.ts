/** A longer secret is looked for as JSON writes it, and as it is: a pattern of all spellings has to end somewhere. */
const LONGEST_PATTERN = 1_000;

const REDACTED = '[redacted]';

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Takes secrets out of a text, also as they are spelt in an address, in JSON and in HTML, and there more than once. */
export function without(secrets: readonly string[]): (text: string) => string {
  const given = secrets.filter((secret) => secret !== '');
  const long = given
    .filter(({ length }) => length > LONGEST_PATTERN)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret]);
  // In one go: a short secret would be found in what stands for another.
  const patterns = given.filter(({ length }) => length <= LONGEST_PATTERN).map((secret) => pattern(secret));
  const any = patterns.length > 0 ? new RegExp(patterns.join('|'), 'g') : undefined;

  return (text) => {
    const left = long.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return any ? left.replace(any, REDACTED) : left;
  };
}

function pattern(secret: string): string {
  return Array.from(secret, (character) => spellings(character)).join('');
}

/** A pattern of every spelling of one character. */
function spellings(character: string): string {
  if (/^[a-z0-9]$/i.test(character)) return character;
  const literal = `\\\\*${character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')}`;
  const percent = Array.from(Buffer.from(character), (byte) => `%(?:25)*${inAnyCase(hex(byte, 2))}`).join('');
  const units = character.split('').map((unit) => `\\\\+u${inAnyCase(hex(unit.charCodeAt(0), 4))}`);
  const code = character.codePointAt(0) ?? 0;
  const numbers = [`#0*${code};`, `#[xX]0*${inAnyCase(hex(code))};`];
  const name = entities[character];
  const entity = `&(?:amp;)*(?:${[...numbers, ...(name === undefined ? [] : [`${name};`])].join('|')})`;
  const plus = character === ' ' ? ['\\+'] : [];
  return `(?:${[percent, units.join(''), entity, ...plus, literal].join('|')})`;
}

function hex(code: number, digits = 1): string {
  return code.toString(16).padStart(digits, '0');
}

function inAnyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

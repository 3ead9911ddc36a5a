import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { expect, test, vi } from 'vitest';
import { boundedRules } from '../../src/operation/rules.ts';
import { dice } from '../support/dice.ts';

// The rules that take no time by the size of the schema refuse what those of graphql-js refuse, by the same errors.

const objects = Array.from({ length: 12 }, (_none, at) => `T${at}`);
const schema = buildSchema(`
  interface Node { id: ID }
  interface Named { name: String }
  interface Rare { id: ID }
  ${objects.map((name, at) => `type ${name} implements ${at === 11 ? 'Rare' : at % 3 === 0 ? 'Node & Named' : 'Node'} { id: ID name: String }`).join('\n')}
  union Few = T0 | T11
  union Two = T1 | T2
  type Query { node: Node named: Named rare: Rare few: Few two: Two one: T3 }
`);
const conditions = ['Node', 'Named', 'Rare', 'Few', 'Two', 'Query', 'Nothing', 'String', ...objects];
const rules = boundedRules(specifiedRules);

const errorsBy = (document: ReturnType<typeof parse>, given: typeof rules) =>
  validate(schema, document, given, { hideSuggestions: true, maxErrors: 1_000 })
    .map(({ message, locations }) => `${JSON.stringify(locations)} ${message}`)
    .toSorted();

test('300 random documents have the same errors', () => {
  const { pick, roll } = dice(7);
  const condition = () => conditions[roll(conditions.length)] ?? '';
  const selection = (depth: number): string =>
    Array.from({ length: 1 + roll(3) }, () => {
      const inner = depth === 0 ? '__typename' : selection(depth - 1);
      return pick(
        `... on ${condition()} { ${inner} }`,
        `... { ${inner} }`,
        `...F${roll(3)}`,
        `${pick('node', 'few', 'two', 'rare', 'named', 'one')} { ${inner} }`,
      );
    }).join(' ');
  let refused = 0;
  for (let round = 0; round < 300; round++) {
    const fragments = [0, 1, 2].map(
      (at) => `fragment F${at} on ${condition()} { __typename ${at > 0 ? `...F${at - 1}` : ''} }`,
    );
    const document = parse(`query ($v: ${condition()}) { ${selection(3)} } ${fragments.join(' ')}`);
    const expected = errorsBy(document, specifiedRules);
    expect(errorsBy(document, rules)).toEqual(expected);
    if (expected.some((error) => error.includes('can never be of type'))) refused += 1;
  }
  expect(refused).toBeGreaterThan(30);
});

test.each(['{ node { SPREADS } }', '{ rare { SPREADS } }'])(
  'of two abstract types the smaller one is looked through, once for each pair: %s',
  (query) => {
    const isSubType = vi.spyOn(schema, 'isSubType');
    const condition = query.includes('rare') ? 'Node' : 'Rare';
    const text = query.replace('SPREADS', `... on ${condition} { id } `.repeat(50));
    validate(schema, parse(text), rules, { hideSuggestions: true });
    const pairs = isSubType.mock.calls.filter(([, type]) => type.name.startsWith('T'));
    expect(pairs).toHaveLength(1); // Rare has one type
    isSubType.mockRestore();
  },
);

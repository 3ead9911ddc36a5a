import { describe, expect, test } from 'vitest';
import { schemaChanges, type Texts } from '../../scripts/breaking-changes/changes.ts';

const schema = `
  directive @semanticNonNull(levels: [Int!]! = [0]) on FIELD_DEFINITION
  type Query {
    clients(first: Int): [Client!] @semanticNonNull
    search(order: Order = NAME): [Found] @semanticNonNull(levels: [0, 1])
  }
  type Client { id: ID! name: String }
  type Deal { id: ID! price: String stage: Stage }
  union Found = Client | Deal
  enum Order { NAME PRICE }
  enum Stage { OPEN WON }
  input Page { size: Int = 10 }
`;

const base: Texts = { schema, decisions: '# 1. Old\n\nOf `Deal.price`.', changelog: '- The CRM: `Deal.price`.' };

/** What the change breaks, by path, and where that is not written. */
async function missing(now: Partial<Texts>): Promise<Record<string, readonly string[]>> {
  const { breaking } = await schemaChanges(base, { ...base, ...now });
  return Object.fromEntries(breaking.map((change) => [change.path, change.missing]));
}

const both = ['docs/decisions', 'CHANGELOG.md'];

describe('what breaks a client is found by its path', () => {
  test.each([
    ['nothing changed', schema, {}],
    ['a field came', schema.replace('name: String', 'name: String email: String'), {}],
    ['an input of which one field is given came', `${schema} input By @oneOf { id: ID name: String }`, {}],
    ['a field left', schema.replace('name: String', ''), { 'Client.name': both }],
    ['a field may be null', schema.replace('id: ID! name', 'id: ID name'), { 'Client.id': both }],
    ['a field is null beside an error only', schema.replace('name: String', 'name: String @semanticNonNull'), {}],
    [
      'a null lost its error',
      schema.replace('(first: Int): [Client!] @semanticNonNull', '(first: Int): [Client!]'),
      { 'Query.clients': both },
    ],
    ['the null of an item lost its error', schema.replace('(levels: [0, 1])', ''), { 'Query.search': both }],
    ['an argument left', schema.replace('(first: Int)', ''), { 'Query.clients.first': both }],
    ['an argument is required', schema.replace('first: Int', 'first: Int!'), { 'Query.clients.first': both }],
    ['an argument has another default', schema.replace('NAME)', 'PRICE)'), { 'Query.search.order': both }],
    ['an argument got a default', schema.replace('first: Int', 'first: Int = 5'), { 'Query.clients.first': both }],
    ['an input field lost its default', schema.replace(' = 10', ''), { 'Page.size': both }],
    ['a value left', schema.replace('PRICE', ''), { 'Order.PRICE': both }],
    ['a type left', schema.replace(/type Deal .*/, '').replace('| Deal', ''), { Deal: both, Found: both }],
    ['the root type changed', `${schema} schema { query: Root } type Root { clients: [Client!] }`, { schema: both }],
  ])('%s', async (_change, changed, expected) => {
    expect(await missing({ schema: changed })).toEqual(expected);
  });

  test('what is only dangerous is told, and breaks nothing', async () => {
    const { breaking, dangerous } = await schemaChanges(base, {
      ...base,
      schema: schema.replace('WON', 'WON LOST').replace('first: Int', 'first: Int after: String = ""'),
    });

    expect(breaking).toEqual([]);
    expect(dangerous).toEqual([expect.stringContaining("'after: String'"), expect.stringContaining("'LOST'")]);
  });
});

describe('a breaking change is written down', () => {
  const broken = schema.replace('price: String', 'price: Int');
  const decisions = `${base.decisions}\n\n# 2. New\n\n\`Deal.price\` is whole.`;
  const changelog = `${base.changelog}\n- \`Deal.price\` is an \`Int\`.`;

  test.each([
    ['nowhere', {}, both],
    ['in a decision only', { decisions }, ['CHANGELOG.md']],
    ['in the changelog only', { changelog }, ['docs/decisions']],
    ['in both', { decisions, changelog }, []],
    ['without backticks', { decisions: 'Deal.price is whole.', changelog }, ['docs/decisions']],
    ['by another path', { decisions: '`Deal.price.currency` and `Deal` go.', changelog }, ['docs/decisions']],
    ['beside an old sentence', { decisions: `${base.decisions} And more.`, changelog }, ['docs/decisions']],
    ['in an old sentence, moved', { decisions: 'And more.\n\nOf\n`Deal.price`.', changelog }, ['docs/decisions']],
    ['in place of an old sentence', { decisions: '# 1. Old\n\nOf `Deal.price`, now whole.', changelog }, []],
  ])('%s', async (_place, written, expected) => {
    expect(await missing({ schema: broken, ...written })).toEqual({ 'Deal.price': expected });
  });
});

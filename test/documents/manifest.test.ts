import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { type Config, ConfigError } from '../../src/config.ts';
import { checkedManifests } from '../../src/edge/checked-manifests.ts';
import { gatewayOver, testConfig } from '../support/gateway.ts';
import { manifestFile, NOWHERE, send, sha256 } from './support.ts';

const QUERY = 'query Type { __typename @skip(if: false) }';

const open = async (files: readonly string[], settings: Partial<Config> = {}) =>
  gatewayOver(NOWHERE, { TRUSTED_DOCUMENTS: files, TRUSTED_DOCUMENTS_ONLY: 'true', ...settings });

/** The line with which the start ends. */
async function refusal(content: unknown, settings?: Partial<Config>): Promise<string> {
  const file = await manifestFile(content);
  const error: unknown = await open([file], settings).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  const message = error instanceof Error ? error.message : '';
  expect(message).not.toContain('\n');
  expect(message).toMatch(/^TRUSTED_DOCUMENTS: The manifest "[^"]+persisted-documents\.json" cannot be used: /);
  return message.split('cannot be used: ')[1] ?? '';
}

const apollo = (operations: unknown, more = {}) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
  ...more,
});
const operation = { id: 'abc', name: 'Type', type: 'query', body: QUERY };

describe('a manifest is served', () => {
  test.each<[name: string, content: unknown, id: string]>([
    ['of GraphQL Code Generator, or of Relay', { abc: QUERY, def: '{ __typename }' }, 'abc'],
    ['of Apollo', apollo([operation]), 'abc'],
    ['with hashes that have a prefix', { [`sha256:${sha256(QUERY)}`]: QUERY }, `sha256:${sha256(QUERY)}`],
    ['with an id that is a name in JavaScript', `{"__proto__": ${JSON.stringify(QUERY)}}`, '__proto__'],
    ['with a byte order mark', `\uFEFF${JSON.stringify({ abc: QUERY })}`, 'abc'],
  ])('%s', async (_name, content, id) => {
    const { url } = await open([await manifestFile(content)]);
    expect(await send(url, 'POST', { documentId: id })).toMatchObject({ data: { __typename: 'Query' } });
  });

  test('of several files, whose common ids have the same document', async () => {
    const files = [
      await manifestFile({ a: QUERY }),
      await manifestFile(apollo([{ ...operation, id: 'a' }, operation])),
    ];
    const { url } = await open(files);
    for (const documentId of ['a', 'abc']) {
      expect(await send(url, 'POST', { documentId })).toMatchObject({ data: { __typename: 'Query' } });
    }
  });
});

describe('the start ends with one line', () => {
  test.each<[name: string, content: unknown, line: RegExp]>([
    ['that is no JSON', '{"canary', /^it is not JSON\.$/],
    ['that is a list', [], /^it takes a JSON object of documents/],
    ['without documents', {}, /^it has no documents\.$/],
    ['of Apollo without documents', apollo([]), /^it has no documents\.$/],
    [
      'of another format',
      apollo([], { format: 'other' }),
      /^its format takes apollo-persisted-query-manifest, its version 1/,
    ],
    ['of a later version', apollo([operation], { version: 2 }), /^its format takes/],
    ['of operations without a format', { operations: [operation] }, /^its format takes/],
    ['of Apollo whose operations are no list', apollo({}), /^its operations are not a list\.$/],
    ['with a document that is no text', { a: QUERY, bad: {} }, /^the document of entry "bad" is not a text\.$/],
    [
      'of Apollo with an operation without a body',
      apollo([operation, { id: 'bad' }]),
      /^the document of entry "bad" is not a text/,
    ],
    ['of Apollo with an operation without an id', apollo([operation, { body: QUERY }]), /^the id of entry 2 takes/],
    ['of Apollo with an entry that is none', apollo([null]), /^the id of entry 1 takes/],
    ['with an id that has a blank', { 'a b': QUERY }, /^the id of entry 1 takes/],
    ['with an id of several lines', { 'a\nb': QUERY }, /^the id of entry 1 takes/],
    ['with a long id', { ['x'.repeat(257)]: QUERY }, /^the id of entry 1 takes/],
    [
      'with a hash of another document',
      { [`sha256:${'0'.repeat(64)}`]: QUERY },
      /^the id of entry "sha256:0+" is not the SHA-256/,
    ],
    ['with a document that is no GraphQL', { a: QUERY, bad: '{ broken' }, /entry "bad" is refused: Syntax Error/],
    [
      'with a document that does not fit the schema',
      { a: QUERY, bad: 'query Old { apiTokens { gone } }', worse: '{ gone }' },
      /entry "bad" \(Old\) is refused: Cannot query field "gone" on type "ApiToken"\..* \(and 1 more documents\)$/,
    ],
    [
      'with a fragment alone',
      { bad: 'fragment F on ApiToken { name }' },
      /entry "bad" is refused: Fragment "F" is never used/,
    ],
    ['with a subscription', { bad: 'subscription { x }' }, /entry "bad" is refused: There are no subscriptions: /],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff]), /^it is not UTF-8\.$/],
  ])('for a manifest %s', async (_name, content, line) => {
    const told = await refusal(content);
    expect(told).toMatch(line);
    expect(told).not.toContain('canary');
  });

  test('for documents beyond a limit of the gateway', async () => {
    expect(await refusal({ a: QUERY }, { MAX_TOKENS: 5 })).toMatch(/entry "a" \(Type\) is refused: .*MAX_TOKENS/);
    expect(await refusal({ a: QUERY }, { MAX_DIRECTIVES: 0 })).toMatch(
      /entry "a" \(Type\) is refused: .*MAX_DIRECTIVES/,
    );
  });

  test('for a document of the other schema', async () => {
    const content = { service: '{ _service { sdl } }' };
    expect(await refusal(content)).toMatch(/entry "service" is refused: Cannot query field "_service"/);
  });

  test('for a file that cannot be read', async () => {
    const large = await manifestFile({});
    await truncate(large, 32 * 1024 ** 2 + 1); // a file with a hole: it takes no room
    for (const [file, line] of [
      ['none.json', 'does not exist'],
      [tmpdir(), 'is a folder'],
      [large, 'is larger than 32 MiB'],
    ] as const) {
      await expect(open([file])).rejects.toThrow(
        `TRUSTED_DOCUMENTS: The manifest ${JSON.stringify(file)} cannot be used: it ${line}.`,
      );
    }
  });

  test('for an id with two documents', async () => {
    const twice = await manifestFile(apollo([operation, { ...operation, body: '{ __typename }' }]));
    await expect(open([twice])).rejects.toThrow(`TRUSTED_DOCUMENTS: The id "abc" has two documents, in "${twice}".`);
    const [one, other] = [await manifestFile({ abc: QUERY }), await manifestFile({ abc: '{ __typename }' })];
    await expect(open([one, other])).rejects.toThrow(`The id "abc" has two documents, in "${one}" and "${other}".`);
  });
});

test('manifests are checked without a start, too', async () => {
  const good = await manifestFile({ a: QUERY });
  const twin = await manifestFile({ a: '{ __typename }' });
  await expect(checkedManifests([good], testConfig())).resolves.toBe(1);
  await expect(checkedManifests([good], testConfig({ MAX_TOKENS: 5 }))).rejects.toThrow('MAX_TOKENS');
  await expect(checkedManifests([good, twin], testConfig())).rejects.toThrow('The id "a" has two documents');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Corpus, recordCorpus } from '../scripts/fuzz/corpus.ts';
import { House } from '../scripts/fuzz/house.ts';
import { properties, tryProperty } from '../scripts/fuzz/properties.ts';
import { SizedHouse, trySizes } from '../scripts/fuzz/sized-house.ts';
import { sizedNames } from '../scripts/fuzz/sizes.ts';

// The short form of `npm run fuzz`: the same cases in each run. A finding comes with the command that repeats it.

let corpus: Corpus;
let house: House;
const sizedHouse = new SizedHouse();

beforeAll(async () => {
  corpus = await recordCorpus();
  house = new House(corpus);
  await house.open();
  await sizedHouse.open();
});

afterAll(async () => {
  await house.close();
  await sizedHouse.close();
});

test.each(properties)('15 random cases keep all rules: %s', { timeout: 60_000 }, async (property) => {
  expect(await tryProperty(house, corpus, property, { seed: 20_261_122, runs: 15 })).toBeUndefined();
});

test.each(sizedNames)('4 random cases of hostile sizes keep the bounds: %s', { timeout: 120_000 }, async (name) => {
  expect(await trySizes(sizedHouse, name, { seed: 20_261_125, runs: 4 })).toBeUndefined();
});

test('the fuzzer sees a rule that is broken', { timeout: 60_000 }, async () => {
  const observe = house.observe.bind(house);
  const silent = new House(corpus);
  silent.observe = async (request, answers) => {
    const seen = await observe(request, answers);
    return { ...seen, logs: ['{"level":50,"msg":"A planted error"}'] };
  };
  const finding = await tryProperty(silent, corpus, 'answers', { seed: 1, runs: 1 });
  expect(finding?.report).toContain('Logged as an error: {"level":50,"msg":"A planted error"}');
});

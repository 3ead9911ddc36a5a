import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Corpus, recordCorpus } from '../scripts/fuzz/corpus.ts';
import { House } from '../scripts/fuzz/house.ts';
import { properties, tryProperty } from '../scripts/fuzz/properties.ts';

// The short form of `npm run fuzz`: the same cases in each run, but for those of hostile sizes, which it measures. A finding comes with
// the command that repeats it.

let corpus: Corpus;
let house: House;

beforeAll(async () => {
  corpus = await recordCorpus();
  house = new House(corpus);
  await house.open();
});

afterAll(() => house.close());

test.each(properties)('15 random cases keep all rules: %s', async (property) => {
  expect(await tryProperty(house, corpus, property, { seed: 20_261_122, runs: 15 })).toBeUndefined();
});

test('the fuzzer sees a rule that is broken', async () => {
  const observe = house.observe.bind(house);
  const silent = new House(corpus);
  silent.observe = async (request, answers) => {
    const seen = await observe(request, answers);
    return { ...seen, logs: ['{"level":50,"msg":"A planted error"}'] };
  };
  const finding = await tryProperty(silent, corpus, 'answers', { seed: 1, runs: 1 });
  expect(finding?.report).toContain('Logged as an error: {"level":50,"msg":"A planted error"}');
});

import { expect, test } from 'vitest';
import { schema } from '../../src/apis/schema.ts';
import { heldDeadlines } from '../support/deadlines.ts';
import { jsonAnswers } from './json-answers.ts';
import { jsonMutations, xmlMutations } from './mutations.ts';
import { json } from './json-wire.ts';
import { expectedOutcomes, outcomes } from './support.ts';

// Each mutation with each answer: neither a refusal that is none, nor a success that is none.

test('each mutation of the schema is in the table', () => {
  const fields = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...jsonMutations, ...xmlMutations].map(({ field }) => field).toSorted()).toEqual(fields.toSorted());
});

test('each mutation over JSON has the outcome of the rules, with each answer', async () => {
  const found = await outcomes(json, jsonAnswers, jsonMutations, heldDeadlines());
  expect(jsonAnswers.length).toBeGreaterThan(56);
  expect(found.size).toBe(jsonAnswers.length);
  expect(found).toEqual(expectedOutcomes(jsonAnswers, jsonMutations));
});

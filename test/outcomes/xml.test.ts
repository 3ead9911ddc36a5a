import { expect, test } from 'vitest';
import { heldDeadlines } from '../support/deadlines.ts';
import { xmlMutations } from './mutations.ts';
import { expectedOutcomes, outcomes, type Wire } from './support.ts';
import { xmlAnswers } from './xml-answers.ts';

const POST = '<hash><comments type="array"/><post><id type="integer">11</id><title>old</title></post></hash>';

const xml: Wire = {
  type: 'application/xml',
  encode: String,
  written: () => ({ key: 'post', fields: {}, old: {} }),
  read: (_path, fields) => fields && POST,
};

test('each mutation over XML has the outcome of the rules, with each answer', async () => {
  const found = await outcomes(xml, xmlAnswers, xmlMutations, heldDeadlines());
  expect(xmlAnswers.length).toBeGreaterThan(38);
  expect(found.size).toBe(xmlAnswers.length);
  expect(found).toEqual(expectedOutcomes(xmlAnswers, xmlMutations));
});

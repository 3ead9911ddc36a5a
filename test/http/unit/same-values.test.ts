import { expect, test } from 'vitest';
import { LongNumber } from '../../../src/formats/long-numbers.ts';
import { hasJsonData, type KindOf, showsFields } from '../../../src/formats/same-values.ts';

const KINDS: Readonly<Record<string, ReturnType<KindOf>>> = { price: 'decimal', at: 'instant' };
const kindOf: KindOf = (name) => KINDS[name] ?? hasJsonData(name);

test.each([
  ['nothing that was sent', { id: '1' }, {}],
  ['a key that was not sent', {}, { name: undefined }],
  ['a text', { name: 'a' }, { name: 'a' }],
  ['a number as a text', { price: '5.00' }, { price: 5 }],
  ['a text as a number', { price: 5 }, { price: '5.0' }],
  ['an id as a number', { client_id: 7 }, { client_id: '7' }],
  ['null as an empty text', { note: '' }, { note: null }],
  ['an empty text as null', { note: null }, { note: '' }],
  ['an instant in another zone', { at: '2026-01-02T03:04:05Z' }, { at: '2026-01-02T05:04:05+02:00' }],
  ['a boolean', { active: true }, { active: true }],
  ['a boolean as a text', { active: '1' }, { active: true }],
  ['a list', { tags: ['a', 'b'] }, { tags: ['a', 'b'] }],
  [
    'a long number as its digits',
    { data: { n: '9007199254740993' } },
    { data: { n: new LongNumber('9007199254740993') } },
  ],
  [
    'a long fraction as its digits',
    { data: { n: '0.1234567890123456789' } },
    { data: { n: new LongNumber('0.1234567890123456789') } },
  ],
  ['the same object, and has other keys', { data: { a: 1 }, id: '1' }, { data: { a: 1 } }],
])('a record shows %s', (_name, record, sent) => {
  expect(showsFields(record, sent, kindOf)).toBe(true);
});

test.each([
  ['an object with more keys, which an update may have replaced', { data: { a: 1, b: 2 } }, { data: { a: 1 } }],
  ['a key that it lacks', {}, { name: 'a' }],
  ['null where it lacks the key', {}, { name: null }],
  ['a key that objects have of themselves', {}, { constructor: null }],
  ['another text', { name: 'b' }, { name: 'a' }],
  ['another number', { price: '5.01' }, { price: 5 }],
  ['a value where null was sent', { note: 'a' }, { note: null }],
  ['null where a value was sent', { note: null }, { note: 'a' }],
  ['false where true was sent', { active: false }, { active: true }],
  ['a list of another length', { tags: ['a', 'b'] }, { tags: ['a'] }],
  ['another order of a list', { tags: ['b', 'a'] }, { tags: ['a', 'b'] }],
  ['an object where a text was sent', { name: { a: 1 } }, { name: 'a' }],
  ['a text where an object was sent', { data: 'a' }, { data: { a: 1 } }],
  ['another value in an object', { data: { a: 2 } }, { data: { a: 1 } }],
  ['another long number', { n: '9007199254740992' }, { n: new LongNumber('9007199254740993') }],
  ['one of two fields', { name: 'a', price: 1 }, { name: 'a', price: 2 }],
  // Texts, whatever they look like: only their characters count.
  ['zeros before a text', { tax_no: '7' }, { tax_no: '007' }],
  ['a zero less behind a point', { tax_no: '1.50' }, { tax_no: '1.5' }],
  ['an exponent', { note: '1000' }, { note: '1e3' }],
  ['a sign', { phone: '48600' }, { phone: '+48600' }],
  ['the same moment in a text', { note: '2026-01-02T03:04:05Z' }, { note: '2026-01-02T05:04:05+02:00' }],
  ['another form in a list', { tags: ['7'] }, { tags: ['07'] }],
  ['another form in an object', { external_ids: { erp: '7' } }, { external_ids: { erp: '07' } }],
  ['a date as a decimal', { price: '2026-01-02' }, { price: '2026' }],
  // Flexible data: its JSON types count, too.
  ['a number as a text in data', { data: { n: '7' } }, { data: { n: 7 } }],
  ['a text as a number in data', { data: { n: 7 } }, { data: { n: '7' } }],
  ['null as an empty text in data', { data: { n: '' } }, { data: { n: null } }],
  ['a boolean as a text in data', { data: { n: 'true' } }, { data: { n: true } }],
  ['a boolean as a number in data', { data: { n: [1] } }, { data: { n: [true] } }],
])('a record does not show what was sent: %s', (_name, record, sent) => {
  expect(showsFields(record, sent, kindOf)).toBe(false);
});

import { expect, test } from 'vitest';
import { UnreadResultError } from '../../../src/errors.ts';
import { sentFields, withSentFields, writtenRecord } from '../../../src/calls/written-record.ts';

test('a written record has its id, and keeps the fields that were sent apart from its keys', () => {
  const written = writtenRecord('7', { name: 'a' });
  expect(Object.keys(written)).toEqual(['id']);
  expect(written.id).toBe('7');
  expect(sentFields(written)).toEqual({ name: 'a' });
});

test('a written record without an id fails where its id is read', () => {
  const written = writtenRecord(undefined, { name: 'a' });
  expect(() => written.id).toThrow(UnreadResultError);
  expect(sentFields(written)).toEqual({ name: 'a' });
});

test('a record of a read has no sent fields; one of a write has its own keys, too', () => {
  expect(sentFields({ id: '7' })).toBeUndefined();
  const returned = { id: '7', name: 'b' };
  expect(withSentFields(returned, { name: 'a' })).toBe(returned);
  expect([Object.keys(returned), sentFields(returned)]).toEqual([['id', 'name'], { name: 'a' }]);
});

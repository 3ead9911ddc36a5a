import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../src/errors.ts';
import { createRedactor, type Redactor } from '../../../src/calls/transport/redaction.ts';
import { refusalError } from '../../../src/calls/transport/refusal.ts';
import { API } from '../../support/fake-upstream.ts';
import { REFUSAL_PARTS } from '../../../bench/bounds/hostile-texts.ts';

// What a 422 says, in each shape of its body.

interface More {
  readonly sent?: object;
  readonly secrets?: readonly string[];
  readonly redactor?: Redactor;
}

function invalid(
  body: unknown,
  { sent, secrets = [], redactor = createRedactor(secrets) }: More = {},
): ValidationError {
  const call = { api: 'CRM', endpoint: 'GET /app/deals.json' };
  const refused = { api: API, call, credential: 'X-CRM-Token', sent, redactor };
  const error = refusalError({ status: 422, retryAfter: '', date: '' }, body, refused);
  if (error instanceof ValidationError) return error;
  throw error;
}

describe('the message of a refused input', () => {
  test.each([
    ['a text', 'name is blank', 'name is blank'],
    ['`message`', { message: 'a' }, 'a'],
    ['`error`', { error: 'a' }, 'a'],
    ['`errors` of texts', { errors: ['a', 'b'] }, 'a; b'],
    ['all of several, each once', { message: 'a', error: 'b', errors: ['c', 'a'] }, 'a; b; c'],
    [
      'fields beside a text that does not name them',
      { message: 'Invalid', errors: { b: ['is c'] } },
      'Invalid; b: is c',
    ],
    ['fields beside a text that names them', { message: 'B is c', errors: { b: ['is c'] } }, 'B is c'],
    ['`message` of texts', { message: [7, 'a'] }, 'a'],
    [
      'the fields, where there is no message',
      { errors: { post_code_2: ['is a', 'is b'], b: ['c'] } },
      'post code 2: is a, is b; b: c',
    ],
    ['none, of null', null, 'The CRM API refused the input.'],
    ['the texts of a list', ['a', 'b'], 'a; b'],
    ['the `message` of each error in a list', [{ message: 'a', code: 7 }, { message: 'b' }], 'a; b'],
    ['the `message` of each error under `errors`', { errors: [{ message: 'a' }, 'b', { code: 'c' }] }, 'a; b'],
    ['the `message` of an error under `error`', { error: { code: 'invalid', message: 'a' } }, 'a'],
    ['the text of the first field', { errors: { post_code_2: 'is a' } }, 'post code 2: is a'],
    [
      'none, of texts that are blank',
      { message: ' ', errors: ['', { message: '' }] },
      'The CRM API refused the input.',
    ],
    ['none, of a list of lists', [['a']], 'The CRM API refused the input.'],
    ['none, of a number', 7, 'The CRM API refused the input.'],
    ['none, of an empty object', {}, 'The CRM API refused the input.'],
    ['none, of a record that is repeated', { name: 'a', deal: { name: 'b' } }, 'The CRM API refused the input.'],
  ])('%s', (_name, body, message) => {
    expect(invalid(body).message).toBe(message);
  });

  test('is cut off at 500 characters', () => {
    expect(invalid('x'.repeat(600)).message).toBe('x'.repeat(500));
    expect(invalid({ message: 'x'.repeat(600) }).message).toBe('x'.repeat(500));
    expect(invalid([{ message: 'x'.repeat(600) }]).message).toBe('x'.repeat(500));
  });

  test('is our own where upstream says more than 64 K characters', () => {
    expect(invalid({ message: `is odd ${'x'.repeat(65_000)}` }).message).toMatch(/^is odd xxx/);
    expect(invalid({ message: `is odd ${'x'.repeat(66_000)}` }).message).toBe('The CRM API refused the input.');
    expect(invalid({ errors: ['x'.repeat(40_000), 'y'.repeat(40_000)] }).message).toBe(
      'The CRM API refused the input.',
    );
  });

  test('repeats no secret', () => {
    const secrets = ['canary'];
    const general = 'The CRM API refused the input.';
    expect(invalid('the canary', { secrets }).message).toBe(general);
    expect(invalid({ message: 'the canary' }, { secrets }).message).toBe(general);
    expect(invalid([{ message: 'the canary' }, 'is odd'], { secrets }).message).toBe(general);
    expect(invalid({ errors: { name: 'the canary' } }, { secrets }).message).toBe(`name: ${general}`);
    expect(invalid({ message: 'the canary', errors: { name: ['is odd'] } }, { secrets }).message).toBe(general);
  });
});

describe('the fields of a refused input', () => {
  const name = ['is blank'];

  test.each([
    ['`errors` by field', { errors: { name } }, { name }],
    ['`message` by field', { message: { name } }, { name }],
    ['the top of the body by field', { name }, { name }],
    ['`errors` of a record', { errors: { deal: { name } } }, { 'deal.name': name }],
    ['`message` of a record', { message: { deal: { name } } }, { 'deal.name': name }],
    ['a record at the top', { deal: { name } }, { name }],
    ['lists beside the `message` of an error', { errors: { message: 'a', code: 'b', name } }, { name }],
    ['lists inside an error', { errors: { deal: { message: 'a', name } } }, { deal: ['a'], 'deal.name': name }],
    ['`errors` before `message`', { errors: { name }, message: { price: ['is 0'] } }, { name }],
    ['the top before its records', { name, deal: { price: ['is 0'] } }, { name }],
    ['a text in the place of a list', { errors: { name: 'is blank' } }, { name }],
    ['a text in the place of a list, of a record', { errors: { deal: { name: 'is blank' } } }, { 'deal.name': name }],
    ['a text in the place of a list, under `message`', { message: { name: 'is blank' } }, { name }],
    ['a text in the place of a list, under `error`', { error: { name: 'is blank' } }, { name }],
    ['the `message` of an error', { errors: { name: { message: 'is blank', code: 'blank' } } }, { name }],
    ['the `message` of each error', { errors: { name: [{ message: 'is blank', code: 'blank' }] } }, { name }],
    ['none, of a text at the top', { name: 'is blank', deal: { name: 'is blank' } }, {}],
    ['none, of an error that has codes', { error: { message: 'is blank', code: 'blank' } }, {}],
    ['none, of a field without messages', { errors: { name: [] } }, {}],
    ['none, of a field whose messages are no texts', { errors: { name: ['is blank', 7] } }, {}],
    ['none at the top, beside a message', { message: 'a', name }, {}],
    ['those of `errors`, beside a message', { message: 'a', errors: { name } }, { name }],
    ['a field and a record beside it', { errors: { a: ['b'], deal: { name } } }, { a: ['b'], 'deal.name': name }],
    ['none, of a text', 'a', {}],
    ['none, of null', null, {}],
  ])('%s', (_name, body, fields) => {
    expect(invalid(body).fields).toEqual(fields);
  });

  test('are named without the key under which their record was sent', () => {
    const body = { errors: { deal: { name }, 'deal.price': ['is 0'], deals: ['a'] } };
    expect(invalid(body, { sent: { token: 't', deal: {} } }).fields).toEqual({ name, price: ['is 0'], deals: ['a'] });
  });

  const SENT = { client: { name: '', post_code: 'x', client_id: 1, tags: ['a'] }, record: { data: { Due_At: '' } } };
  test.each([
    [["Name can't be blank"], { name: ["can't be blank"] }],
    [["name can't be blank", 'Name is too short'], { name: ["can't be blank", 'is too short'] }],
    [['Post code is not valid', 'Something else'], { post_code: ['is not valid'] }],
    [['Client must exist'], { client_id: ['must exist'] }],
    [['Due at is in the past'], { Due_At: ['is in the past'] }],
    [['Name'], {}],
    [['Names are blank', 'A name is blank', 'Notes are blank', ' Name is blank', 'constructor is bad'], {}],
    [['Nazwa nie może być pusta'], {}],
  ])('are those of texts that begin with the name of one that was sent: %j', (errors, fields) => {
    for (const body of [errors, { errors }, { error: errors }, { message: errors }]) {
      expect(invalid(body, { sent: SENT }).fields).toEqual(fields);
      expect(invalid(body, { sent: SENT }).message).toBe(errors.join('; '));
      expect(invalid(body).fields).toEqual({});
    }
  });

  test('of a text are not those of names that repeat a secret', () => {
    const error = invalid(['canary is bad'], { sent: { client: { canary: 'x' } }, secrets: ['canary'] });
    expect(JSON.stringify([error.fields, error.message])).not.toContain('canary');
  });

  test('keep the messages of two spellings of one field', () => {
    const body = { errors: { name: ['a'], deal: { name: ['b'] } } };
    expect(invalid(body, { sent: { deal: {} } }).fields).toEqual({ name: ['a', 'b'] });
  });

  test('and their messages are cut off at 500 characters, and repeat no secret', () => {
    const long = 'x'.repeat(600);
    expect(invalid({ errors: { [long]: [long] } }).fields).toEqual({ [long.slice(0, 500)]: [long.slice(0, 500)] });
    const errors = { name: ['the canary', 'is odd'], canary: ['is odd'], 'client.canary': ['is odd'] };
    expect(invalid({ errors }, { secrets: ['canary'] }).fields).toEqual({
      name: ['The CRM API refused the input.', 'is odd'],
    });
  });
});

describe('of a refusal that is too long', () => {
  /** How many texts, and characters of them, secrets are looked for in. */
  function lookedFor(body: unknown) {
    const shown = { texts: 0, characters: 0 };
    const look = (text: string) => {
      shown.texts += 1;
      shown.characters += text.length;
      return text;
    };
    return { ...invalid(body, { redactor: { text: look, fieldPath: look } }), shown };
  }
  /** 64 K characters, of which each text counts for 64 more, in the message, in the fields and in the tables. */
  const MAX = { texts: 3 * 1_024 + 1, characters: 3 * 64 * 1_024 };

  test.each(REFUSAL_PARTS)('no more than so much is read: one text of %s', (part) => {
    const text = part.repeat(100_000);
    expect(lookedFor({ message: text }).shown).toEqual({ texts: 0, characters: 0 });
    expect(lookedFor({ errors: { name: [text] } }).shown).toEqual({ texts: 0, characters: 0 });
  });

  test('no more than so much is read: very many short texts', () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => `${index % 1_000}`);
    const { fields, availableTables, shown } = lookedFor({ errors: { name: texts }, available_tables: texts });
    expect(fields['name']?.slice(0, 3)).toEqual(['0', '1', '2']);
    expect([...(fields['name'] ?? []), ...(availableTables ?? [])].join('').length).toBeLessThan(150_000);
    expect(shown.texts).toBeLessThanOrEqual(MAX.texts);
    expect(shown.characters).toBeLessThanOrEqual(MAX.characters);
  });

  test('the first of many fields are kept', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field_${index}`, ['is odd']]));
    const { fields, shown } = lookedFor({ errors: many });
    expect(Object.keys(fields).slice(0, 2)).toEqual(['field_0', 'field_1']);
    expect(Object.keys(fields).length).toBeLessThan(6_000);
    expect(shown.texts).toBeLessThanOrEqual(MAX.texts);
  });
});

describe('the tables that upstream offers', () => {
  test('are part of the error, without secrets', () => {
    const body = { message: 'no such table', available_tables: ['deals', 'canary'] };
    expect(invalid(body, { secrets: ['canary'] }).availableTables).toEqual(['deals']);
    expect(invalid(body, { secrets: ['canary', 'deals'] }).availableTables).toBeUndefined();
  });

  test('are cut off at 500 characters', () => {
    const body = { message: 'no such table', available_tables: ['x'.repeat(600), 'deals'] };
    expect(invalid(body).availableTables).toEqual(['x'.repeat(500), 'deals']);
  });

  test.each([
    [{}],
    [{ available_tables: [] }],
    [{ available_tables: [1] }],
    [{ available_tables: 'deals' }],
    ['a'],
    [null],
  ])('are none in %j', (body) => {
    expect(invalid(body).availableTables).toBeUndefined();
  });
});

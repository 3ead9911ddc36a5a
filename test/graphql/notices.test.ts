import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, test } from 'vitest';
import { Notices } from '../../src/graph/notices.ts';
import { BadResponseError } from '../../src/errors.ts';

/** The place of a field, as a resolver is given it. */
function infoAt(...keys: readonly (string | number)[]): GraphQLResolveInfo {
  let path: object | undefined;
  for (const key of keys) path = { prev: path, key, typename: undefined };
  return Object.assign(JSON.parse('{}'), { fieldNodes: [], path });
}

describe('the errors of fields that have a value', () => {
  test('are reported once at each place, by its first field, and taken once', () => {
    const notices = new Notices(false);
    const [one, other] = [new BadResponseError('one'), new BadResponseError('other')];
    const [page, second] = [{}, {}];
    notices.report(one, infoAt('deals'), page);
    notices.report(one, infoAt('deals', 'nodes'), page);
    notices.report(one, infoAt('again'), second);
    notices.report(other, infoAt('client', 'deals', 2), page);
    const errors = notices.takeErrors({}, true);
    expect(errors.map(({ message, path, originalError }) => ({ message, path, originalError }))).toEqual([
      { message: 'one', path: ['deals'], originalError: one },
      { message: 'one', path: ['again'], originalError: one },
      { message: 'other', path: ['client', 'deals', 2], originalError: other },
    ]);
    expect(notices.takeErrors({}, true)).toEqual([]);
    notices.report(one, infoAt('deals'), page);
    expect(notices.takeErrors({}, true)).toEqual([]);
  });
});

describe('the errors of fields that a result holds', () => {
  const path = ['clients', 'nodes', 2, 'deals'];
  const deals: unknown[] = [];

  test.each([
    ['a response', { data: { clients: { nodes: [{}, {}, { deals }] } } }],
    ['a response with null instead of an outer field', { data: { clients: null } }],
    ['a response without data', { data: null }],
    ['a deferred fragment', { path: path.slice(0, 3), data: { deals } }],
    ['a deferred fragment with an outer field', { path: ['clients'], data: { nodes: [{}, {}, { deals }] } }],
    ['a deferred fragment that is null', { path: path.slice(0, 2), data: null }],
    ['a deferred fragment in the field', { path, data: {} }],
    ['a streamed row', { path: path.slice(0, 3), items: [{ deals }] }],
    ['a streamed row that is null', { path: path.slice(0, 3), items: [null] }],
    ['a streamed list that failed', { path: path.slice(0, 3), items: null }],
  ])('are taken with it: %s', (_name, result) => {
    const notices = new Notices(false);
    notices.report(new BadResponseError('one'), infoAt(...path), {});
    expect(notices.takeErrors(result)).toMatchObject([{ message: 'one', path }]);
    expect(notices.takeErrors({}, true)).toEqual([]);
  });

  test.each([
    ['a response without the field', { data: { clients: { nodes: [{}, {}, {}] } } }],
    ['a response with fewer rows', { data: { clients: { nodes: [{}] } } }],
    ['a response with none of its fields', { data: {} }],
    ['a part with nothing but others', {}],
    ['a deferred fragment of other fields', { path: path.slice(0, 3), data: { name: 'a' } }],
    ['a deferred fragment of another row', { path: ['clients', 'nodes', 1], data: { deals } }],
    ['a deferred fragment within the field', { path: [...path, 0], data: { name: 'a' } }],
    ['a streamed row that is another one', { path: ['clients', 'nodes', 1], items: [{ deals }] }],
    ['a streamed row of another list', { path: ['contacts', 'nodes', 2], items: [{ deals }] }],
    ['a text in its place', { data: { clients: 'nodes' } }],
  ])('stay for a later one: %s', (_name, result) => {
    const notices = new Notices(false);
    notices.report(new BadResponseError('one'), infoAt(...path), {});
    expect(notices.takeErrors(result)).toEqual([]);
    expect(notices.takeErrors({}, true)).toMatchObject([{ message: 'one', path }]);
  });

  test('are found by own keys: a field may have any name', () => {
    const notices = new Notices(false);
    notices.report(new BadResponseError('one'), infoAt('constructor'), {});
    expect(notices.takeErrors({ data: { name: 'a' } })).toEqual([]);
    expect(notices.takeErrors({ data: { constructor: [] } })).toHaveLength(1);
  });
});

describe('the paths of values that were not sent', () => {
  test('are not kept for a caller who does not ask for them', () => {
    const notices = new Notices(false);
    notices.notSent(infoAt('a'));
    expect(notices.takeNotSent()).toBeUndefined();
  });

  test('are taken once', () => {
    const notices = new Notices(true);
    notices.notSent(infoAt('deals', 0, 'name'));
    expect(notices.takeNotSent()).toEqual([['deals', 0, 'name']]);
    expect(notices.takeNotSent()).toEqual([]);
  });

  test('are 10,000 at most', () => {
    const notices = new Notices(true);
    for (let index = 0; index <= 10_000; index += 1) notices.notSent(infoAt('deals', index));
    expect(notices.takeNotSent()).toHaveLength(10_000);
  });
});

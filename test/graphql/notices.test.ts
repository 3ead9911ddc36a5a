import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, test } from 'vitest';
import { Notices } from '../../src/graphql/notices.ts';
import { BadResponseError } from '../../src/http/errors.ts';

/** The place of a field, as a resolver is given it. */
function infoAt(...keys: readonly (string | number)[]): GraphQLResolveInfo {
  let path: object | undefined;
  for (const key of keys) path = { prev: path, key, typename: undefined };
  return Object.assign(JSON.parse('{}'), { fieldNodes: [], path });
}

describe('the errors of fields that have a value', () => {
  test('are reported once each, at the first field, and taken once', () => {
    const notices = new Notices(false);
    const [one, other] = [new BadResponseError('one'), new BadResponseError('other')];
    notices.report(one, infoAt('deals'));
    notices.report(one, infoAt('again'));
    notices.report(other, infoAt('client', 'deals', 2));
    const errors = notices.takeErrors();
    expect(errors.map(({ message, path, originalError }) => ({ message, path, originalError }))).toEqual([
      { message: 'one', path: ['deals'], originalError: one },
      { message: 'other', path: ['client', 'deals', 2], originalError: other },
    ]);
    expect(notices.takeErrors()).toEqual([]);
    notices.report(one, infoAt('deals'));
    expect(notices.takeErrors()).toEqual([]);
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

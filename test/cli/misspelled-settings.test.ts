import { describe, expect, test } from 'vitest';
import { settings } from '../../src/config.ts';
import { misspelledSettings } from '../../src/cli/setting-warnings.ts';

describe('a variable one edit from a setting is found', () => {
  test.each([
    ['a letter is missing', 'CORS_ORIGIN', 'CORS_ORIGINS'],
    ['a letter is too many', 'CRM_URLS', 'CRM_URL'],
    ['the first letter is missing', 'CCOUNT_URL', 'ACCOUNT_URL'],
    ['a letter is wrong', 'CRM_URI', 'CRM_URL'],
    ['the first letter is wrong', 'XRM_URL', 'CRM_URL'],
    ['two letters are swapped', 'GRAHPIQL', 'GRAPHIQL'],
    ['the last two are swapped', 'WORKESR', 'WORKERS'],
    ['a letter is doubled', 'FORRUM_URL', 'FORUM_URL'],
  ])('%s: %s', (_name, variable, setting) => {
    expect(misspelledSettings(['PATH', variable])).toEqual([{ variable, setting }]);
  });
});

describe('no other variable is', () => {
  test.each([
    'PORTS',
    'HOSTS',
    'POST',
    'APP_TOKEN',
    'CORS_ORIG',
    'ACCUONT_ULR',
    'URL',
    'TRUST',
    'MAX',
    'NODE_OPTIONS',
    'CORS\nORIGINS',
  ])('%j', (variable) => {
    expect(misspelledSettings([variable])).toEqual([]);
  });

  test('each setting itself', () => {
    expect(misspelledSettings(Object.keys(settings))).toEqual([]);
  });

  test('one beside the setting that it is near to', () => {
    expect(misspelledSettings(['CRM_URLS', 'CRM_URL'])).toEqual([]);
  });
});

test('ten are found at most', () => {
  const many = Object.keys(settings).map((name) => `${name}X`);
  expect(misspelledSettings(many)).toHaveLength(10);
});

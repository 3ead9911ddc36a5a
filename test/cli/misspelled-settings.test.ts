import { describe, expect, test } from 'vitest';
import { settings } from '../../src/config.ts';
import { misspelledSettings } from '../../src/cli/setting-warnings.ts';

describe('a variable near to a setting is found', () => {
  test.each([
    ['a letter is missing', 'CORS_ORIGIN', 'CORS_ORIGINS'],
    ['a letter is too many', 'CRM_URLS', 'CRM_URL'],
    ['the first letter is missing', 'CCOUNT_URL', 'ACCOUNT_URL'],
    ['a letter is wrong', 'CRM_URI', 'CRM_URL'],
    ['the first letter is wrong', 'XRM_URL', 'CRM_URL'],
    ['two letters are swapped', 'GRAHPIQL', 'GRAPHIQL'],
    ['the last two are swapped', 'MAX_DEPHT', 'MAX_DEPTH'],
    ['a letter is doubled', 'FORRUM_URL', 'FORUM_URL'],
    ['two letters of a short name are swapped', 'PROT', 'PORT'],
    ['two letters of another short name are swapped', 'HSOT', 'HOST'],
    ['the unit is missing', 'UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT_MS'],
    ['the last words are missing', 'TRUSTED_DOCUMENTS_ONL', 'TRUSTED_DOCUMENTS_ONLY'],
    ['another unit is missing', 'MAX_RESPONSE', 'MAX_RESPONSE_BYTES'],
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
    'PART',
    'COST',
    'PORTX',
    'RPOTS',
    'ANSWER_CACHE', // of two settings
    'UPSTREAM',
    'upstream_timeout',
    'REDIS_PORT',
    'KUBERNETES_SERVICE_HOST',
    'FORUM_PORT',
    'LOG',
    'PATH',
    'HOSTNAME',
    'HOME',
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

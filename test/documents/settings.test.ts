import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';

test('TRUSTED_DOCUMENTS takes files, or redis', () => {
  expect(readConfig({ TRUSTED_DOCUMENTS: ' web.json , /etc/app.json' }).TRUSTED_DOCUMENTS).toEqual([
    'web.json',
    '/etc/app.json',
  ]);
  expect(readConfig({}).TRUSTED_DOCUMENTS).toEqual([]);
});

test('documents in Redis need its address', () => {
  expect(() => readConfig({ TRUSTED_DOCUMENTS: 'redis' })).toThrow(/^TRUSTED_DOCUMENTS=redis needs REDIS_URL\b/);
});

test.each([
  [{}, /^TRUSTED_DOCUMENTS_ONLY=true needs TRUSTED_DOCUMENTS\b/],
  [
    { TRUSTED_DOCUMENTS: 'canary.json', APQ_CACHE_BYTES: '1' },
    /^TRUSTED_DOCUMENTS_ONLY=true takes no APQ_CACHE_BYTES\b/,
  ],
  [{ TRUSTED_DOCUMENTS: 'canary.json', GRAPHIQL: 'true' }, /^TRUSTED_DOCUMENTS_ONLY=true takes no GRAPHIQL=true\b/],
])('where only trusted documents are executed, other settings have to go along: %j', (settings, line) => {
  const read = () => readConfig({ ...settings, TRUSTED_DOCUMENTS_ONLY: 'true' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(line);
  expect(read).not.toThrow('canary');
  expect(() => readConfig(settings)).not.toThrow();
});

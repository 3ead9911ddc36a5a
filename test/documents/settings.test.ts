import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';

test('TRUSTED_DOCUMENTS takes files', () => {
  expect(readConfig({ TRUSTED_DOCUMENTS: ' web.json , /etc/app.json' }).TRUSTED_DOCUMENTS).toEqual([
    'web.json',
    '/etc/app.json',
  ]);
  expect(readConfig({}).TRUSTED_DOCUMENTS).toEqual([]);
});

test('the documents in Redis of earlier releases end the start with what to use instead', () => {
  const message =
    /^TRUSTED_DOCUMENTS=redis is no longer a value: name manifests, .* A file of this name is \.\/redis\.$/;
  expect(() => readConfig({ TRUSTED_DOCUMENTS: 'redis' })).toThrow(message);
  expect(readConfig({ TRUSTED_DOCUMENTS: './redis' }).TRUSTED_DOCUMENTS).toEqual(['./redis']);
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

import { describe, expect, test } from 'vitest';
import { settings } from '../../src/config.ts';
import { inProcess } from './in-process.ts';
import { temporaryFolder, trivium } from './trivium.ts';

const LINE = /^[^\n]+\n$/;

describe('help', () => {
  test.each(['--help', '-h', 'help'])('%s lists the commands', async (argument) => {
    const { code, stdout, stderr } = await inProcess([argument]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['serve', 'sandbox', 'schema', 'doctor', 'health', '--help', '--version'])
      expect(stdout).toContain(word);
  });

  test.each([
    ['serve', ['--subgraph', '--flex-schema FILE', '--public', '--seed FILE', 'ACCOUNT_URL', 'SIGTERM']],
    [
      'sandbox',
      ['--data FILE', '--seed FILE', '--port N', '--host ADDRESS', '--answers MODE', 'lean', 'bare:refused-200'],
    ],
    ['schema', ['--check', '--subgraph', '--stubs', '--flex-schema FILE', '--public']],
    ['documents', ['check', '--flex-schema FILE', '--public']],
    ['flex', ['pull', 'diff', '--db CODE', '--flex-schema FILE', 'Exit code 1', 'Exit code 2', 'API_TOKEN']],
    ['doctor', ['ACCOUNT_URL', 'FLEX_URL', 'API_TOKEN']],
  ])('%s --help says what it does and takes, whatever the settings are', async (command, words) => {
    const { code, stdout, stderr } = await inProcess([command, '--help'], { env: { PORT: 'wrong' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^trivium ${command}`));
    for (const word of words) expect(stdout).toContain(word);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(160);
  });

  test('serve --help describes every setting', async () => {
    const { stdout } = await inProcess(['serve', '--help']);
    for (const name of Object.keys(settings)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.*\\.`, 'm'));
  });

  test('--version prints a version', async () => {
    const { code, stdout, stderr } = await trivium(['--version'], { cwd: await temporaryFolder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

describe('what is not understood is one line on standard error, and exit code 2', () => {
  test.each([
    ['an unknown command', ['frobnicate'], /frobnicate.*--help/],
    ['the name of something in JavaScript', ['constructor'], /constructor.*--help/],
    ['an unknown flag of a command', ['schema', '--chekc'], /--chekc.*trivium schema --help/],
    ['a flag of another command', ['serve', '--data', 'x'], /--data.*--help/],
    ['a flag without its value', ['sandbox', '--data'], /--data.*--help/],
    ['a flag for a value', ['sandbox', '--data', '--port', '0'], /--data.*--help/],
    ['a value for a flag without', ['schema', '--check=yes'], /--check.*--help/],
    ['two flags of which one excludes the other', ['schema', '--check', '--subgraph'], /--check or --subgraph/],
    ['a flag that belongs to another one', ['schema', '--stubs'], /--stubs with --subgraph/],
    [
      'an unknown mode of answers',
      ['sandbox', '--answers', 'thin'],
      /--answers takes one of full, lean, wrapped, bare:204/,
    ],
    [
      'documents without a manifest',
      ['documents', 'check'],
      /documents takes check, and one manifest or more: .*--help/,
    ],
    ['a seed file that is not there', ['sandbox', '--port', '0', '--seed', 'none.json'], /"none.json".*does not exist/],
    ['a seed file of the gateway', ['serve', '--seed', 'none.json'], /"none.json".*does not exist/],
    [
      'a snapshot that is not there',
      ['schema', '--flex-schema', 'none.json'],
      /^FLEX_SCHEMA: "none.json" cannot be read/,
    ],
    [
      'a snapshot of documents',
      ['documents', 'check', 'm.json', '--flex-schema', 'none.json'],
      /^FLEX_SCHEMA: "none.json"/,
    ],
    ['a port too large', ['sandbox', '--port', '65535'], /--port.*0 to 65534/],
  ])('%s', async (_name, args, message) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toMatch(message);
  });

  test.each([
    ['serve', 'PORT', 'canary', /^PORT takes a whole number from 0 to 65535\.\n$/],
    ['serve', 'WORKERS', 'canary', /^WORKERS is no longer a setting: .* docs\/scale\.md\.\n$/],
    ['serve', 'ACCOUNT_URL', 'https://canary@account.example', /^ACCOUNT_URL takes an http or https address/],
    ['serve', 'REDIS_URL', 'redis://:canary@redis.example', /^REDIS_URL needs HASH_SECRET: /],
  ])('a wrong setting of %s: %s', async (command, name, value, message) => {
    const { code, stdout, stderr } = await inProcess([command], { env: { [name]: value } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(LINE);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('canary');
  });

  const ADDRESSES = 'ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL';

  test.each<[string, Record<string, string>, string]>([
    ['in production', { NODE_ENV: 'production' }, `No API has an address: set ${ADDRESSES}.`],
    ['in production, with empty addresses', { NODE_ENV: 'production', ACCOUNT_URL: '', CRM_URL: ' ' }, 'No API has an'],
    ['with SANDBOX=false', { SANDBOX: 'false' }, 'To serve the sandbox, whose tokens are public, set SANDBOX=true.'],
  ])('no address of an API %s: no sandbox is served', async (_where, env, message) => {
    const { code, stdout, stderr } = await inProcess(['serve'], { env: { PORT: '0', ...env } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('an address beside SANDBOX=true', async () => {
    const env = { SANDBOX: 'true', CRM_URL: 'http://127.0.0.1:9' };
    const { code, stdout, stderr } = await inProcess(['serve'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`SANDBOX=true takes no address of an API: unset SANDBOX, or ${ADDRESSES}.`);
  });

  test('a seed file beside the address of an upstream', async () => {
    const env = { ACCOUNT_URL: 'http://127.0.0.1:9' };
    const { code, stdout, stderr } = await trivium(['serve', '--seed', 'none.json'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^--seed is for the sandbox, .*\n$/);
  });
});

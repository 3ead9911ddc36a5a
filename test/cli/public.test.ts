import { describe, expect, test } from 'vitest';
import { publicSchema } from '../../src/typed-flex/public/public-schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { snapshotText } from '../../src/typed-flex/snapshot/snapshot.ts';
import { schema } from '../../src/apis/schema.ts';
import { textFile } from '../typed-flex/snapshot-files.ts';
import { snapshotOf } from '../typed-flex/snapshots.ts';
import { inProcess } from './in-process.ts';
import { serving } from './trivium.ts';

const fields = { message: { type: 'text', required: true }, author: 'string' };
const guestbook = { id: '7', code: 'guestbook', schema: { fields }, public_methods: { search: true } };
const snapshot = snapshotOf([guestbook]);

describe('schema --public', () => {
  test('prints the anonymous schema', async () => {
    const file = await textFile(snapshotText(snapshot));
    const { code, stdout, stderr } = await inProcess(['schema', '--public', '--flex-schema', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const types = Object.keys(publicSchema(schema, modelOf(snapshot, schema)).getTypeMap());
    for (const name of types.filter((type) => type.includes('Guestbook'))) expect(stdout).toContain(` ${name} {`);
    expect(stdout).not.toMatch(/Client|Deal|Dashboard|Forum|flexDb/);
  });

  test.each([
    [['--public'], /^PUBLIC=true needs FLEX_SCHEMA: [^\n]+\n$/],
    [['--public', '--subgraph', '--flex-schema', 'flex.schema.json'], /^PUBLIC=true takes no SUBGRAPH=true: [^\n]+\n$/],
  ])('%j is refused in one line', async (flags, line) => {
    const { code, stdout, stderr } = await inProcess(['schema', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
  });

  test('says that no database has a public method', async () => {
    const file = await textFile(snapshotText(snapshotOf([{ ...guestbook, public_methods: {} }])));
    const { code, stdout, stderr } = await inProcess(['schema'], { env: { PUBLIC: 'true', FLEX_SCHEMA: file } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^FLEX_SCHEMA: "[^"]+": no database has a public method that is on: [^\n]+\n$/);
  });
});

test('serve --public serves anonymous callers, and prints no credential', async () => {
  const file = await textFile(snapshotText(snapshot));
  const gateway = await serving({}, ['serve', '--public', '--flex-schema', file]);
  expect(await gateway.ask('{ publicGuestbook { search(first: 2) { nodes { message } } } }', {})).toEqual({
    data: { publicGuestbook: { search: { nodes: [] } } },
  });
  const headers = { accept: 'text/html', connection: 'close' };
  const page = await (await fetch(gateway.endpoint, { headers })).text();
  expect(page).toContain('query PublicGuestbook');
  expect(page).not.toContain('demo-admin');
  expect(gateway.banner).toMatch(/^trivium is up, for anonymous callers, over a sandbox/);
  expect(gateway.banner).toContain('reads no credentials');
  expect(gateway.banner).not.toMatch(/demo-admin|Bearer|Authorization/);
  expect(await gateway.end()).toMatchObject({ code: 0 });
});

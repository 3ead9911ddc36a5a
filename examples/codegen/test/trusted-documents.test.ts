import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { startTrivium } from '../../trivium.ts';
import { ClientsDocument, CreateClientDocument } from '../generated/graphql.ts';
import { connect } from '../src/client.ts';

const manifest = fileURLToPath(new URL('../generated/persisted-documents.json', import.meta.url));
const flexSchema = fileURLToPath(new URL('../flex.schema.json', import.meta.url));
const credentials = { token: 'demo-admin', crmToken: 'demo-admin' };
let url: string;

beforeAll(async () => {
  const gateway = await startTrivium(['serve'], {
    LOG_LEVEL: 'warn',
    FLEX_SCHEMA: flexSchema, // typed documents fit no other schema
    TRUSTED_DOCUMENTS: manifest,
    TRUSTED_DOCUMENTS_ONLY: 'true',
  });
  gateway.onLog(console.error);
  url = gateway.url;
  return gateway.close;
});

test('a client that sends ids is served', async () => {
  const execute = connect(url, credentials, 'id');
  const { data, errors } = await execute(ClientsDocument, { first: 2 });
  expect(errors).toBeUndefined();
  expect(data?.clients?.nodes).toHaveLength(2);
  const created = await execute(CreateClientDocument, { input: { name: 'Ada' } });
  expect(created.data?.createClient).toMatchObject({ __typename: 'Client', name: 'Ada' });
});

test('a client that sends documents is refused, also with one of the manifest', async () => {
  const { data, errors } = await connect(url, credentials)(ClientsDocument, { first: 2 });
  expect(data).toBeUndefined();
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['PERSISTED_QUERY_ID_REQUIRED']);
});

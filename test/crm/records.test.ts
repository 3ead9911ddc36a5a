import { describe, expect, test } from 'vitest';
import { clientFields, postFields, readRecord, selectionOf, sentRecord } from './field-tables.ts';
import { crmOver } from './support.ts';

// Every field that the tables of the document name is in the graph, with its value.

describe('a client', () => {
  test('has the fields of the document, 70 additional ones among them', () => {
    expect(clientFields).toHaveLength(123);
    expect(clientFields.filter(({ at }) => at.startsWith('customFields.'))).toHaveLength(70);
  });

  test('every field of its record is read, from one call', async () => {
    const { ask, calls } = await crmOver({ 'GET /app/clients/7.json': sentRecord(clientFields) });

    const data = await ask(`{ client(id: 7) { id upstreamId ${selectionOf(clientFields)} } }`);

    expect(data).toEqual({ client: { id: 'Client:7', upstreamId: '7', ...readRecord(clientFields) } });
    expect(calls()).toEqual(['GET /app/clients/7.json']);
  });

  test('every field is read from a list in the same way', async () => {
    const { ask, calls } = await crmOver({ 'GET /app/clients.json': [sentRecord(clientFields)] });

    const data = await ask(`{ clients { nodes { ${selectionOf(clientFields)} } } }`);

    expect(data).toEqual({ clients: { nodes: [readRecord(clientFields)] } });
    expect(calls()).toEqual(['GET /app/clients.json']);
  });
});

describe('a post', () => {
  const joined = { post_id: 1, client_id: '2', duplicate_from_id: 3 };
  const joinedSelection = 'parentId clientId duplicateOfId parent { id } client { id } duplicateOf { id }';
  const answers = {
    'GET /app/posts/7.json': { ...sentRecord(postFields), ...joined },
    'GET /app/posts/1.json': { id: 1 },
    'GET /app/posts/3.json': { id: '3' },
    'GET /app/clients/2.json': { id: 2 },
  };

  test('every field of its record is read', async () => {
    const { ask } = await crmOver(answers);

    const data = await ask(`{ post(id: "Post:7") { id upstreamId ${joinedSelection} ${selectionOf(postFields)} } }`);

    expect(data).toEqual({
      post: {
        id: 'Post:7',
        upstreamId: '7',
        ...readRecord(postFields),
        ...{ parentId: '1', clientId: '2', duplicateOfId: '3' },
        ...{ parent: { id: 'Post:1' }, client: { id: 'Client:2' }, duplicateOf: { id: 'Post:3' } },
      },
    });
  });

  test.each(['suggestion', 'error', 'question', 'praise', 'private'])('its kind may be %s', async (kind) => {
    const { ask } = await crmOver({ 'GET /app/posts/7.json': { id: 7, kind } });
    expect(await ask('{ post(id: 7) { kind } }')).toEqual({ post: { kind: kind.toUpperCase() } });
  });

  test.each(['feedback', 'email', 'task', 'help', 'chat', 'phone', 'lead', 'error', 'idea', 'comment'])(
    'its task kind may be %s',
    async (task_kind) => {
      const { ask } = await crmOver({ 'GET /app/posts/7.json': { id: 7, task_kind } });
      expect(await ask('{ post(id: 7) { taskKind } }')).toEqual({ post: { taskKind: task_kind.toUpperCase() } });
    },
  );
});

test('deals, contacts and contact lists have every field that the document names', async () => {
  const { ask } = await crmOver({
    'GET /app/deals/1.json': {
      ...{ id: 1, name: 'D', description: 'About', client_id: 2, price: '10.50' },
      external_ids: { shop: 'A-1', ledger: '7' },
    },
    'GET /app/clients/2.json': { id: 2, kind: 'buyer' },
    'GET /app/contacts/3.json': {
      ...{ id: 3, name: 'C', description: 'Note', first_name: 'Ada', last_name: 'L', responsible_id: 9 },
      ...{ email: 'a@example.com', phone: '+48' },
    },
    'GET /app/contact_lists/4.json': { id: 4, name: 'News' },
  });

  const data = await ask(`{
    deal(id: 1) { id upstreamId name description price clientId client { kind } externalIds { system value } }
    contact(id: 3) { id upstreamId name description firstName lastName responsibleId email phone }
    contactList(id: 4) { id upstreamId name }
  }`);

  expect(data).toEqual({
    deal: {
      ...{ id: 'Deal:1', upstreamId: '1', name: 'D', description: 'About', price: '10.50', clientId: '2' },
      client: { kind: 'BUYER' },
      externalIds: [
        { system: 'shop', value: 'A-1' },
        { system: 'ledger', value: '7' },
      ],
    },
    contact: {
      ...{ id: 'Contact:3', upstreamId: '3', name: 'C', description: 'Note', firstName: 'Ada', lastName: 'L' },
      ...{ responsibleId: '9', email: 'a@example.com', phone: '+48' },
    },
    contactList: { id: 'ContactList:4', upstreamId: '4', name: 'News' },
  });
});

describe('secret fields', () => {
  test.each(['client(id: 7) { token }', 'client(id: 7) { sensitiveData }', 'post(id: 7) { uid }'])(
    '{ %s } marks the response as one not to be stored',
    async (query) => {
      const { execute } = await crmOver({
        'GET /app/clients/7.json': sentRecord(clientFields),
        'GET /app/posts/7.json': sentRecord(postFields),
      });
      expect((await execute(`{ ${query} }`)).headers.get('cache-control')).toMatch(/no-store/);
    },
  );

  test('fields that are not selected are neither in the response nor in the log', async () => {
    const { execute, logs } = await crmOver({ 'GET /app/clients.json': [sentRecord(clientFields)] });
    const result = await execute('{ clients { nodes { name } } }');
    expect(JSON.stringify([result.data, result.errors, logs])).not.toMatch(/t0ken|sensitive_data/);
  });
});

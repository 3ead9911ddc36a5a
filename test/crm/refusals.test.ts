import { describe, expect, test } from 'vitest';
import { crmOver, REFUSAL, refused, Reply } from './support.ts';

// The result of each mutation by the response of upstream: a refusal is a member of the result union.

const ACCOUNT = 'input: { prefix: "x", user: { login: "x", email: "x", password: "x" } }';

const mutations = [
  ['createClient', 'input: { name: "x" }', 'POST /app/clients.json'],
  ['updateClient', 'id: 7, input: { name: "x" }', 'PUT /app/clients/7.json'],
  ['deleteClient', 'id: 7', 'DELETE /app/clients/7.json'],
  ['createPost', 'input: { title: "x" }', 'POST /app/posts.json'],
  ['addPostComment', 'postId: 7, input: { content: "x" }', 'POST /app/posts.json'],
  ['createDeal', 'input: { name: "x" }', 'POST /app/deals.json'],
  ['updateDeal', 'id: 7, input: { name: "x" }', 'PUT /app/deals/7.json'],
  ['deleteDeal', 'id: 7', 'DELETE /app/deals/7.json'],
  ['createContact', 'input: { name: "x" }', 'POST /app/contacts.json'],
  ['updateContact', 'id: 7, input: { name: "x" }', 'PUT /app/contacts/7.json'],
  ['createContactList', 'name: "x"', 'POST /app/contact_lists.json'],
  ['updateContactList', 'id: 7, name: "x"', 'PUT /app/contact_lists/7.json'],
  ['createAccount', ACCOUNT, 'POST /app/account.json'],
] as const;

describe.each(mutations)('%s', (field, args, call) => {
  const endpoint = call.replace('7', ':id');
  const query = `mutation { result: ${field}(${args}) { __typename ... on MutationError { message } } }`;
  const answered = async (reply: Reply) => {
    const { execute, calls } = await crmOver({ [call]: reply });
    return { ...(await execute(query)), calls: calls() };
  };

  test('403 is a ForbiddenError', async () => {
    const { data, errors, calls } = await answered(refused(403, { error: 'not yours' }));
    expect(errors).toEqual([]);
    expect(data).toEqual({
      result: { __typename: 'ForbiddenError', message: 'The crm API does not allow this to the caller.' },
    });
    expect(calls).toEqual([call]);
  });

  test('404 is a NotFoundError', async () => {
    const { data, errors, calls } = await answered(refused(404, { error: 'not_found' }));
    expect(errors).toEqual([]);
    const message = 'There is no such record, or it is not visible to you.';
    expect(data).toEqual({ result: { __typename: 'NotFoundError', message } });
    expect(calls).toEqual([call]);
  });

  test('409 is a ConflictError', async () => {
    const { data, errors, calls } = await answered(refused(409, { error: 'is locked' }));
    expect(errors).toEqual([]);
    expect(data).toEqual({
      result: { __typename: 'ConflictError', message: 'The record has changed, or another one is in the way.' },
    });
    expect(calls).toEqual([call]);
  });

  test.each([400, 422])('%i is a ValidationError', async (status) => {
    const { data, errors } = await answered(refused(status, { code: 'error', message: { name: ['is odd'] } }));
    expect(errors).toEqual([]);
    expect(data).toEqual({ result: { __typename: 'ValidationError', message: 'name: is odd' } });
  });

  test('a refusal with status 200 is a ValidationError', async () => {
    const { data, errors } = await answered(refused(200, { status: 'error', message: 'no' }));
    expect(errors).toEqual([]);
    expect(data).toEqual({ result: { __typename: 'ValidationError', message: 'no' } });
  });

  test('401 is UNAUTHENTICATED', async () => {
    const { data, errors } = await answered(refused(401, { error: 'login_required' }));
    expect(data).toEqual({ result: null });
    const upstream = { api: 'crm', endpoint, status: 401 };
    const extensions = { code: 'UNAUTHENTICATED', outcome: 'REFUSED', upstream };
    expect(errors).toMatchObject([{ path: ['result'], extensions }]);
  });

  test('503 is an error that says that the outcome is not known, and the call is not repeated', async () => {
    const { data, errors, calls } = await answered(refused(503, {}));
    expect(data).toEqual({ result: null });
    const upstream = { api: 'crm', endpoint, status: 503 };
    const extensions = { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN', upstream };
    expect(errors).toMatchObject([{ message: expect.stringContaining('not known'), extensions }]);
    expect(calls).toEqual([call]);
  });

  test('a web page is a bad response that names the setting CRM_URL', async () => {
    const { data, errors } = await answered(new Reply('<!doctype html><p>Hello</p>', 200, 'text/html'));
    expect(data).toEqual({ result: null });
    const message = expect.stringContaining('CRM_URL');
    expect(errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_BAD_RESPONSE', outcome: 'UNKNOWN' } }]);
  });
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'createPost names the refused field %s, which JavaScript objects have of themselves, by its name',
  async (name) => {
    const body = `{"errors":{${JSON.stringify(name)}:["is odd"]}}`;
    const { execute } = await crmOver({ 'POST /app/posts.json': new Reply(body, 422) });

    const { data, errors } = await execute(`mutation { createPost(input: { title: "x" }) { ${REFUSAL} } }`);

    expect(errors).toEqual([]);
    const field = name.replace(/_+([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    expect(data).toMatchObject({ createPost: { fields: [{ field, messages: ['is odd'] }] } });
  },
);

describe('the response to an update', () => {
  const changes = [
    ['updateClient', 'id: 7, input: { name: "x" }', 'Client', '/app/clients/7.json'],
    ['updateDeal', 'id: 7, input: { name: "x" }', 'Deal', '/app/deals/7.json'],
    ['updateContact', 'id: 7, input: { name: "x" }', 'Contact', '/app/contacts/7.json'],
    ['updateContactList', 'id: 7, name: "x"', 'ContactList', '/app/contact_lists/7.json'],
  ] as const;
  const noRecords = [
    ['nothing', new Reply('')],
    ['204', new Reply('', 204)],
    ['a text', new Reply('"ok"')],
    ['null', new Reply('null')],
    ['an object without an id', new Reply('{"status":"ok"}')],
    ['a list', new Reply('[{"id":7}]')],
  ] as const;

  test.each(changes.flatMap((change) => noRecords.map(([name, reply]) => [...change, name, reply] as const)))(
    '%s(%s) as %s at %s, answered with %s, is read by id for a field that is selected',
    async (...row) => {
      const [field, args, type, path, , reply] = row;
      const { execute, calls } = await crmOver({ [`PUT ${path}`]: reply, [`GET ${path}`]: { id: 7, name: 'Anew' } });
      const { data, errors } = await execute(`mutation { result: ${field}(${args}) { ... on ${type} { id name } } }`);
      expect(errors).toEqual([]);
      expect(data).toEqual({ result: { id: `${type}:7`, name: 'Anew' } });
      expect(calls()).toEqual([`PUT ${path}`, `GET ${path}`]);

      const onlyId = await execute(`mutation { result: ${field}(${args}) { ... on ${type} { id } } }`);
      expect(onlyId).toMatchObject({ data: { result: { id: `${type}:7` } }, errors: [] });
      expect(calls().slice(2)).toEqual([`PUT ${path}`]);
    },
  );

  test.each(changes)('%s(%s): a record of the type %s that lacks a key is read by id for it', async (...change) => {
    const [field, args, type, path] = change;
    const answers = { [`PUT ${path}`]: { id: '7' }, [`GET ${path}`]: { id: 7, name: 'Anew' } };
    const { execute, calls } = await crmOver(answers);

    const { data: id } = await execute(`mutation { result: ${field}(${args}) { ... on ${type} { id upstreamId } } }`);
    expect(id).toEqual({ result: { id: `${type}:7`, upstreamId: '7' } });
    expect(calls()).toEqual([`PUT ${path}`]);

    const { data: name } = await execute(`mutation { result: ${field}(${args}) { ... on ${type} { name } } }`);
    expect(name).toEqual({ result: { name: 'Anew' } });
    expect(calls().slice(1)).toEqual([`PUT ${path}`, `GET ${path}`]);
  });

  test.each([
    [404, 'UPSTREAM_BAD_RESPONSE'],
    [403, 'FORBIDDEN'],
    [500, 'UPSTREAM_UNAVAILABLE'],
  ])('stays a success when the record cannot be read afterwards (%i): the fields that were sent', async (...row) => {
    const [status, code] = row;
    const { execute, calls } = await crmOver({
      'PUT /app/deals/7.json': 'ok',
      'GET /app/deals/7.json': new Reply('{}', status),
    });
    const { data, errors } = await execute(
      'mutation { updateDeal(id: 7, input: { name: "x" }) { __typename ... on Deal { id name description } } }',
    );
    expect(data).toEqual({ updateDeal: { __typename: 'Deal', id: 'Deal:7', name: 'x', description: null } });
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/^The change was made, but the record cannot be read\. /),
        path: ['updateDeal', 'description'],
        extensions: { code, outcome: 'APPLIED' },
      },
    ]);
    expect(calls()).toEqual(['PUT /app/deals/7.json', 'GET /app/deals/7.json']);
  });
});

describe('the response to a creation', () => {
  test.each([
    ['createClient', 'input: { name: "x" }', '/app/clients.json', 'Client', 'name'],
    ['createPost', 'input: { title: "x" }', '/app/posts.json', 'Post', 'title'],
    ['createDeal', 'input: { name: "x" }', '/app/deals.json', 'Deal', 'name'],
    ['createContact', 'input: { name: "x" }', '/app/contacts.json', 'Contact', 'name'],
    ['createContactList', 'name: "x"', '/app/contact_lists.json', 'ContactList', 'name'],
  ])('%s(%s) without an id from %s is a %s with the fields that were sent', async (...row) => {
    const [field, args, path, type, key] = row;
    for (const reply of ['ok', { name: 'y' }, new Reply(''), [{ id: 1 }], { id: null }]) {
      const { execute, calls } = await crmOver({ [`POST ${path}`]: reply });
      const sent = await execute(`mutation { result: ${field}(${args}) { ... on ${type} { __typename ${key} } } }`);
      expect(sent).toMatchObject({ data: { result: { __typename: type, [key]: 'x' } }, errors: [] });
      const { data, errors } = await execute(`mutation { result: ${field}(${args}) { ... on ${type} { id } } }`);
      expect(data).toEqual({ result: null }); // an id is never null
      expect(errors).toMatchObject([
        {
          message: 'The change was made, but the response does not tell the id of the record.',
          path: ['result', 'id'],
          extensions: { code: 'UPSTREAM_BAD_RESPONSE', outcome: 'APPLIED' },
        },
      ]);
      expect(calls()).toEqual([`POST ${path}`, `POST ${path}`]);
    }
  });
});

describe('the response to a deletion', () => {
  const replies = ['"ok"', 'ok', '', ' ', '{"id":7,"name":"x"}', 'null', 'true', '{"status":"ok"}'];

  test.each(['Client', 'Deal'])('of a %s is a success whatever its body holds', async (type) => {
    const path = `DELETE /app/${type.toLowerCase()}s/7.json`;
    const all = [...replies.map((reply) => new Reply(reply)), new Reply('', 204), new Reply('ok', 200, 'text/plain')];
    for (const reply of all) {
      const { execute } = await crmOver({ [path]: reply });
      const { data, errors } = await execute(
        `mutation { result: delete${type}(id: "${type}:7") { __typename ... on DeletedNode { deletedId } } }`,
      );
      expect(errors).toEqual([]);
      expect(data).toEqual({ result: { __typename: 'DeletedNode', deletedId: `${type}:7` } });
    }
  });
});

import { describe, expect, test } from 'vitest';
import { crmOver, REFUSAL, refused, Reply } from './support.ts';

// What a mutation says of the response of upstream. `test/outcomes` has the result of each mutation by the status.

const DEAL = 'PUT /app/deals/7.json';
const RENAME =
  'mutation { result: updateDeal(id: 7, input: { name: "x" }) { __typename ... on MutationError { message } } }';

test.each([
  [403, { error: 'not yours' }, 'ForbiddenError', 'The crm API does not allow this to the caller.'],
  [404, { error: 'not_found' }, 'NotFoundError', 'There is no such record, or it is not visible to you.'],
  [409, { error: 'is locked' }, 'ConflictError', 'The record has changed, or another one is in the way.'],
  [400, { code: 'error', message: { name: ['is odd'] } }, 'ValidationError', 'name: is odd'],
  [422, { code: 'error', message: { name: ['is odd'] } }, 'ValidationError', 'name: is odd'],
  [200, { status: 'error', message: 'no' }, 'ValidationError', 'no'],
])('%i %j is a %s that says: %s', async (status, body, __typename, message) => {
  const { ask, calls } = await crmOver({ [DEAL]: refused(status, body) });
  expect(await ask(RENAME)).toEqual({ result: { __typename, message } });
  expect(calls()).toEqual([DEAL]);
});

test('503 names the call', async () => {
  const { execute } = await crmOver({ [DEAL]: refused(503, {}) });
  const upstream = { api: 'crm', endpoint: 'PUT /app/deals/:id.json', status: 503 };
  expect((await execute(RENAME)).errors).toMatchObject([{ path: ['result'], extensions: { upstream } }]);
});

test('a web page names the setting CRM_URL', async () => {
  const { execute } = await crmOver({ [DEAL]: new Reply('<!doctype html><p>Hello</p>', 200, 'text/html') });
  expect((await execute(RENAME)).errors).toMatchObject([{ message: expect.stringContaining('CRM_URL') }]);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'createPost names the refused field %s, which JavaScript objects have of themselves, by its name',
  async (name) => {
    const body = `{"errors":{${JSON.stringify(name)}:["is odd"]}}`;
    const { ask } = await crmOver({ 'POST /app/posts.json': new Reply(body, 422) });

    const data = await ask(`mutation { createPost(input: { title: "x" }) { ${REFUSAL} } }`);

    const field = name.replace(/_+([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    expect(data).toMatchObject({ createPost: { fields: [{ field, messages: ['is odd'] }] } });
  },
);

describe('the response to an update', () => {
  const [PUT, GET] = [DEAL, 'GET /app/deals/7.json'];
  const change = (selection: string) =>
    `mutation { result: updateDeal(id: 7, input: { name: "x" }) { ... on Deal { ${selection} } } }`;

  test.each([
    ['nothing', new Reply('')],
    ['204', new Reply('', 204)],
    ['a text', new Reply('"ok"')],
    ['null', new Reply('null')],
    ['an object without an id', new Reply('{"status":"ok"}')],
    ['a list', new Reply('[{"id":7}]')],
    ['the id alone', new Reply('{"id":"7"}')],
  ])('that is %s: the record is read by id for a field that is selected', async (_name, reply) => {
    const { ask, calls } = await crmOver({ [PUT]: reply, [GET]: { id: 7, name: 'Anew' } });
    expect(await ask(change('id name'))).toEqual({ result: { id: 'Deal:7', name: 'Anew' } });
    expect(await ask(change('id upstreamId'))).toEqual({ result: { id: 'Deal:7', upstreamId: '7' } });
    expect(calls()).toEqual([PUT, GET, PUT]);
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

test('a creation that tells no id has the fields that were sent, and an error for the id', async () => {
  for (const reply of ['ok', { name: 'y' }, new Reply(''), [{ id: 1 }], { id: null }]) {
    const { ask, execute, calls } = await crmOver({ 'POST /app/deals.json': reply });
    const create = (selection: string) =>
      `mutation { createDeal(input: { name: "x" }) { ... on Deal { ${selection} } } }`;
    expect(await ask(create('__typename name'))).toEqual({ createDeal: { __typename: 'Deal', name: 'x' } });
    const { data, errors } = await execute(create('id'));
    expect(data).toEqual({ createDeal: null }); // an id is never null
    expect(errors).toMatchObject([
      {
        message: 'The change was made, but the response does not tell the id of the record.',
        path: ['createDeal', 'id'],
        extensions: { code: 'UPSTREAM_BAD_RESPONSE', outcome: 'APPLIED' },
      },
    ]);
    expect(calls()).toEqual(['POST /app/deals.json', 'POST /app/deals.json']);
  }
});

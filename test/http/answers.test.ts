import { describe, expect, test } from 'vitest';
import { expectFailure, expectHealthy, gatewayMeeting, TOKENS, wellBehaved } from '../support/failures.ts';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream, says, stubUpstream, wholeAnswer } from '../support/stub-upstream.ts';

// Answers with a good status that are not what the API documents.

const LIST = 'GET /account/api_tokens.json';
const ONE = 'GET /account/api_tokens/:id.json';
const TOKEN = '{ apiToken(id: 1) { name } }';
const html = '<!DOCTYPE html><title>Sign in</title><a href="http://127.0.0.1/login">';

describe('an answer that cannot be right costs its field, and says why', () => {
  const type = (contentType: string) => ({ headers: { 'content-type': contentType } });
  test.each([
    ['HTML', says(html, type('text/html; charset=utf-8')), TOKENS, LIST, /HTML.*ACCOUNT_URL/],
    ['HTML with the content type of JSON', says(html, type('application/json')), TOKENS, LIST, /HTML.*ACCOUNT_URL/],
    ['HTML after white space', says(`\n\t ${html}`, type('text/plain')), TOKENS, LIST, /HTML.*ACCOUNT_URL/],
    ['HTML after a byte order mark', says(`\ufeff${html}`), TOKENS, LIST, /HTML.*ACCOUNT_URL/],
    ['an empty page of HTML', says('', type('text/html')), TOKENS, LIST, /HTML.*ACCOUNT_URL/],
    ['truncated JSON', says('[{"id":1},{"id"'), TOKENS, LIST, /broken or cut off/],
    ['two values', says('[{"id":1}][{"id":1}]'), TOKENS, LIST, /broken or cut off/],
    ['plain text', says('ok', type('text/plain')), TOKENS, LIST, /broken or cut off/],
    ['an empty body', says(''), TOKENS, LIST, /empty body/],
    ['white space', says(' \r\n'), TOKENS, LIST, /empty body/],
    ['a byte order mark alone', says('\ufeff'), TOKENS, LIST, /empty body/],
    ['null for a list', says('null'), TOKENS, LIST, /Expected a list, got nothing/],
    ['null for a record', says('null'), TOKEN, ONE, /Expected an object, got nothing/],
    ['an object for a list', says('{"tokens":[{"id":1}]}'), TOKENS, LIST, /Expected a list, got an object/],
    ['a list for a record', says('[{"id":1}]'), TOKEN, ONE, /Expected an object, got a list/],
    ['a text for a record', says('"ok"'), TOKEN, ONE, /Expected an object, got a string/],
    ['a record without an id', says('{"name":"x"}'), TOKEN, ONE, /no id/],
    ['an id with a fraction', says('{"id":1.5}'), TOKEN, ONE, /whole number/],
  ])('%s', async (_name, answer, query, endpoint, message) => {
    const { execute } = await gatewayMeeting(answer);

    const result = await execute(query);

    expect(result.status).toBe(200);
    expectFailure(result, { code: 'UPSTREAM_BAD_RESPONSE', message, endpoint, status: 200 });
    await expectHealthy(execute);
  });

  test('bytes that are no UTF-8', async () => {
    const { execute } = await gatewayMeeting((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from([0x5b, 0x22, 0xc3, 0x28, 0x22, 0x5d]));
    });
    const expected = { code: 'UPSTREAM_BAD_RESPONSE', message: /UTF-8/, endpoint: LIST, status: 200 };
    expectFailure(await execute(TOKENS), expected);
    await expectHealthy(execute);
  });

  test('a status of success without a body', async () => {
    const { execute } = await gatewayMeeting((_request, response) => response.writeHead(204).end());
    const expected = { code: 'UPSTREAM_BAD_RESPONSE', message: /empty body/, endpoint: LIST, status: 204 };
    expectFailure(await execute(TOKENS), expected);
    await expectHealthy(execute);
  });

  test('something that is not HTTP', async () => {
    let answered = 0;
    const upstream = await rawUpstream((socket) => {
      answered += 1;
      socket.end(answered === 1 ? 'SSH-2.0-OpenSSH_9.2\r\n' : wholeAnswer('[{"id":1}]'));
    });
    const { execute } = await gatewayOver(upstream.url, {}, 'token');
    const expected = { code: 'UPSTREAM_UNAVAILABLE', message: /HTTP.*ACCOUNT_URL/, endpoint: LIST };
    expectFailure(await execute(TOKENS), expected);
    await expectHealthy(execute);
  });

  test('the other fields of the operation are answered', async () => {
    const upstream = await stubUpstream((request, response) =>
      (request.url === '/account/api_tokens.json' ? wellBehaved : says(html))(request, response),
    );
    const { execute } = await gatewayOver(upstream.url, {}, 'token');
    const { data, errors } = await execute('{ broken: apiToken(id: 1) { name } fine: apiTokens { upstreamId } }');
    expect(errors.map(({ path }) => path)).toEqual([['broken']]);
    expect(data).toEqual({ broken: null, fine: [{ upstreamId: '1' }] });
  });
});

describe('an unusual answer is read all the same', () => {
  test.each([
    ['JSON as text/html', says('[{"id":1}]', { headers: { 'content-type': 'text/html; charset=utf-8' } })],
    ['JSON as text/plain', says('[{"id":1}]', { headers: { 'content-type': 'text/plain' } })],
    ['JSON as an error would be sent', says('[{"id":1}]', { headers: { 'content-type': 'application/problem+json' } })],
    ['JSON after a byte order mark', says('\ufeff[{"id":1}]')],
    ['JSON between white space', says('\r\n [ { "id" : 1 } ] \n')],
    ['an id in digits', says('[{"id":"1"}]')],
    ['with an encoding of identity', says('[{"id":1}]', { headers: { 'content-encoding': 'identity' } })],
    ['keys that are special in JavaScript', says('[{"id":1,"__proto__":{"id":2},"constructor":3,"toString":4}]')],
  ])('%s', async (_name, answer) => {
    const { execute } = await gatewayMeeting(answer);
    await expectHealthy(execute);
  });

  test('in chunks of one byte', async () => {
    const upstream = await rawUpstream((socket) => {
      const chunks = [...'[{"id":1}]'].map((byte) => `1\r\n${byte}\r\n`).join('');
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    });
    await expectHealthy((await gatewayOver(upstream.url, {}, 'token')).execute);
  });

  test('until the connection ends, where no length is given', async () => {
    const upstream = await rawUpstream((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n[{"id":1}]'));
    await expectHealthy((await gatewayOver(upstream.url, {}, 'token')).execute);
  });
});

describe('an answer that no document states and nobody needs', () => {
  const select = 'mutation { selectDashboard(context: MAIN, selection: { layout: BUILTIN }) { __typename } }';
  const remove = 'mutation { deleteDashboard(id: 7) { __typename ... on DashboardDeletion { deletedId } } }';
  const removeClient = 'mutation { deleteClient(id: 7) { __typename ... on DeletedNode { deletedId } } }';
  const enable = 'mutation { enableDashboards { __typename } }';
  const answers = [
    ['a record', says('{"id":7}')],
    ['no content', says('', { status: 204 })],
    ['an empty body', says('')],
    ['a single space', says(' ')],
    ['the JSON text "ok"', says('"ok"')],
    ['ok without quotes', says('ok', { headers: { 'content-type': 'text/plain' } })],
    ['null', says('null')],
  ] as const;
  test.each(answers)('a deletion and a selection may answer %s', async (_name, answer) => {
    for (const [mutation, data] of [
      [remove, { deleteDashboard: { __typename: 'DashboardDeletion', deletedId: 'Dashboard:7' } }],
      [removeClient, { deleteClient: { __typename: 'DeletedNode', deletedId: 'Client:7' } }],
      [select, { selectDashboard: { __typename: 'DisplayedDashboard' } }],
    ] as const) {
      const { execute } = await gatewayMeeting(answer);
      expect(await execute(mutation)).toMatchObject({ data, errors: [] });
    }
  });

  test.each([
    ['deletion', remove],
    ['selection', select],
    ['change of an account field', enable],
  ])('a %s is not believed to have happened where a web page answers', async (_name, mutation) => {
    const { execute } = await gatewayMeeting(says(html, { headers: { 'content-type': 'text/html' } }));
    const { errors } = await execute(mutation);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/HTML.*ACCOUNT_URL/), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);
  });
});

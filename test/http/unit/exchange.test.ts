import { describe, expect, test } from 'vitest';
import { json, memoryOfJson } from '../../../src/formats/json.ts';
import {
  BadResponseError,
  CallerGoneError,
  NotFoundError,
  UnauthenticatedError,
  ValidationError,
} from '../../../src/errors.ts';
import { Departure } from '../../../src/calls/transport/departure.ts';
import { xml } from '../../../src/formats/xml.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { parsed } from '../../../src/calls/answered.ts';
import { decodeInContext, Exchange } from '../../../src/calls/exchange.ts';
import type { Method, Write } from '../../../src/calls/requests.ts';
import { UpstreamSession } from '../../../src/calls/session.ts';
import { path } from '../../../src/calls/transport/path.ts';
import type { Answer } from '../../../src/calls/transport/messages.ts';
import {
  FakeUpstream,
  jsonAnswer,
  type SessionChanges,
  sessionOptions,
  textAnswer,
} from '../../support/fake-upstream.ts';

const LIMIT = { bytes: 100, setting: 'MAX_RECORD_BYTES' };
const DEAL = { path: path`/app/deals/${'7'}.json` };

function exchangeOver(answer: Answer, more: SessionChanges = {}) {
  const upstream = new FakeUpstream(() => answer);
  const session = new UpstreamSession(sessionOptions(upstream, { maxRecord: LIMIT, ...more }));
  /** Sends a request that is answered by a call of its own. */
  const send = async (method: Method, request: Write, isRead = method === 'GET') =>
    session.api.ask(new Exchange(session, method, request, LIMIT, { isRead, attempt: undefined }));
  return { upstream, session, send };
}

describe('a request', () => {
  test('a GET is sent without a body, to the path with its parameters, with the content type of the API', async () => {
    const { upstream, send } = exchangeOver(jsonAnswer({}));
    await send('GET', DEAL);
    expect(upstream.sent).toEqual([
      {
        method: 'GET',
        target: '/app/deals/7.json',
        headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
        body: null,
        isRead: true,
        limit: LIMIT,
        timeoutMs: Infinity,
      },
    ]);
  });

  test('a body is sent in the format of the API, with its content type', async () => {
    const { upstream, send } = exchangeOver(jsonAnswer({}));
    await send('POST', { ...DEAL, body: { deal: { name: 'a' } } });
    expect(upstream.sent).toMatchObject([
      {
        body: '{"deal":{"name":"a"}}',
        headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
        isRead: false,
      },
    ]);
  });

  test('the headers of the request are sent beside those of the format', async () => {
    const { upstream, send } = exchangeOver(jsonAnswer({}));
    await send('GET', { ...DEAL, headers: { 'x-token': 't' } });
    const ofFormat = { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' };
    expect(upstream.sent[0]?.headers).toEqual({ ...ofFormat, 'x-token': 't' });
  });

  test('the deadline of the request is passed on', async () => {
    const { upstream, send } = exchangeOver(jsonAnswer({}));
    await send('GET', { ...DEAL, timeoutMs: 2_000 });
    expect(upstream.sent).toMatchObject([{ timeoutMs: 2_000 }]);
  });

  test('a POST that changes nothing is sent as a read', async () => {
    const { upstream, send } = exchangeOver(jsonAnswer([]));
    await send('POST', DEAL, true);
    expect(upstream.sent[0]?.isRead).toBe(true);
  });

  test('no request is sent once the caller has left, and none is counted', async () => {
    const budget = new CallBudget(1);
    const gone = new Departure();
    gone.happen();
    const { upstream, send } = exchangeOver(jsonAnswer({}), { gone, budget });
    await expect(send('GET', DEAL)).rejects.toThrow(CallerGoneError);
    expect(upstream.calls).toEqual([]);
    expect(budget.spent).toBe(0);
  });

  test('a request beyond the budget is not sent', async () => {
    const { upstream, send } = exchangeOver(jsonAnswer({}), { budget: new CallBudget(1) });
    await send('GET', DEAL);
    const refused = send('GET', DEAL);
    const upstreamCall = { api: 'CRM', endpoint: 'GET /app/deals/:id.json' };
    await expect(refused).rejects.toMatchObject({ code: 'QUERY_LIMIT_EXCEEDED', upstream: upstreamCall });
    expect(upstream.calls).toHaveLength(1);
  });

  test('a body that cannot be encoded costs no call', async () => {
    const budget = new CallBudget(1);
    const { send } = exchangeOver(jsonAnswer({}), { budget });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(send('POST', { ...DEAL, body: circular })).rejects.toThrow(ValidationError);
    expect(budget.spent).toBe(0);
  });
});

describe('a response', () => {
  test.each([200, 201, 204, 299])('status %i is a success', async (status) => {
    const { send } = exchangeOver(jsonAnswer({}, { status }));
    await expect(send('GET', DEAL)).resolves.toMatchObject({
      answer: { status },
      call: { api: 'CRM', endpoint: 'GET /app/deals/:id.json', status },
    });
  });

  test.each([199, 300, 304])('status %i is a bad response', async (status) => {
    const { send } = exchangeOver(jsonAnswer({}, { status }));
    await expect(send('GET', DEAL)).rejects.toThrow(BadResponseError);
  });

  test('is seen by the observer, a refusal too', async () => {
    const seen: number[] = [];
    const onAnswer = ({ status }: Answer) => void seen.push(status);
    await exchangeOver(jsonAnswer({}), { onAnswer }).send('GET', DEAL);
    const refused = exchangeOver(jsonAnswer({}, { status: 404 }), { onAnswer }).send('GET', DEAL);
    await expect(refused).rejects.toThrow(NotFoundError);
    expect(seen).toEqual([200, 404]);
  });
});

describe('a refusal', () => {
  test('names the fields without the key of the record that was sent', async () => {
    const { send } = exchangeOver(jsonAnswer({ errors: { deal: { name: ['is blank'] } } }, { status: 422 }));
    await expect(send('POST', { ...DEAL, body: { deal: {} } })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: { name: ['is blank'] },
      upstream: { status: 422 },
    });
  });

  test('never repeats a secret of the caller or of the request', async () => {
    const said = async (message: string) => {
      const { send } = exchangeOver(jsonAnswer({ message }, { status: 422 }));
      return send('POST', { ...DEAL, secrets: ['request-secret'] });
    };
    await expect(said('canary-secret is wrong')).rejects.toThrow(/^The CRM API refused the input\.$/);
    await expect(said('request-secret is wrong')).rejects.toThrow(/^The CRM API refused the input\.$/);
    await expect(said('another-secret is wrong')).rejects.toThrow(/^another-secret is wrong$/);
  });

  test('names the header of a refused credential', async () => {
    const { send } = exchangeOver(jsonAnswer({}, { status: 401 }));
    await expect(send('GET', DEAL)).rejects.toThrow(/credential of the X-CRM-Token header/);
  });

  test('names no header where no credential was sent', async () => {
    const { send } = exchangeOver(jsonAnswer({}, { status: 401 }), { credential: undefined });
    const refused = send('GET', DEAL);
    await expect(refused).rejects.toThrow(UnauthenticatedError);
    await expect(refused).rejects.toThrow(/without a credential/);
  });
});

describe('a parsed response', () => {
  const read = async (text: string) => {
    const { send } = exchangeOver(textAnswer(text));
    return parsed(await send('GET', DEAL));
  };

  test('holds the body, the call, and the memory that was held for it', async () => {
    const json = '{"a":1}';
    await expect(read(json)).resolves.toEqual({
      body: { a: 1 },
      memory: json.length + memoryOfJson(Buffer.from(json)),
      call: { api: 'CRM', endpoint: 'GET /app/deals/:id.json', status: 200 },
    });
  });

  test('broken JSON is a bad response that names the API and the call', async () => {
    await expect(read('{"a":')).rejects.toThrow(/^The CRM API: Expected JSON/);
    await expect(read('{"a":')).rejects.toMatchObject({ upstream: { endpoint: 'GET /app/deals/:id.json' } });
  });

  test('`status: error` with a message is a refusal of the input, whatever the status', async () => {
    await expect(read('{"status":"error","message":"no such deal"}')).rejects.toMatchObject({
      message: 'no such deal',
      code: 'BAD_USER_INPUT',
      upstream: { status: 200 },
    });
  });

  test.each([
    '{"status":"error"}',
    '{"code":"error"}',
    '{"success":false}',
    '{"error":"x"}',
    '{"errors":["x"]}',
    'false',
  ])('is a refusal: %s', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', upstream: { status: 200 } });
  });

  test.each([
    ['a record with a status and a message of its own', '{"id":1,"status":"error","message":"a"}'],
    ['another status with a message', '{"status":"ok","message":"a"}'],
    ['a list', '[{"status":"error","message":"a"}]'],
    ['null', 'null'],
  ])('is no refusal: %s', async (_name, text) => {
    await expect(read(text)).resolves.toMatchObject({ body: JSON.parse(text) });
  });
});

describe('the response to a write that was carried out', () => {
  async function accepted(answer: Answer, more: SessionChanges = {}) {
    const { session } = exchangeOver(answer, more);
    return (await session.writes.change('PATCH', { ...DEAL, body: { deal: {} } })).body;
  }

  test.each(['{"id":1}', '"ok"', '[]', 'null', 'true', '7', '{"id":1,"status":"error","message":"a"}'])(
    'is parsed: %s',
    async (text) => {
      await expect(accepted(textAnswer(text))).resolves.toEqual(JSON.parse(text));
    },
  );

  test.each([[[]], [[Buffer.from('')]], [[Buffer.from(''), Buffer.from('')]]])(
    'is nothing where it has no body: %j',
    async (body) => {
      await expect(accepted(jsonAnswer(null, { body }))).resolves.toBeUndefined();
    },
  );

  test('is parsed where only a part of its body is empty', async () => {
    await expect(accepted(jsonAnswer(null, { body: [Buffer.from(''), Buffer.from('7')] }))).resolves.toBe(7);
  });

  test.each([' ', 'ok', '{"id":', 'Nie można'])('is nothing where it cannot be parsed: %j', async (text) => {
    await expect(accepted(textAnswer(text))).resolves.toBeUndefined();
  });

  test.each(['', ' ', 'ok', '<post', '<post>&undefined;</post>'])('is nothing where it is no XML: %j', async (text) => {
    const answer = textAnswer(text, { contentType: 'application/xml' });
    const { session } = exchangeOver(answer, { format: xml });
    await expect(session.writes.change('POST', DEAL)).resolves.toMatchObject({ body: undefined });
  });

  test('is refused where it says so, with the fields by their own names', async () => {
    const refused = accepted(jsonAnswer({ errors: { deal: { name: ['is odd'] } } }));
    await expect(refused).rejects.toThrow(ValidationError);
    await expect(refused).rejects.toMatchObject({
      message: 'name: is odd',
      fields: { name: ['is odd'] },
      upstream: { endpoint: 'PATCH /app/deals/:id.json', status: 200 },
    });
  });

  test('is refused where it is a web page, and the error names the setting and the call', async () => {
    const refused = accepted(textAnswer('<html>'));
    await expect(refused).rejects.toThrow(/^The CRM API: .*CRM_URL/);
    await expect(refused).rejects.toMatchObject({ upstream: { endpoint: 'PATCH /app/deals/:id.json' } });
  });

  test('is an error of its own where the parser is broken', async () => {
    const broken = {
      ...json,
      parse: () => {
        throw new TypeError('a mistake');
      },
    };
    await expect(accepted(jsonAnswer({}), { format: broken })).rejects.toThrow(TypeError);
  });
});

describe('the context of a call', () => {
  const call = { api: 'CRM', endpoint: 'GET /a' };

  const throws = (error: Error) => () => {
    throw error;
  };

  test('is added to a bad response, and not to an error of another kind', () => {
    const decode = (error: Error) => () => decodeInContext(call, throws(error));
    expect(decode(new BadResponseError('Expected a list.'))).toThrow(/^The CRM API: Expected a list\.$/);
    expect(decode(new BadResponseError('Expected a list.'))).toThrow(expect.objectContaining({ upstream: call }));
    expect(decode(new TypeError('a mistake'))).toThrow(new TypeError('a mistake'));
  });

  test.each([
    ['synchronous', (): unknown => throws(new BadResponseError('Expected a list.'))()],
    ['asynchronous', async (): Promise<unknown> => throws(new BadResponseError('Expected a list.'))()],
  ])('is added to a bad response of a parser that is %s', async (_name, parse) => {
    const { send } = exchangeOver(jsonAnswer([]), { format: { ...json, parse } });
    const read = async () => parsed(await send('GET', DEAL));
    await expect(read()).rejects.toThrow(/^The CRM API: Expected a list\.$/);
    await expect(read()).rejects.toMatchObject({ upstream: { endpoint: 'GET /app/deals/:id.json' } });
  });
});

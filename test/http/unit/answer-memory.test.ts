import { expect, test, vi } from 'vitest';
import { AnswerMemoryError } from '../../../src/errors.ts';
import { json } from '../../../src/formats/json.ts';
import { AnswerMemory } from '../../../src/calls/transport/answer-memory.ts';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { Turns } from '../../../src/calls/transport/turns.ts';
import { says, stubUpstream } from '../../support/stub-upstream.ts';
import { get, STAYS, upstreamAt } from './support.ts';

/** How much can still be taken. */
function left(memory: AnswerMemory, most = 1_000): number {
  let bytes = most;
  while (bytes > 0 && !memory.take(bytes)) bytes -= 1;
  memory.give(bytes);
  return bytes;
}

test('a response that operations share is held until the last of them has ended', () => {
  const memory = new AnswerMemory(100);
  const [one, other] = [new CallBudget(1, Infinity, memory), new CallBudget(1, Infinity, memory)];
  const held = one.share();
  held.hold(60);
  other.share(held);
  other.share(held); // it is read twice
  one.end();
  one.end();
  expect(left(memory)).toBe(40);
  held.hold(20);
  expect(left(memory)).toBe(20);
  other.end();
  expect(left(memory)).toBe(100);
});

test('beyond the bound nothing is taken', () => {
  const memory = new AnswerMemory(100);
  const budget = new CallBudget(1, Infinity, memory);
  const { hold } = budget.share();
  hold(60);
  expect(() => hold(41)).toThrow(AnswerMemoryError);
  hold(40);
  expect(left(memory)).toBe(0);
  budget.end();
  expect(left(memory)).toBe(100);
});

test('what is parsed for an operation that has ended takes nothing', () => {
  const memory = new AnswerMemory(100);
  const budget = new CallBudget(1, Infinity, memory);
  budget.end();
  budget.share().hold(60);
  expect(left(memory)).toBe(100);
});

test('a list ends where there is no memory for its next piece', async () => {
  const list = JSON.stringify(Array.from({ length: 30_000 }, (_none, id) => ({ id, name: 'a name' })));
  const answer = { body: [Buffer.from(list)], contentType: 'application/json', contentEncoding: '' };
  const held: number[] = [];
  const hold = (bytes: number) => {
    held.push(bytes);
    if (held.length === 4) throw new AnswerMemoryError();
  };
  await expect((async () => json.parse(answer, 'CRM_URL', hold))()).rejects.toBeInstanceOf(AnswerMemoryError);
  expect(held).toHaveLength(4);
  expect(held[0]).toBe(list.length);
});

test('a body that has arrived counts until its turn has come', async () => {
  const memory = new AnswerMemory(20);
  const due: (() => void)[] = [];
  let now = 0;
  const turns = new Turns(
    () => (now += 100), // no turn has time left
    (callback) => due.push(callback),
  );
  const { url } = await stubUpstream(says('[{"id":1}]'));
  const answer = upstreamAt(url, { turns, memory }).open(get, { api: 'CRM', endpoint: 'GET /a' }).answer(STAYS);
  await vi.waitFor(() => expect(left(memory, 20)).toBe(10));
  for (let rounds = 0; rounds < 10; rounds++) for (const callback of due.splice(0)) callback();
  expect((await answer).status).toBe(200);
  expect(left(memory, 20)).toBe(20);
});

import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { DEAD_ADDRESS, rawUpstream, says } from '../support/stub-upstream.ts';
import { basic, saysXml } from './support.ts';

// The login's password and a new user's password on their way through the forum.

const PASSWORD = 'canary-own <wörd> &"zyx9';
const NEW = "canary-new '%25' ]]> qwv5";
const HEADER = basic('ada', PASSWORD);
const ENCODED = HEADER.slice('Basic '.length);

const REFUSED = '__typename ... on MutationError { message } ... on ValidationError { fields { field messages } }';
const CREATE_USER = `mutation Register ($password: Password!) {
  createForumUser(input: { login: "x", email: "y", password: $password }) { ${REFUSED} }
}`;
const OPERATIONS = [
  'query Me { forumMe { login } }',
  'query Page { forumPosts(category: "a") { nodes { title kind } } }',
  'query One { forumPost(id: 1) { title comments { text } } }',
  `mutation Post { createForumPost(input: { title: "x", content: "y" }) { ${REFUSED} } }`,
  'mutation Delete { deleteForumPost(id: 1) { __typename ... on MutationError { message } } }',
  CREATE_USER,
];

/** Runs every operation, and returns all data, errors, headers and logs as one text. */
async function everythingSaid(url: string, deadline: Partial<Config> = {}): Promise<string> {
  const other = await recordingUpstream(says('[]'));
  const address = new URL(other.url);
  const settings = { FORUM_URL: new URL(url), CRM_URL: address, LOG_LEVEL: 'debug', ...deadline } as const;
  const { execute, logs } = await gatewayOver(other.url, settings, 'bearer');
  const said: unknown[] = [];
  for (const query of OPERATIONS) {
    const variables = query === CREATE_USER ? { password: NEW } : {};
    const { data, errors, headers } = await execute(query, { variables, headers: { 'x-forum-authorization': HEADER } });
    said.push(JSON.stringify([data, errors, [...headers]]));
  }
  expect(logs).toHaveLength(OPERATIONS.length);
  expect(other.requests).toEqual([]);
  return [...said, ...logs].join('\n');
}

function expectNoCanary(said: string, name = ''): void {
  const found = /.{0,60}(canary|qwv5|zyx9|w(ö|%C3|&#)rd).{0,20}/.exec(said)?.[0];
  expect(found, name).toBeUndefined();
  expect(said, name).not.toContain(ENCODED.slice(0, 20));
}

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const numbered = (text: string) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');
const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const spellings: readonly (readonly [name: string, spell: (text: string) => string])[] = [
  ['as XML', xmlText],
  ['as numbers', numbered],
  ['as CDATA', cdata],
  ['in an address', (text) => xmlText(encodeURIComponent(text))],
  ['as it is', (text) => text],
];

const answers: readonly (readonly [name: string, answer: (text: string) => RequestListener])[] = [
  ...[400, 401, 403, 404, 409, 422, 500].map(
    (status) =>
      [`${status}`, (text: string) => saysXml(`<errors><error>${text} is wrong</error></errors>`, { status })] as const,
  ),
  ['errors under 200', (text) => saysXml(`<errors><error>${text}</error></errors>`)],
  ['401 as text', (text) => saysXml(text, { status: 401, headers: { 'content-type': 'text/plain' } })],
  ['422 as text', (text) => saysXml(text, { status: 422, headers: { 'content-type': 'text/plain' } })],
  ['400 as text', (text) => saysXml(`Oops: ${text}`, { status: 400, headers: { 'content-type': '' } })],
  ['400 as JSON', (text) => saysXml(JSON.stringify(text), { status: 400, headers: { 'content-type': '' } })],
  ['HTML', (text) => saysXml(`<html>${text}`, { headers: { 'content-type': 'text/html' } })],
  ['another root', (text) => saysXml(`<x>${text}</x>`)],
  ['broken XML', (text) => saysXml(`<post>${text}`)],
  ['text beside elements', (text) => saysXml(`<user>${text}<login>x</login></user>`)],
];

test.each(answers)('a secret that upstream repeats is removed, in any spelling: %s', async (_case, answer) => {
  for (const [name, spell] of spellings) {
    const forum = await recordingUpstream((request, response) => {
      const given = request.url === '/app/users.xml' ? [NEW] : []; // only this endpoint receives the new password
      answer([PASSWORD, ENCODED, HEADER, ...given].map(spell).join(' and '))(request, response);
    });
    expectNoCanary(await everythingSaid(forum.url), name);
    expect(forum.requests.length, name).toBeGreaterThan(OPERATIONS.length - 1);
  }
});

test('a network failure shows no secret', async () => {
  expectNoCanary(await everythingSaid(DEAD_ADDRESS));
  expectNoCanary(await everythingSaid((await rawUpstream((socket) => socket.destroy())).url));
  expectNoCanary(await everythingSaid((await rawUpstream((socket, request) => socket.end(request))).url));
  expectNoCanary(await everythingSaid((await rawUpstream(() => {})).url, { UPSTREAM_TIMEOUT_MS: 30 }));
});

test('a password reaches the forum as it was given', async () => {
  const forum = await recordingUpstream(saysXml('<user/>', { status: 201 }));
  await everythingSaid(forum.url);
  const { body, headers } = forum.requests.find(({ url }) => url === '/app/users.xml') ?? {};
  expect(body).toContain("<password>canary-new '%25' ]]&gt; qwv5</password>");
  expect(headers?.authorization).toBe(HEADER);
});

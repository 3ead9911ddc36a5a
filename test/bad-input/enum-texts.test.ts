import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { says } from '../support/stub-upstream.ts';

// Kinds and contexts that the documents do not name can be sent as texts, under the names of the fields that read them.

const REFUSAL = '{ __typename ... on ValidationError { fields { field messages } } }';

async function recording() {
  const { url, received, requests } = await recordingUpstream(says('{"id":1,"token":"raw","name":"Ada"}'));
  const { ask } = await gatewayOver(url, { CRM_URL: new URL(url) }, 'token');
  const run = async (mutation: string) => ask(`mutation { ${mutation} }`, { headers: { 'x-crm-token': 'crm' } });
  return { run, received, bodies: () => requests.map(({ body }) => body).filter((body) => body !== '') };
}

const inputs: readonly (readonly [
  mutation: string,
  given: (fields: string) => string,
  name: string,
  member: string,
])[] = [
  ['createClient', (fields) => `input: { name: "Ada", ${fields} }`, 'kind', 'BUYER'],
  ['updateClient', (fields) => `id: 1, input: { ${fields} }`, 'kind', 'SELLER'],
  ['createPost', (fields) => `input: { ${fields} }`, 'kind', 'QUESTION'],
  ['createPost', (fields) => `input: { ${fields} }`, 'taskKind', 'IDEA'],
  ['addPostComment', (fields) => `postId: 1, input: { content: "c", ${fields} }`, 'kind', 'QUESTION'],
  ['createApiToken', (fields) => `input: { ${fields} }`, 'kind', 'WEB'],
  ['updateApiToken', (fields) => `id: 1, input: { ${fields} }`, 'kind', 'API'],
  ['createDashboard', (fields) => `input: { name: "d", ${fields} }`, 'context', 'KB'],
];

test.each(inputs)('%s sends the text: %#', async (mutation, given, name) => {
  const { run, bodies } = await recording();
  const sent = (value: string) => expect.stringContaining(`"${name === 'taskKind' ? 'task_kind' : name}":${value}`);

  await run(`${mutation}(${given(`${name}Text: "partner", ${name}: null`)}) { __typename }`);
  expect(bodies()).toEqual([sent('"partner"')]);
});

test.each(inputs)('%s takes the text in place of the member: %#', async (mutation, given, name, member) => {
  const { run, received } = await recording();

  const both = given(`${name}: ${member}, ${name}Text: "partner"`);
  const messages = [`takes the place of \`${name}\`: set one of them`];
  expect(await run(`field: ${mutation}(${both}) ${REFUSAL}`)).toEqual({
    field: { __typename: 'ValidationError', fields: [{ field: `${name}Text`, messages }] },
  });
  expect(received).toEqual([]);
});

test('a null text leaves the member, and clears the kind where there is none', async () => {
  const { run, bodies } = await recording();
  await run('updateClient(id: 1, input: { kind: BUYER, kindText: null }) { __typename }');
  await run('updateClient(id: 1, input: { kindText: null }) { __typename }');
  expect(bodies()).toEqual([expect.stringContaining('"kind":"buyer"'), expect.stringContaining('"kind":null')]);
});

test('the text `comment` requires a parent, as COMMENT does', async () => {
  const { run, received } = await recording();
  const refusal = { __typename: 'ValidationError', fields: [{ field: 'parentId' }] };
  expect(await run(`field: createPost(input: { taskKindText: "comment" }) ${REFUSAL}`)).toMatchObject({
    field: refusal,
  });
  expect(received).toEqual([]);
});

test('the text `api_token` is sent as an ordinary token, which is empty', async () => {
  const { run, bodies } = await recording();
  await run('createApiToken(input: { kindText: "api_token" }) { __typename }');
  expect(bodies()).toEqual([expect.stringContaining('"kind":""')]);
});

test('dashboards of a page that the document does not name can be read', async () => {
  const { url, received } = await recordingUpstream(says('[]'));
  const { ask, execute } = await gatewayOver(url, {}, 'token');
  expect(await ask('{ dashboards(contextText: "lab") { id } }')).toEqual({ dashboards: [] });
  expect(received).toEqual(['GET /toolkit/dashboards.json?context=lab']);
  expect((await execute('{ dashboards(contextText: "lab", context: KB) { id } }')).errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'contextText' }] } },
  ]);
});

test('a dashboard of a page that the document does not name can be selected, and is displayed', async () => {
  const { url, requests, received } = await recordingUpstream(says('{"layout":[],"dashboards":[]}'));
  const { ask } = await gatewayOver(url, {}, 'token');
  const PAGE = '{ ... on DisplayedDashboard { contextText layout { key } } }';
  const shown = { contextText: 'lab', layout: [] };

  expect(await ask('{ displayedDashboard(contextText: "lab") { contextText layout { key } } }')).toEqual({
    displayedDashboard: shown,
  });
  expect(received).toEqual(['GET /toolkit/dashboards/widgets.json?context=lab']);
  const select = 'selectDashboard(contextText: "lab", selection: { layout: BUILTIN })';
  expect(await ask(`mutation { field: ${select} ${PAGE} }`)).toEqual({ field: shown });
  expect(requests.map(({ body }) => body)).toContain('{"context":"lab","dashboard_id":"builtin"}');
  expect(await ask(`mutation { field: selectDashboard(selection: { layout: BUILTIN }) ${REFUSAL} }`)).toMatchObject({
    field: { fields: [{ field: 'context' }] },
  });
});

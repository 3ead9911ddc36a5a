import { expect, test } from 'vitest';
import { crmGateway, REFUSAL, refusing } from './support.ts';

// Input that the gateway refuses by itself, at the path of the field.

const twice = ['__proto__', 'ledger', '__proto__'].map((system, index) => ({ system, value: `${index}` }));

/** The type of the input, and the argument for an id. */
const FIELDS = {
  createClient: ['ClientInput', ''],
  updateClient: ['ClientInput', 'id'],
  createContact: ['ContactInput', ''],
  createDeal: ['DealInput', ''],
  updateDeal: ['DealInput', 'id'],
  createPost: ['CreatePostInput', ''],
  addPostComment: ['PostCommentInput', 'postId'],
} as const;
type Field = keyof typeof FIELDS;

const ids = (field: Field, ...names: readonly string[]) => names.map((name) => [field, { [name]: '' }, name] as const);
const ofDeals = [
  [{ client: { name: 'y' }, clientId: 1 }, 'client'],
  [{ clientId: 'Deal:1' }, 'clientId'],
  [{ clientId: '' }, 'clientId'],
  [{ externalIds: twice }, 'externalIds.2.system'],
  [{ client: { externalIds: twice } }, 'client.externalIds.2.system'],
] as const;

test.each<readonly [field: Field, input: Readonly<Record<string, unknown>>, path: string]>([
  ['updateClient', { address: null }, 'address'],
  ['updateClient', { bank: null }, 'bank'],
  ['updateClient', { payments: null }, 'payments'],
  ['updateClient', { customFields: null }, 'customFields'],
  ['createClient', { contactId: 'Client:1' }, 'contactId'],
  ['createClient', { responsibleId: ' ' }, 'responsibleId'],
  ['createClient', { bank: { accountId: '' } }, 'bank.accountId'],
  ['createClient', { externalIds: twice }, 'externalIds.2.system'],
  ...ids('createClient', 'contactId', 'statusId', 'categoryId', 'departmentId', 'projectId'),
  ...ids('createContact', 'responsibleId'),
  ...ofDeals.map((row) => ['createDeal', ...row] as const),
  ...ofDeals.map((row) => ['updateDeal', ...row] as const),
  ['updateDeal', { client: { name: 'y' }, clientId: null }, 'client'],
  ['updateDeal', { client: null }, 'client'],
  ['createPost', { clientId: 'Post:1' }, 'clientId'],
  ['createPost', { parentId: 'Client:1' }, 'parentId'],
  ['createPost', { duplicateOfId: 'Deal:1' }, 'duplicateOfId'],
  ['createPost', { tags: ['oak', 'a,b'] }, 'tags.1'],
  ['createPost', { tags: [' '] }, 'tags.0'],
  ...ids('createPost', 'responsibleId', 'statusId', 'categoryId', 'projectId', 'forumId'),
  ['createPost', { taskKind: 'COMMENT', content: 'x' }, 'parentId'],
  ['createPost', { taskKind: 'COMMENT', content: 'x', parentId: null }, 'parentId'],
  ['createPost', { taskKind: 'COMMENT', content: 'x', parentId: '' }, 'parentId'],
  ['addPostComment', { postId: 'Client:1', content: 'x' }, 'postId'],
  ['addPostComment', { postId: '', content: 'x' }, 'postId'],
  ['addPostComment', { postId: ' ', content: 'x' }, 'postId'],
])('%s: %j is refused at %s, without a call', async (field, { postId: id = '1', ...input }, path) => {
  const { ask, sandbox } = await crmGateway();
  const [type, argument] = FIELDS[field];
  const [declared, given] = argument === '' ? ['', ''] : ['$id: ID!, ', `${argument}: $id, `];
  const query = `mutation (${declared}$input: ${type}!) { ${field}(${given}input: $input) { ${REFUSAL} } }`;
  expect(await ask(query, { variables: { id, input } })).toMatchObject({ [field]: refusing(path) });
  expect(sandbox.calls()).toEqual([]);
});

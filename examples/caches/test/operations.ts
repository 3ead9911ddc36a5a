import type { JsonObject } from '../src/clients.ts';

/** An operation of the codegen example, with its variables. */
export type Named = readonly [name: string, variables: JsonObject];

/** The ids of records that an operation has created, by its name. */
export type Created = (operation: string) => string;

const table = { fields: [{ name: 'answer', type: 'STRING' }], indexedFields: ['answer'] };
const publicMethods = ['LIST', 'GET', 'CREATE', 'UPDATE', 'DELETE', 'SEARCH'].map((operation) => ({ operation }));

/** What the demo data lack: records that have much in common but their global ids. */
export const preparations: readonly Named[] = [
  ...['poll', 'quiz'].flatMap((code): Named[] => [
    ['CreateFlexDb', { input: { name: 'Trees', code, schema: { table }, publicMethods } }],
    ...['oak', 'ash', 'oak'].map((answer): Named => ['CreatePublicRecord', { code, data: { answer } }]),
  ]),
  ['CreateDeal', { input: { name: 'Lathe', externalIds: [{ system: 'shop', value: '7' }] } }],
  ['CreateDeal', { input: { name: 'Vice', externalIds: [{ system: 'ledger', value: '7' }] } }],
  ['CreateFlexRecord', { db: 'products', input: { data: { name: 'Oak stool', sku: 'ST-1' } } }],
  ['CreateDashboard', { input: { name: 'Second', shared: true } }],
];

/** Every query of the example, with different variables where records could be taken for each other. */
export const queries = (created: Created): readonly Named[] => [
  ['ApiTokens', {}],
  ['Clients', { first: 10 }],
  ['Clients', { first: 10, after: 'offset:9:10' }],
  ['Clients', { first: 10, filter: { kinds: ['BUYER'] }, orderBy: [{ field: 'NAME', direction: 'DESC' }] }],
  ['ClientPage', { id: 'Client:1' }],
  ['ClientPage', { id: 'Client:2' }],
  ['Contact', { id: 'Contact:1' }],
  ['ContactList', { id: 'ContactList:1' }],
  ['Dashboards', {}],
  ['DisplayedDashboard', { context: 'MAIN' }],
  ['DisplayedDashboard', { context: 'CRM' }],
  ['Deals', { first: 10 }],
  ['Deals', { first: 1000, filter: { externalId: { value: '7' } } }],
  ['Search', { text: 'oak', first: 20 }],
  ['Everything', { publicDb: 'poll' }],
  ['FlexDbs', {}],
  ['FlexRecord', { id: created('CreateFlexRecord') }],
  ['SearchFlexDb', { db: 'products', query: 'oak', first: 5 }],
  ['SearchFlexDb', { db: 'products', sort: { field: 'price', direction: 'DESC' }, first: 5 }],
  ['ForumFront', { order: 'new' }],
  ['ForumCategories', {}],
  ['ForumThread', { id: 'ForumPost:565' }],
  ['Posts', { first: 10 }],
  ['PostThread', { id: 'Post:565' }],
  ['PublicRecords', { code: 'poll' }],
  ['PublicRecords', { code: 'quiz' }],
  ['SearchPublicRecords', { code: 'quiz', query: 'oak' }],
  ['SearchPublicRecords', { code: 'quiz', sort: { field: 'answer' } }],
  ['PublicRecord', { code: 'quiz', id: created('CreatePublicRecord') }],
];

/** Every mutation of the example, of records that the queries list where there are any. */
export const mutations: readonly (readonly [name: string, variables: (created: Created) => JsonObject])[] = [
  ['CreateApiToken', () => ({ input: { name: 'Import' } })],
  ['DeleteApiToken', (created) => ({ id: created('CreateApiToken') })],
  ['UpdateDashboard', (created) => ({ id: created('CreateDashboard'), input: { isDefault: true } })],
  ['CreateDashboard', () => ({ input: { name: 'My week' } })],
  ['SelectDashboard', () => ({ context: 'MAIN', selection: { layout: 'BUILTIN' } })],
  ['SelectDashboard', (created) => ({ context: 'MAIN', selection: { dashboard: created('CreateDashboard') } })],
  ['DeleteDashboard', (created) => ({ id: created('CreateDashboard'), context: 'MAIN' })],
  ['CreateClient', () => ({ input: { name: 'Turnery' } })],
  ['CreateClients', () => ({ inputs: [{ name: 'Ada' }, { name: 'Bob', email: 'nobody' }, { name: 'Cy' }] })],
  ['UpdateClient', () => ({ id: 'Client:1', input: { name: 'Renamed', discount: '2.50' } })],
  ['DeleteClient', () => ({ id: 'Client:2' })],
  ['CreateContact', () => ({ input: { firstName: 'Ada' } })],
  ['CreateContactList', () => ({ name: 'Fair' })],
  [
    'CreateAccount',
    () => ({ input: { prefix: 'shop', user: { login: 'a', email: 'a@b.example', password: 'long secret' } } }),
  ],
  ['CreateDeal', () => ({ input: { name: 'Saw', externalIds: [{ system: 'shop', value: '7' }] } })],
  ['DeleteDeal', () => ({ id: 'Deal:2' })],
  ['CreatePost', () => ({ input: { title: 'Which lathe?', content: 'The long one?' } })],
  ['AddPostComment', () => ({ post: 'Post:565', input: { content: 'The short one.' } })],
  ['CreateForumPost', () => ({ input: { title: 'Oil', content: 'Sell oil.' } })],
  ['DeleteForumPost', () => ({ id: 'ForumPost:565' })],
  ['UpdateFlexRecord', (created) => ({ id: created('CreateFlexRecord'), input: { data: { stock: 3 }, merge: true } })],
  ['DeleteFlexRecord', (created) => ({ id: created('CreateFlexRecord') })],
  ['CreateFlexRecord', () => ({ db: 'products', input: { data: { name: 'Oak bench', sku: 'BE-1' } } })],
  ['UpdatePublicRecord', (created) => ({ code: 'quiz', id: created('CreatePublicRecord'), data: { answer: 'elm' } })],
  ['DeletePublicRecord', (created) => ({ code: 'quiz', id: created('CreatePublicRecord') })],
  ['CreatePublicRecord', () => ({ code: 'poll', data: { answer: 'yew' } })],
  ['CreateFlexDb', () => ({ input: { name: 'Herbs', schema: { table } } })],
  ['DeleteFlexDb', (created) => ({ id: created('CreateFlexDb') })],
];

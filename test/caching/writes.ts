import type { Context } from '../../src/operation/context.ts';
import type { DealFields, PostFields } from '../../src/apis/crm/wire.ts';
import type { Kind, World } from './world.ts';

/** A write with random parameters. */
export type WriteStep = (context: Context, world: World) => Promise<unknown>;

async function made(world: World, kind: Kind, writing: Promise<{ readonly id: string }>): Promise<void> {
  world.ids.get(kind)?.push((await writing).id);
}

const clientFields = (world: World) => ({
  name: `Client ${world.next()}`,
  email: `${world.next()}@example.com`,
  ...(world.roll(3) === 0 && { contact_id: world.id('contact') }),
});
const dashboardFields = (world: World) => ({
  name: `Board ${world.next()}`,
  ...(world.roll(2) === 0 && { layout: [{ key: world.pick('kpi', 'tasks', 'crm_deals', 'mail') }] }),
});
const definition = (world: World) => ({
  name: `Database ${world.next()}`,
  code: `db-${world.name}-${world.next()}`,
  schema: { fields: { note: 'text', size: 'integer' } },
  public_methods: { list: true, get: true, create: true, update: true, delete: true, search: true },
});
const data = (world: World) => ({ note: `note ${world.next()}`, size: world.roll(9) });

/** The code of a database: public methods are addressed by it. */
async function withCode(context: Context, world: World): Promise<string> {
  const { code } = await context.flex.database(world.id('database'));
  return String(code);
}

/** A write for each row of the tables. */
export const writes: Readonly<Record<string, WriteStep>> = {
  'POST /account/api_tokens.json': async ({ account }, world) => {
    const { id, token } = await account.createApiToken({ name: `Token ${world.next()}` });
    world.ids.get('token')?.push(id);
    world.callers.push({ authorization: `Bearer ${String(token)}` }); // whose rights the other writes change
  },
  'PATCH /account/api_tokens/:id.json': ({ account }, world) =>
    account.updateApiToken(world.id('token'), { active: world.roll(2) === 0, privileges: [world.pick('todo', '')] }),
  'DELETE /account/api_tokens/:id.json': ({ account }, world) => account.deleteApiToken(world.id('token')),
  'POST /toolkit/dashboards.json': ({ account }, world) => {
    const shared = world.roll(2) === 0;
    const is_default = shared && world.roll(2) === 0;
    const fields = { ...dashboardFields(world), context: world.pick('main', 'crm'), shared, is_default };
    return made(world, 'dashboard', account.createDashboard(fields));
  },
  'PATCH /toolkit/dashboards/:id.json': ({ account }, world) =>
    account.updateDashboard(world.id('dashboard'), dashboardFields(world)),
  'DELETE /toolkit/dashboards/:id.json': ({ account }, world) => account.deleteDashboard(world.id('dashboard')),
  'PATCH /toolkit/dashboards/select.json': ({ account }, world) =>
    account.selectDashboard(
      world.pick('main', 'crm'),
      world.pick<string | number>('builtin', '', Number(world.id('dashboard'))),
    ),
  'POST /account/set_field.json': ({ account }, world) =>
    account.setField('account.settings.modules', world.pick('add', 'remove'), world.pick('crm', 'mail', 'toolkit')),
  'POST /flex/dbs.json': ({ flex }, world) => made(world, 'database', flex.createDatabase(definition(world))),
  'PATCH /flex/dbs/:id.json': ({ flex }, world) =>
    flex.updateDatabase(world.id('database'), { name: `Renamed ${world.next()}` }, true),
  'DELETE /flex/dbs/:id.json': ({ flex }, world) => flex.deleteDatabase(world.id('database')),
  'PATCH /flex/dbs/:id/replace.json': ({ flex }, world) => {
    const [old_string, new_string] = world.pick(['text', 'string'] as const, ['string', 'text'] as const);
    return flex.replace(world.id('database'), { field: 'schema', old_string, new_string }, true);
  },
  'POST /flex/dbs/:db_id/records.json': ({ flex }, world) =>
    made(world, 'record', flex.createRecord(world.id('database'), { data: data(world) })),
  'PATCH /flex/dbs/:db_id/records/:id.json': ({ flex }, world) =>
    flex.updateRecord(world.id('database'), world.id('record'), { data: data(world) }),
  'DELETE /flex/dbs/:db_id/records/:id.json': ({ flex }, world) =>
    flex.deleteRecord(world.id('database'), world.id('record')),
  'POST /flex/db/:db_code/create': async (context, world) =>
    made(world, 'record', context.publicFlex.create(await withCode(context, world), data(world))),
  'POST /flex/db/:db_code/update': async (context, world) =>
    context.publicFlex.update(await withCode(context, world), world.id('record'), data(world)),
  'POST /flex/db/:db_code/delete': async (context, world) =>
    context.publicFlex.delete(await withCode(context, world), world.id('record')),
  'POST /app/clients.json': ({ crm }, world) => made(world, 'client', crm.createClient(clientFields(world))),
  'PUT /app/clients/:id.json': ({ crm }, world) => crm.updateClient(world.id('client'), clientFields(world)),
  'DELETE /app/clients/:id.json': ({ crm }, world) => crm.deleteClient(world.id('client')),
  'POST /app/posts.json': ({ crm }, world) => {
    const comment = { task_kind: 'comment', post_id: world.id('post') };
    const own = world.pick<PostFields>({ client_id: world.id('client') }, comment, {});
    return made(world, 'post', crm.createPost({ title: `Post ${world.next()}`, content: 'x', ...own }));
  },
  'POST /app/deals.json': ({ crm }, world) => {
    const known = { client_id: world.id('client') };
    const client = world.pick<DealFields>(known, { client: { name: `New ${world.next()}` } }, {});
    return made(world, 'deal', crm.createDeal({ name: `Deal ${world.next()}`, ...client }));
  },
  'PUT /app/deals/:id.json': ({ crm }, world) => crm.updateDeal(world.id('deal'), { name: `Deal ${world.next()}` }),
  'DELETE /app/deals/:id.json': ({ crm }, world) => crm.deleteDeal(world.id('deal')),
  'POST /app/contacts.json': ({ crm }, world) =>
    made(world, 'contact', crm.createContact({ name: `Contact ${world.next()}` })),
  'PUT /app/contacts/:id.json': ({ crm }, world) =>
    crm.updateContact(world.id('contact'), { name: `Contact ${world.next()}` }),
  'POST /app/contact_lists.json': ({ crm }, world) =>
    made(world, 'contactList', crm.createContactList(`List ${world.next()}`)),
  'PUT /app/contact_lists/:id.json': ({ crm }, world) =>
    crm.updateContactList(world.id('contactList'), `List ${world.next()}`),
  'POST /app/account.json': ({ crm }, world) => {
    const login = `owner-${world.name}-${world.next()}`;
    const user = { login, email: 'owner@example.com', password: 'long-enough' };
    return crm.createAccount({ account: { prefix: `a-${world.name}-${world.next()}` }, user });
  },
  'POST /app/posts.xml': ({ forum }, world) =>
    made(world, 'suggestion', forum.createPost({ title: `Wish ${world.next()}`, content: 'x' })),
  'DELETE /app/posts/:post_id.xml': ({ forum }, world) => forum.deletePost(world.id('suggestion')),
  'POST /app/users.xml': ({ forum }, world) => {
    const login = `user-${world.name}-${world.next()}`;
    return forum.createUser({ login, email: 'user@example.com', password: 'long-enough' });
  },
};

/** Writes that make something to read and to change. */
export const FIRST_WRITES = [
  'POST /app/contacts.json',
  'POST /app/contact_lists.json',
  'POST /app/clients.json',
  'POST /app/posts.json',
  'POST /app/deals.json',
  'POST /app/posts.xml',
  'POST /flex/dbs.json',
  'POST /flex/dbs/:db_id/records.json',
  'POST /toolkit/dashboards.json',
  'POST /account/api_tokens.json',
];

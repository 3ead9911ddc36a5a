import type { SandboxServices } from '../services.ts';
import type { JsonObject } from '../json-object.ts';
import { cycle } from '../cycle.ts';
import { createDatabaseFixture, createRecordFixtures } from './fixtures.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The same at each start: a snapshot of the definitions names databases by them. */
const databaseIds = {
  products: 'b0c9d3f4-6a52-4c1e-9d57-2f0e8a417c63',
  tracker: '7e41a6d8-03bf-4f92-8c6a-d15b90e2f374',
  guestbook: '2a95f7c0-e81d-4b36-a74e-60c3d98b15f2',
};

/** The demo account, and the ids of the applications that its databases belong to. */
interface DemoAccount {
  readonly account: number;
  readonly orderDeskAppId: string;
  readonly stockRoomAppId: string;
}

/** Seeds one database of each kind: with a single table, with several, and with public methods. */
export function seedFlex(services: SandboxServices, { account, orderDeskAppId, stockRoomAppId }: DemoAccount): void {
  seedProducts(services, account, stockRoomAppId);
  seedTracker(services, account, orderDeskAppId);
  seedGuestBook(services, account, orderDeskAppId);
}

function seedProducts(services: SandboxServices, account: number, app_id: string): void {
  const { id } = createDatabaseFixture(
    services,
    account,
    {
      name: 'Products',
      code: 'products',
      app_id,
      schema: {
        fields: {
          name: { type: 'string', required: true },
          sku: { type: 'string', required: true },
          category: 'string',
          price: 'number',
          stock: 'integer',
          active: 'boolean',
          listed_on: 'date',
          description: 'text',
        },
        indexed_fields: ['name', 'sku', 'category', 'stock', 'listed_on'],
      },
    },
    databaseIds.products,
  );
  const woods = ['Oak', 'Ash', 'Pine', 'Walnut', 'Cherry', 'Łódź birch'];
  const things = ['table', 'chair', 'shelf', 'bench', 'stool', 'cabinet', 'desk', 'lamp', 'mirror', 'crate'];
  const categories = ['Living room', 'Office', 'Kitchen', 'Garden'];
  const products = Array.from({ length: 300 }, (_, index) => ({
    name: `${cycle(woods, index)} ${cycle(things, Math.trunc(index / woods.length))} No. ${1 + Math.trunc(index / 60)}`,
    sku: `HS-${String(1000 + index)}`,
    category: cycle(categories, index),
    price: 19.5 + ((index * 37) % 480),
    stock: (index * 13) % 90,
    active: index % 9 !== 0,
    listed_on: dateDaysAgo(services, index * 2),
    ...(index % 3 === 0 && { description: `Made by hand from ${cycle(woods, index).toLowerCase()}, oiled twice.` }),
  }));
  createRecordFixtures(services, id, null, products, hourMs);
}

function seedTracker(services: SandboxServices, account: number, app_id: string): void {
  const { id } = createDatabaseFixture(
    services,
    account,
    {
      name: 'Project tracker',
      code: 'tracker',
      app_id,
      schema: {
        tables: {
          people: {
            fields: { name: { type: 'string', required: true }, email: 'string', role: 'string', joined_on: 'date' },
            indexed_fields: ['name', 'email', 'role', 'joined_on'],
          },
          tasks: {
            fields: {
              title: { type: 'string', required: true },
              status: { type: 'string', required: true },
              assignee: 'string',
              priority: 'integer',
              estimate: 'number',
              done: 'boolean',
              due_at: 'datetime',
              notes: 'text',
            },
            indexes: { idx_str_1: 'status', idx_str_2: 'assignee', idx_int_1: 'priority', idx_time_1: 'due_at' },
          },
        },
      },
    },
    databaseIds.tracker,
  );
  const people = ['Nora Harbour', 'Emil Lindqvist', 'Mia Okafor', 'Zoë Faßbender', 'Jan Żak', 'Ines Duarte'];
  const roles = ['manager', 'editor', 'carpenter'];
  createRecordFixtures(
    services,
    id,
    'people',
    people.map((name, index) => ({
      name,
      email: `person${index + 1}@harbour.example`,
      role: cycle(roles, index),
      joined_on: dateDaysAgo(services, 900 - index * 120),
    })),
    dayMs,
  );
  createRecordFixtures(
    services,
    id,
    'tasks',
    Array.from({ length: 240 }, (_, index) => task(services, index, people)),
    hourMs,
  );
}

function task(services: SandboxServices, index: number, people: readonly string[]): JsonObject {
  const work = ['Call', 'Measure', 'Order wood for', 'Deliver to', 'Invoice', 'Visit'];
  const customers = ['the town hall', 'Café Möller', 'the school', 'Harbour Hotel', 'the library'];
  const status = cycle(['open', 'in_progress', 'waiting', 'done'], index * 3 + Math.trunc(index / 7));
  return {
    title: `${cycle(work, index)} ${cycle(customers, Math.trunc(index / 6))}`,
    status,
    assignee: index % 11 === 0 ? null : cycle(people, index),
    priority: 1 + (index % 5),
    estimate: 0.5 * (1 + (index % 12)),
    done: status === 'done',
    due_at: new Date(services.now().getTime() + (index - 120) * 6 * hourMs).toISOString(),
  };
}

/**
 * Everyone may sign the guest book; an entry is read, changed and deleted by the browser that wrote it
 * alone, since whoever reads it learns the key of its owner. Four browsers did so far: their keys are
 * 32 times the same digit.
 */
function seedGuestBook(services: SandboxServices, account: number, app_id: string): void {
  const ownerScope = { auto_fields: { owner: '{cookie_key}' }, scope_by: 'owner' };
  const { id } = createDatabaseFixture(
    services,
    account,
    {
      name: 'Guest book',
      code: 'guestbook',
      app_id,
      schema: {
        fields: { message: { type: 'text', required: true }, author: 'string', rating: 'integer', owner: 'string' },
        indexed_fields: ['owner', 'author', 'rating'],
      },
      public_methods: {
        create: {
          allowed_fields: ['message', 'author', 'rating'],
          required_fields: ['message'],
          default_values: { author: 'Anonymous' },
          auto_fields: { owner: '{cookie_key}', ip: '{ip}', user: '{user_name}' },
        },
        list: ownerScope,
        get: ownerScope,
        update: { ...ownerScope, allowed_fields: ['message', 'author', 'rating'], required_fields: ['message'] },
        delete: ownerScope,
        search: { ...ownerScope, allowed_params: ['q', 'sort', 'limit', 'offset'] },
      },
    },
    databaseIds.guestbook,
  );
  const messages = [
    'Beautiful tables!',
    'Fast delivery.',
    'The chairs wobble a little.',
    'Świetna robota!',
    'Thank you.',
  ];
  const authors = ['Anonymous', 'Café Möller', 'T. Brandt', 'Anonymous', 'Harbour Hotel'];
  const entries = Array.from({ length: 25 }, (_, index) => ({
    message: cycle(messages, index),
    author: cycle(authors, Math.trunc(index / 2)),
    rating: 5 - (index % 3),
    owner: String(index % 4).repeat(32),
    ip: `192.0.2.${10 + (index % 4)}`,
    user: '',
  }));
  createRecordFixtures(services, id, null, entries, dayMs);
}

/** The date some days ago, `YYYY-MM-DD`. */
function dateDaysAgo(services: SandboxServices, ago: number): string {
  return new Date(services.now().getTime() - ago * dayMs).toISOString().slice(0, 10);
}

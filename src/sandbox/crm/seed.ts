import type { Caller } from '../account/users.ts';
import { cycle } from '../cycle.ts';
import type { JsonObject } from '../json-object.ts';
import type { SandboxServices } from '../services.ts';
import type { Store } from '../store.ts';
import { insertContactList } from './contact-lists.ts';
import { insertContact } from './contacts.ts';
import { clientDetails, taskDetails } from './seed-details.ts';
import { person } from './seed-people.ts';
import { insertClient } from './stored-clients.ts';
import { insertDeal } from './stored-deals.ts';
import { insertPost } from './stored-posts.ts';

const hourMs = 60 * 60 * 1000;
const counts = { clients: 250, contacts: 80, deals: 120 };

/** The posts come in rounds: eight tasks, then five comments on some of those before. 400 tasks, 250 comments. */
const rounds = 50;
const tasksInRound = 8;
const commentsInRound = 5;

type SeedAuthor = Pick<Caller, 'accountId' | 'userId' | 'name'>;

/** The arguments of all seeding functions. */
interface SeedContext {
  readonly store: Store;
  readonly authors: readonly SeedAuthor[];
  /** A time so many hours ago. */
  readonly ago: (hours: number) => Date;
}

/** Seeds contacts, clients, posts, deals and contact lists, dated over the last ten months. */
export function seedCrm({ store, now }: SandboxServices, authors: readonly SeedAuthor[]): void {
  const end = now().getTime();
  const seedContext = { store, authors, ago: (hours: number) => new Date(end - hours * hourMs) };
  const clients = seedClients(seedContext, seedContacts(seedContext));
  seedPosts(seedContext, clients);
  seedDeals(seedContext, clients);
  for (const [index, name] of ['Newsletter', 'Trade fair visitors', 'Wholesale customers'].entries()) {
    insertContactList(store, cycle(authors, 0), name, seedContext.ago(2000 - index * 500));
  }
}

/** One client every 29 hours, the last one now. */
const clientAge = (index: number) => (counts.clients - 1 - index) * 29;

/** Every third client has a main contact, created an hour earlier. */
const clientIndexOfContact = (index: number) => index * 3;

function seedContacts({ store, authors, ago }: SeedContext): number[] {
  return Array.from({ length: counts.contacts }, (_, index) => {
    const { first_name, last_name, email, phone } = person(1000 + index);
    const author = cycle(authors, index);
    const fields = {
      name: `${first_name} ${last_name}`,
      first_name,
      last_name,
      email,
      phone,
      responsible_id: author.userId,
      ...(index % 4 === 0 && { description: cycle(['Buys wood', 'Manages the shop', 'Prefers to be called'], index) }),
    };
    return insertContact(store, author, fields, ago(clientAge(clientIndexOfContact(index)) + 1));
  });
}

function seedClients({ store, authors, ago }: SeedContext, contacts: readonly number[]): number[] {
  return Array.from({ length: counts.clients }, (_, index) => {
    const author = cycle(authors, index);
    const time = ago(clientAge(index));
    const links = {
      responsible_id: cycle(authors, index + 1).userId,
      contact_id: index % 3 === 0 ? (contacts[index / 3] ?? null) : null,
    };
    return insertClient(store, author, { ...client(index, time), ...clientDetails(index, time), ...links }, time);
  });
}

function client(index: number, time: Date): JsonObject {
  const { company, ...individual } = person(index);
  const { first_name, last_name } = individual;
  const isCompany = index % 5 < 3;
  const day = time.toISOString().slice(0, 10);
  return {
    ...individual,
    name: isCompany ? company : `${first_name} ${last_name}`,
    company: isCompany,
    kind: index % 6 === 4 ? 'seller' : 'buyer',
    status_id: 1 + (index % 4),
    category_id: 1 + (index % 3),
    ...(isCompany && {
      tax_no: `EU${String(520_000_000 + index * 7919)}`,
      register_number: `R-${String(4000 + index * 3)}`,
      shortcut: last_name.slice(0, 3).toUpperCase(),
      www: `https://www.example.com/${index + 1}`,
      payment_to_kind: cycle(['7', '14', '30'], index),
    }),
    ...(index % 4 === 1 && { discount: cycle(['2.50', '5.00', '10.00'], index), bank: 'Harbour Bank' }),
    ...(index % 5 === 0 && { external_ids: { shop: `C-${10_000 + index}` } }),
    ...(index % 10 === 0 && { external_ids: { shop: `C-${10_000 + index}`, ledger: String(70_000 + index) } }),
    ...(index % 7 === 3 && {
      use_delivery_address: true,
      delivery_address: `Gate ${1 + (index % 4)}, the old harbour`,
    }),
    ...(index % 6 === 2 && {
      note: cycle(['Pays on time.', 'Asks for oiled oak.', 'Delivers to the back door.'], index),
    }),
    ...(index % 2 === 0 && {
      string1: cycle(['Oak', 'Ash', 'Walnut'], index),
      integer1: 1 + (index % 12),
      decimal1: `${(index * 13) % 500}.50`,
      checkbox1: index % 4 === 0,
      date1: day,
      text1: `Met at the trade fair, stand ${1 + (index % 30)}.`,
      datetime1: time.toISOString(),
    }),
    ...(index % 9 === 0 && { string2: cycle(['Workshop', 'Online'], index), integer10: index, checkbox10: true }),
    ...(index % 4 === 0 && {
      paid_from: day,
      paid_to: time.toISOString().slice(0, 10),
      paid_total: `${1000 + index * 17}.40`,
    }),
  };
}

/** The posts are spread evenly over 240 days, the last one now. A post refers only to clients that were created before it. */
function seedPosts({ store, authors, ago }: SeedContext, clients: readonly number[]): void {
  const total = rounds * (tasksInRound + commentsInRound);
  const tasks: number[] = [];
  for (let index = 0; index < total; index++) {
    const age = ((total - 1 - index) * 240 * 24) / total;
    const author = cycle(authors, index);
    const isTask = index % (tasksInRound + commentsInRound) < tasksInRound;
    const fields = isTask
      ? task(tasks, cycle(authors, index + 1).userId, clientAtAge(clients, tasks.length, age), ago(age - 48))
      : { task_kind: 'comment', post_id: commentedPost(tasks, index), content: cycle(remarks, index) };
    const id = insertPost(store, author, { ...fields, ip: `192.0.2.${index % 250}`, agent: 'Mozilla/5.0' }, ago(age));
    if (isTask) tasks.push(id);
  }
}

const remarks = [
  'I have called them, they will send a drawing.',
  'Zrobione, dziękuję!',
  'The wood arrives on Thursday.',
  'Bitte noch einmal prüfen.',
  'Offer sent.',
  'Two chairs were exchanged, one is repaired.',
  'Any news?',
  'Größe & Farbe passen, in < 3 Wochen 👍',
];
const subjects = [
  'the oak table',
  'six chairs',
  'a shelf for the shop',
  'the kitchen',
  'order HS-1042',
  'the reception desk',
];
const taskPhrases = [
  'Offer for',
  'Question about',
  'Scratches on',
  'Delivery of',
  'Invoice for',
  'Measurements of',
  'Repair of',
];
const taskKinds = ['task', 'email', 'phone', 'help', 'lead', 'feedback', 'chat', 'idea', 'error'];

/** Every seventeenth task has no client. */
function clientAtAge(clients: readonly number[], task: number, age: number): number | null {
  if (task % 17 === 5) return null;
  return cycle(clients.slice(0, counts.clients - Math.ceil(age / 29)), task * 7);
}

/** Recent tasks are commented, some of them more than once. */
function commentedPost(tasks: readonly number[], index: number): number {
  return cycle(tasks.slice(-12), index * index);
}

function task(
  earlierTasks: readonly number[],
  responsible_id: number,
  client_id: number | null,
  scheduled: Date,
): JsonObject {
  const index = earlierTasks.length;
  const task_kind = cycle(taskKinds, index);
  const { email, first_name, last_name } = person(index * 7);
  return {
    task_kind,
    client_id,
    responsible_id,
    title: `${cycle(taskPhrases, index)} ${cycle(subjects, Math.trunc(index / taskPhrases.length))}`,
    content: `${cycle(['Hello', 'Dzień dobry', 'Guten Tag', 'Bonjour'], index)}, ${cycle(wishes, index)}`,
    status_id: 1 + (index % 5),
    priority: 1 + (index % 3),
    kind: index % 4 === 3 ? cycle(['question', 'error', 'praise', 'suggestion'], Math.trunc(index / 4)) : null,
    unread: index > 370,
    ...(index % 3 === 0 && { tags: cycle(['oak', 'oak, urgent', 'delivery', 'invoice, wholesale'], index) }),
    ...(index % 6 === 0 && { scheduled_at: scheduled.toISOString() }),
    ...(index % 8 === 6 && index < 340 && { closed: true }),
    ...(index % 29 === 28 && { duplicate_from_id: cycle(earlierTasks.slice(-7), index) }),
    ...(task_kind === 'email' && { email, nick: `${first_name} ${last_name}`, email_recipient: 'desk@example.com' }),
    ...taskDetails(index, task_kind, responsible_id),
  };
}

const wishes = [
  'could you tell me what it would cost?',
  'please call me back this week.',
  'when can we expect it?',
  'the dimensions are attached.',
  'one leg is loose.',
];

/** The deals are spread over 110 days, the last one five hours ago. Every tenth has no client yet. */
function seedDeals({ store, authors, ago }: SeedContext, clients: readonly number[]): void {
  for (let index = 0; index < counts.deals; index++) {
    const age = 5 + (counts.deals - 1 - index) * 22;
    const known = clients.slice(0, counts.clients - Math.ceil(age / 29));
    const fields = {
      name: `${cycle(['Furnishing', 'Delivery', 'Refit', 'Prototype'], index)}: ${cycle(subjects, Math.trunc(index / 4))}`,
      price: `${500 + ((index * 731) % 24_000)}.${cycle(['00', '50', '99'], index)}`,
      client_id: index % 10 === 9 ? null : cycle(known, index * 11),
      ...(index % 2 === 0 && {
        description: cycle(['Offer sent.', 'Waits for the drawing.', 'Decides in spring.'], index),
      }),
      ...(index % 6 === 0 && { external_ids: { shop: `D-${2000 + index}` } }),
    };
    insertDeal(store, cycle(authors, index), fields, ago(age));
  }
}

// What one user does, in the names of both schemas. Each answer is checked.
import { at, equals, list } from '../workloads/checks.ts';

/** In the order in which they are timed, each by itself. */
export const JOURNEYS = [
  'first page of 20 of 2,000 clients',
  'ten pages, one after another',
  'the same page again',
  'the same page, one client changed',
  'one client',
  'the same client again',
  '20 posts with their clients',
  'one client after 10 s of silence',
] as const;

export type JourneyName = (typeof JOURNEYS)[number];

/** The journey before which a client changes. */
export const AFTER_CHANGE: JourneyName = 'the same page, one client changed';

/** The journey before which nothing is sent for 10 s. */
export const AFTER_SILENCE: JourneyName = 'one client after 10 s of silence';

/**
 * Reads what one journey needs.
 *
 * @param changed the name that a client got last; the journey after the change has to read it
 * @throws Error when an answer is not the right one
 */
export type Journey = (changed: string) => Promise<void>;

export type Journeys = Readonly<Record<JourneyName, Journey>>;

/** Sends an operation. @returns its data. @throws Error when it has none, or errors */
export type Ask = (query: string, variables?: Readonly<Record<string, unknown>>) => Promise<unknown>;

const CLIENTS = 2000;
const PAGES = 10;
const PAGE = 20;
const FIELDS = '{ id name email phone }';

/** @throws Error when none of the first page has the name */
export function hasName(name: string, clients: readonly unknown[]): void {
  if (!clients.slice(0, PAGE).some((client) => at(client, 'name') === name)) throw new Error(`No client is ${name}.`);
}

function readsClient(ask: Ask, id: number): Journey {
  return async () =>
    equals(`client${id}@example.test`, await ask(`{ client(id: "${id}") ${FIELDS} }`), 'client', 'email');
}

/** The gateway's pages. */
export function gatewayJourneys(ask: Ask): Journeys {
  const firstPage = async () =>
    list(PAGE, await ask(`{ clients(first: ${PAGE}) { nodes ${FIELDS} } }`), 'clients', 'nodes');
  return {
    async 'first page of 20 of 2,000 clients'() {
      const data = await ask(`{ clients(first: ${PAGE}) { totalCount nodes ${FIELDS} } }`);
      equals(CLIENTS, data, 'clients', 'totalCount');
      list(PAGE, data, 'clients', 'nodes');
    },
    async 'ten pages, one after another'() {
      const query = `query($after: String) {
        clients(first: ${PAGE}, after: $after) { pageInfo { endCursor } nodes ${FIELDS} }
      }`;
      let after: unknown = null;
      for (let page = 0; page < PAGES; page++) {
        const data = await ask(query, { after });
        list(PAGE, data, 'clients', 'nodes');
        equals(`Client:${page * PAGE + 1}`, data, 'clients', 'nodes', 0, 'id');
        after = at(data, 'clients', 'pageInfo', 'endCursor');
      }
    },
    async 'the same page again'() {
      await firstPage();
    },
    async 'the same page, one client changed'(changed) {
      hasName(changed, await firstPage());
    },
    'one client': readsClient(ask, 9),
    'the same client again': readsClient(ask, 9),
    async '20 posts with their clients'() {
      const data = await ask(`{ posts(first: ${PAGE}) { nodes { title client { name } } } }`);
      for (const post of list(PAGE, data, 'posts', 'nodes')) at(post, 'client', 'name');
    },
    'one client after 10 s of silence': readsClient(ask, 311),
  };
}

/** The peers have no pages: their callers get the whole list. */
export function plainJourneys(ask: Ask): Journeys {
  const whole = async () => list(CLIENTS, await ask(`{ clients ${FIELDS} }`), 'clients');
  const once = async () => {
    await whole();
  };
  return {
    'first page of 20 of 2,000 clients': once,
    async 'ten pages, one after another'() {
      for (let page = 0; page < PAGES; page++) await whole();
    },
    'the same page again': once,
    async 'the same page, one client changed'(changed) {
      hasName(changed, await whole());
    },
    'one client': readsClient(ask, 9),
    'the same client again': readsClient(ask, 9),
    async '20 posts with their clients'() {
      const data = await ask(`{ posts(limit: ${PAGE}) { title client { name } } }`);
      for (const post of list(PAGE, data, 'posts')) at(post, 'client', 'name');
    },
    'one client after 10 s of silence': readsClient(ask, 311),
  };
}

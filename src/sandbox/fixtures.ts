import { randomUUID } from 'node:crypto';
import { createAccount, type Module, setModule } from './account/accounts.ts';
import { createApplication, setApplicationActive } from './account/flex-applications.ts';
import { publicPasswordHash } from './account/secrets.ts';
import { sessionCookie, startSession } from './account/sessions.ts';
import { issueToken } from './account/stored-tokens.ts';
import { createUser, type Permission, setPermissions } from './account/users.ts';
import { setVotes } from './crm/stored-posts.ts';
import type { JsonObject } from './json-object.ts';
import { createDatabaseFixture, createRecordFixtures, type NewDatabase } from './flex/fixtures.ts';
import { createCategory } from './forum/stored-categories.ts';
import type { SandboxServices } from './services.ts';

/** What no endpoint offers but a test needs. */
export class Fixtures {
  readonly #services: SandboxServices;

  constructor(services: SandboxServices) {
    this.#services = services;
  }

  /** A new account, without any module unless told otherwise. */
  createAccount({ name = 'Account', modules = [] }: { name?: string; modules?: readonly Module[] } = {}): {
    id: number;
  } {
    return { id: createAccount(this.#services.store, { name, modules }) };
  }

  /** A new user with a token, whose raw value is answered: a random one unless given. Into the forum get those with a login and a password. */
  createUser({ name = 'User', permissions = [], token, password, ...given }: NewUser): { id: number; token: string } {
    const { store, now } = this.#services;
    return store.transaction(() => {
      const user = { ...given, ...(password !== undefined && { passwordHash: publicPasswordHash(password) }) };
      const id = createUser(store, { ...user, name, permissions }, now());
      return { id, token: issueToken(store, { accountId: given.account, userId: id }, {}, token).token };
    });
  }

  /** A category of the account's forum. Its first one is the first that was created. */
  createForumCategory(account: number, name: string): { id: number } {
    return { id: createCategory(this.#services.store, account, name) };
  }

  /** The votes that a post has been given. */
  setVotes(post: number, votes: number): void {
    setVotes(this.#services.store, post, votes);
  }

  /** Logs a user in, and answers the `Cookie` that a browser then sends. */
  createSession(user: number): { cookie: string } {
    return { cookie: `${sessionCookie}=${startSession(this.#services.store, user)}` };
  }

  setPermissions(user: number, permissions: readonly Permission[]): void {
    setPermissions(this.#services.store, user, permissions);
  }

  enableModule(account: number, module: Module): void {
    setModule(this.#services.store, account, module, true);
  }

  disableModule(account: number, module: Module): void {
    setModule(this.#services.store, account, module, false);
  }

  /** An application of the flexible database service. */
  createFlexApplication({ account, id = randomUUID(), name = 'Application', active = true }: NewApplication): {
    id: string;
  } {
    createApplication(this.#services.store, { account, id, name, active });
    return { id };
  }

  setFlexApplicationActive(id: string, active: boolean): void {
    setApplicationActive(this.#services.store, id, active);
  }

  /** A flexible database. What is wrong with it is thrown. */
  createFlexDatabase(account: number, database: NewDatabase): { id: string } {
    return { id: createDatabaseFixture(this.#services, account, database).id };
  }

  /** Many records at once, in this order, checked like those that the API is sent. Answers their ids. */
  createFlexRecords(database: string, records: readonly JsonObject[], table: string | null = null): string[] {
    return this.#services.store.transaction(() => createRecordFixtures(this.#services, database, table, records));
  }
}

interface NewUser {
  readonly account: number;
  readonly name?: string;
  readonly permissions?: readonly Permission[];
  readonly token?: string;
  /** Unique among all accounts. */
  readonly login?: string;
  readonly password?: string;
  readonly email?: string;
  readonly description?: string;
  readonly www?: string;
}

interface NewApplication {
  readonly account: number;
  /** A uuid. */
  readonly id?: string;
  readonly name?: string;
  readonly active?: boolean;
}

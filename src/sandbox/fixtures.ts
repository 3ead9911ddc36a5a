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

/** Test fixtures that no endpoint can create. They write to the database directly. */
export class Fixtures {
  readonly #services: SandboxServices;

  constructor(services: SandboxServices) {
    this.#services = services;
  }

  /** Creates an account. By default no module is enabled. */
  createAccount({ name = 'Account', modules = [] }: { name?: string; modules?: readonly Module[] } = {}): {
    id: number;
  } {
    return { id: createAccount(this.#services.store, { name, modules }) };
  }

  /**
   * Creates a user with an API token.
   *
   * @param user a user of the forum needs `login` and `password`; `token` is random by default
   * @returns the user's id and the raw value of the token
   */
  createUser({ name = 'User', permissions = [], token, password, ...given }: NewUser): { id: number; token: string } {
    const { store, now } = this.#services;
    return store.transaction(() => {
      const user = { ...given, ...(password !== undefined && { passwordHash: publicPasswordHash(password) }) };
      const id = createUser(store, { ...user, name, permissions }, now());
      return { id, token: issueToken(store, { accountId: given.account, userId: id }, {}, token).token };
    });
  }

  /** Creates a category in the account's forum. Categories are ordered by creation. */
  createForumCategory(account: number, name: string): { id: number } {
    return { id: createCategory(this.#services.store, account, name) };
  }

  /** Sets the number of votes of a post. */
  setVotes(post: number, votes: number): void {
    setVotes(this.#services.store, post, votes);
  }

  /** Logs a user in. Returns the `Cookie` header that a browser then sends. */
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

  /** Creates an application of the flexible database service. */
  createFlexApplication({ account, id = randomUUID(), name = 'Application', active = true }: NewApplication): {
    id: string;
  } {
    createApplication(this.#services.store, { account, id, name, active });
    return { id };
  }

  setFlexApplicationActive(id: string, active: boolean): void {
    setApplicationActive(this.#services.store, id, active);
  }

  /**
   * Creates a flexible database.
   *
   * @throws HttpError 422 when the database is invalid
   */
  createFlexDatabase(account: number, database: NewDatabase): { id: string } {
    return { id: createDatabaseFixture(this.#services, account, database).id };
  }

  /**
   * Creates records in this order, validated like those in requests.
   *
   * @returns their ids, in the same order
   * @throws HttpError 422 when a record is invalid
   */
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

import type { Credentials } from '../credentials.ts';
import type { Api } from '../http/api.ts';
import { object, record, recordIfAny } from '../http/decode.ts';
import { path } from '../http/path.ts';
import type { UpstreamSession } from '../http/session.ts';
import {
  type ClientFields,
  type ClientRecord,
  type ContactFields,
  type ContactListRecord,
  type ContactRecord,
  type CreatedAccountAnswer,
  crmId,
  type DealFields,
  type DealRecord,
  type NewAccount,
  type PostFields,
  type PostRecord,
} from './wire.ts';

export const crmApi: Api = { name: 'crm', setting: 'CRM_URL' };

/** What reading several records by id gives, in the order of the ids: null for a missing one, an Error for a failure. */
type Several<T> = Promise<(T | null | Error)[]>;

/**
 * The CRM and helpdesk API: clients, posts, deals, contacts, contact lists, accounts. One method per endpoint of its
 * document, in its order; each rejects with a `GatewayError`. A record is nowhere null: one that is missing is a
 * `NotFoundError`. The token goes in the body of POST and PUT, and in the query of GET and DELETE.
 */
export class CrmSource {
  readonly #http: UpstreamSession;
  readonly #credentials: Credentials;

  constructor(http: UpstreamSession, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** `POST /app/clients.json` */
  async createClient(client: ClientFields): Promise<ClientRecord> {
    const body = { ...this.#token(), client };
    return this.#http.post(path`/app/clients.json`, { body, as: record, secrets: secretsOf(client) });
  }

  /** `GET /app/clients.json`: all clients. */
  async clients(): Promise<readonly ClientRecord[]> {
    return this.#http.list(this.#clients());
  }

  /** The clients, where this operation has read them already. */
  listedClients(): Promise<readonly ClientRecord[]> | undefined {
    return this.#http.listed(this.#clients());
  }

  /** `GET /app/clients/:id.json` */
  async client(id: string): Promise<ClientRecord> {
    return this.#http.get({ ...this.#client(id), as: record });
  }

  /** Several clients: by id, or from the list of all. */
  async clientsById(ids: readonly string[]): Several<ClientRecord> {
    return this.#http.many(ids, { one: (id) => this.#client(id), list: this.#clients() });
  }

  /** `PUT /app/clients/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateClient(id: string, client: ClientFields): Promise<ClientRecord | null> {
    const body = { ...this.#token(), client };
    const secrets = secretsOf(client);
    return this.#http.put(path`/app/clients/${crmId(id)}.json`, { body, as: recordIfAny, secrets });
  }

  /** `DELETE /app/clients/:id.json` */
  async deleteClient(id: string): Promise<void> {
    return this.#http.send('DELETE', path`/app/clients/${crmId(id)}.json`, { query: this.#token() });
  }

  /** `POST /app/posts.json`: with the task kind `comment` and a `post_id` it adds a comment. */
  async createPost(post: PostFields): Promise<PostRecord> {
    return this.#http.post(path`/app/posts.json`, { body: { ...this.#token(), post }, as: record });
  }

  /** `GET /app.json`: all helpdesk tasks. */
  async posts(): Promise<readonly PostRecord[]> {
    return this.#http.list(this.#posts());
  }

  /** The posts, where this operation has read them already. */
  listedPosts(): Promise<readonly PostRecord[]> | undefined {
    return this.#http.listed(this.#posts());
  }

  /** `GET /app/posts/:id.json` */
  async post(id: string): Promise<PostRecord> {
    return this.#http.get({ ...this.#post(id), as: record });
  }

  /** Several posts: by id, or from the list of all. */
  async postsById(ids: readonly string[]): Several<PostRecord> {
    return this.#http.many(ids, { one: (id) => this.#post(id), list: this.#posts() });
  }

  /** `POST /app/deals.json` */
  async createDeal(deal: DealFields): Promise<DealRecord> {
    return this.#http.post(path`/app/deals.json`, { body: { ...this.#token(), deal }, as: record });
  }

  /** `GET /app/deals.json`: all deals. */
  async deals(): Promise<readonly DealRecord[]> {
    return this.#http.list(this.#deals());
  }

  /** The deals, where this operation has read them already. */
  listedDeals(): Promise<readonly DealRecord[]> | undefined {
    return this.#http.listed(this.#deals());
  }

  /** `GET /app/deals/:id.json` */
  async deal(id: string): Promise<DealRecord> {
    return this.#http.get({ ...this.#deal(id), as: record });
  }

  /** Several deals: by id, or from the list of all. */
  async dealsById(ids: readonly string[]): Several<DealRecord> {
    return this.#http.many(ids, { one: (id) => this.#deal(id), list: this.#deals() });
  }

  /** `PUT /app/deals/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateDeal(id: string, deal: DealFields): Promise<DealRecord | null> {
    return this.#http.put(path`/app/deals/${crmId(id)}.json`, { body: { ...this.#token(), deal }, as: recordIfAny });
  }

  /** `DELETE /app/deals/:id.json` */
  async deleteDeal(id: string): Promise<void> {
    return this.#http.send('DELETE', path`/app/deals/${crmId(id)}.json`, { query: this.#token() });
  }

  /** `POST /app/contacts.json` */
  async createContact(contact: ContactFields): Promise<ContactRecord> {
    return this.#http.post(path`/app/contacts.json`, { body: { ...this.#token(), contact }, as: record });
  }

  /** `GET /app/contacts/:id.json` */
  async contact(id: string): Promise<ContactRecord> {
    return this.#http.get({ ...this.#contact(id), as: record });
  }

  /** Several contacts, by id: there is no list of them. */
  async contactsById(ids: readonly string[]): Several<ContactRecord> {
    return this.#http.many(ids, { one: (id) => this.#contact(id) });
  }

  /** `PUT /app/contacts/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateContact(id: string, contact: ContactFields): Promise<ContactRecord | null> {
    const body = { ...this.#token(), contact };
    return this.#http.put(path`/app/contacts/${crmId(id)}.json`, { body, as: recordIfAny });
  }

  /** `POST /app/contact_lists.json` */
  async createContactList(name: string): Promise<ContactListRecord> {
    const body = { ...this.#token(), contact_list: { name } };
    return this.#http.post(path`/app/contact_lists.json`, { body, as: record });
  }

  /** `GET /app/contact_lists/:id.json` */
  async contactList(id: string): Promise<ContactListRecord> {
    return this.#http.get({ ...this.#contactList(id), as: record });
  }

  /** Several contact lists, by id: there is no list of them. */
  async contactListsById(ids: readonly string[]): Several<ContactListRecord> {
    return this.#http.many(ids, { one: (id) => this.#contactList(id) });
  }

  /** `PUT /app/contact_lists/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateContactList(id: string, name: string): Promise<ContactListRecord | null> {
    const body = { ...this.#token(), contact_list: { name } };
    return this.#http.put(path`/app/contact_lists/${crmId(id)}.json`, { body, as: recordIfAny });
  }

  /** `POST /app/account.json`: an account with its first user. The answer may differ from what was asked for. */
  async createAccount({ account, user }: NewAccount): Promise<CreatedAccountAnswer> {
    const body = { ...this.#token(), account, user };
    return this.#http.post(path`/app/account.json`, { body, as: object, secrets: [user.password] });
  }

  #clients() {
    return { path: path`/app/clients.json`, query: this.#token() };
  }

  #client(id: string) {
    return { path: path`/app/clients/${crmId(id)}.json`, query: this.#token() };
  }

  #posts() {
    return { path: path`/app.json`, query: this.#token() };
  }

  #post(id: string) {
    return { path: path`/app/posts/${crmId(id)}.json`, query: this.#token() };
  }

  #deals() {
    return { path: path`/app/deals.json`, query: this.#token() };
  }

  #deal(id: string) {
    return { path: path`/app/deals/${crmId(id)}.json`, query: this.#token() };
  }

  #contact(id: string) {
    return { path: path`/app/contacts/${crmId(id)}.json`, query: this.#token() };
  }

  #contactList(id: string) {
    return { path: path`/app/contact_lists/${crmId(id)}.json`, query: this.#token() };
  }

  #token() {
    return { api_token: this.#credentials.crmToken() };
  }
}

/** What is not for everybody, should a refusal repeat it. */
function secretsOf({ sensitive_data: sensitive }: ClientFields): string[] {
  return typeof sensitive === 'string' ? [sensitive] : [];
}

import type { Credentials } from '../credentials.ts';
import type { Api } from '../http/transport/api.ts';
import { object, record, recordIfAny } from '../http/formats/decode.ts';
import type { Get } from '../http/transport/exchange.ts';
import { idSegment, type Path, path, withQuery } from '../http/transport/path.ts';
import type { UpstreamSession } from '../http/session/session.ts';
import type {
  ClientFields,
  ClientRecord,
  ContactFields,
  ContactListRecord,
  ContactRecord,
  CreatedAccountAnswer,
  DealFields,
  DealRecord,
  NewAccount,
  PostFields,
  PostRecord,
} from './wire.ts';

export const crmApi: Api = { name: 'crm', setting: 'CRM_URL' };

/** What reading several records by id gives, in the order of the ids: null for a missing one, an Error for a failure. */
type Several<T> = Promise<(T | null | Error)[]>;

declare module '../context.ts' {
  interface Context {
    readonly crm: CrmSource;
  }
}

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
    return this.#http.writes.write('POST', { path: path`/app/clients.json`, body, secrets: secretsOf(client) }, record);
  }

  /** `GET /app/clients.json`: all clients. */
  async clients(): Promise<readonly ClientRecord[]> {
    return this.#http.reads.list(this.#clients());
  }

  /** The clients, where this operation has read them already. */
  listedClients(): Promise<readonly ClientRecord[]> | undefined {
    return this.#http.reads.cachedList(this.#clients());
  }

  /** `GET /app/clients/:id.json` */
  async client(id: string): Promise<ClientRecord> {
    return this.#http.reads.get(this.#client(id), record);
  }

  /** Several clients: by id, or from the list of all. */
  async clientsById(ids: readonly string[]): Several<ClientRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#client(id), list: this.#clients() });
  }

  /** `PUT /app/clients/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateClient(id: string, client: ClientFields): Promise<ClientRecord | null> {
    const body = { ...this.#token(), client };
    const secrets = secretsOf(client);
    return this.#http.writes.write(
      'PUT',
      { path: path`/app/clients/${idSegment(id)}.json`, body, secrets },
      recordIfAny,
    );
  }

  /** `DELETE /app/clients/:id.json` */
  async deleteClient(id: string): Promise<void> {
    return this.#http.writes.writeWithoutBody('DELETE', this.#client(id));
  }

  /** `POST /app/posts.json`: with the task kind `comment` and a `post_id` it adds a comment. */
  async createPost(post: PostFields): Promise<PostRecord> {
    return this.#http.writes.write('POST', { path: path`/app/posts.json`, body: { ...this.#token(), post } }, record);
  }

  /** `GET /app.json`: all helpdesk tasks. */
  async posts(): Promise<readonly PostRecord[]> {
    return this.#http.reads.list(this.#posts());
  }

  /** The posts, where this operation has read them already. */
  listedPosts(): Promise<readonly PostRecord[]> | undefined {
    return this.#http.reads.cachedList(this.#posts());
  }

  /** `GET /app/posts/:id.json` */
  async post(id: string): Promise<PostRecord> {
    return this.#http.reads.get(this.#post(id), record);
  }

  /** Several posts: by id, or from the list of all. */
  async postsById(ids: readonly string[]): Several<PostRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#post(id), list: this.#posts() });
  }

  /** `POST /app/deals.json` */
  async createDeal(deal: DealFields): Promise<DealRecord> {
    return this.#http.writes.write('POST', { path: path`/app/deals.json`, body: { ...this.#token(), deal } }, record);
  }

  /** `GET /app/deals.json`: all deals. */
  async deals(): Promise<readonly DealRecord[]> {
    return this.#http.reads.list(this.#deals());
  }

  /** The deals, where this operation has read them already. */
  listedDeals(): Promise<readonly DealRecord[]> | undefined {
    return this.#http.reads.cachedList(this.#deals());
  }

  /** `GET /app/deals/:id.json` */
  async deal(id: string): Promise<DealRecord> {
    return this.#http.reads.get(this.#deal(id), record);
  }

  /** Several deals: by id, or from the list of all. */
  async dealsById(ids: readonly string[]): Several<DealRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#deal(id), list: this.#deals() });
  }

  /** `PUT /app/deals/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateDeal(id: string, deal: DealFields): Promise<DealRecord | null> {
    return this.#http.writes.write(
      'PUT',
      { path: path`/app/deals/${idSegment(id)}.json`, body: { ...this.#token(), deal } },
      recordIfAny,
    );
  }

  /** `DELETE /app/deals/:id.json` */
  async deleteDeal(id: string): Promise<void> {
    return this.#http.writes.writeWithoutBody('DELETE', this.#deal(id));
  }

  /** `POST /app/contacts.json` */
  async createContact(contact: ContactFields): Promise<ContactRecord> {
    return this.#http.writes.write(
      'POST',
      { path: path`/app/contacts.json`, body: { ...this.#token(), contact } },
      record,
    );
  }

  /** `GET /app/contacts/:id.json` */
  async contact(id: string): Promise<ContactRecord> {
    return this.#http.reads.get(this.#contact(id), record);
  }

  /** Several contacts, by id: there is no list of them. */
  async contactsById(ids: readonly string[]): Several<ContactRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#contact(id) });
  }

  /** `PUT /app/contacts/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateContact(id: string, contact: ContactFields): Promise<ContactRecord | null> {
    const body = { ...this.#token(), contact };
    return this.#http.writes.write('PUT', { path: path`/app/contacts/${idSegment(id)}.json`, body }, recordIfAny);
  }

  /** `POST /app/contact_lists.json` */
  async createContactList(name: string): Promise<ContactListRecord> {
    const body = { ...this.#token(), contact_list: { name } };
    return this.#http.writes.write('POST', { path: path`/app/contact_lists.json`, body }, record);
  }

  /** `GET /app/contact_lists/:id.json` */
  async contactList(id: string): Promise<ContactListRecord> {
    return this.#http.reads.get(this.#contactList(id), record);
  }

  /** Several contact lists, by id: there is no list of them. */
  async contactListsById(ids: readonly string[]): Several<ContactListRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#contactList(id) });
  }

  /** `PUT /app/contact_lists/:id.json`. Not documented: its answer; null when it holds no record. */
  async updateContactList(id: string, name: string): Promise<ContactListRecord | null> {
    const body = { ...this.#token(), contact_list: { name } };
    return this.#http.writes.write('PUT', { path: path`/app/contact_lists/${idSegment(id)}.json`, body }, recordIfAny);
  }

  /** `POST /app/account.json`: an account with its first user. The answer may differ from what was asked for. */
  async createAccount({ account, user }: NewAccount): Promise<CreatedAccountAnswer> {
    const body = { ...this.#token(), account, user };
    return this.#http.writes.write('POST', { path: path`/app/account.json`, body, secrets: [user.password] }, object);
  }

  #clients(): Get {
    return this.#get(path`/app/clients.json`);
  }

  #client(id: string): Get {
    return this.#get(path`/app/clients/${idSegment(id)}.json`);
  }

  #posts(): Get {
    return this.#get(path`/app.json`);
  }

  #post(id: string): Get {
    return this.#get(path`/app/posts/${idSegment(id)}.json`);
  }

  #deals(): Get {
    return this.#get(path`/app/deals.json`);
  }

  #deal(id: string): Get {
    return this.#get(path`/app/deals/${idSegment(id)}.json`);
  }

  #contact(id: string): Get {
    return this.#get(path`/app/contacts/${idSegment(id)}.json`);
  }

  #contactList(id: string): Get {
    return this.#get(path`/app/contact_lists/${idSegment(id)}.json`);
  }

  #get(path: Path): Get {
    return { path: withQuery(path, this.#token()) };
  }

  #token() {
    return { api_token: this.#credentials.crmToken() };
  }
}

/** What is not for everybody, should a refusal repeat it. */
function secretsOf({ sensitive_data: sensitive }: ClientFields): string[] {
  return typeof sensitive === 'string' ? [sensitive] : [];
}

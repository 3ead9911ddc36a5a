import type { Credentials } from '../../operation/credentials.ts';
import type { Api } from '../../calls/transport/api.ts';
import { type Asked, record } from '../../formats/decode.ts';
import { recordAt } from '../../calls/preconditions/precondition.ts';
import type { Get, IfUnchanged, Write } from '../../calls/requests.ts';
import { idSegment, type Path, path, withCredential } from '../../calls/transport/path.ts';
import { missingAsNull } from '../../errors.ts';
import type { Rows } from '../../formats/rows.ts';
import type { UpstreamSession } from '../../calls/session.ts';
import { lookAt } from '../../calls/writer.ts';
import {
  createdAccount,
  type ClientFields,
  type ClientRecord,
  type ContactFields,
  type ContactListRecord,
  type ContactRecord,
  type CreatedAccountResponse,
  dealRecord,
  type DealFields,
  type DealRecord,
  type NewAccount,
  type PostFields,
  type PostRecord,
  sentKindOf,
  withClientId,
} from './wire.ts';

export const crmApi: Api = { name: 'crm', setting: 'CRM_URL' };

/** One result per id, in the order of the ids: the record, null when it is missing, an Error when the read failed. */
type BatchResults<T> = Promise<(T | null | Error)[]>;

declare module '../../operation/context.ts' {
  interface Context {
    readonly crm: CrmSource;
  }
}

/**
 * The CRM and helpdesk API: clients, posts, deals, contacts, contact lists, accounts. One method per endpoint of its
 * document, in the order of the document.
 *
 * Every method rejects with a `GatewayError`; a read of a missing record rejects with a `NotFoundError`. The token is sent
 * in the body of POST and PUT, and in the query of GET and DELETE.
 */
export class CrmSource {
  readonly #http: UpstreamSession;
  readonly #credentials: Credentials;
  /** The list of deals that was last read: those of its deals that name a client by a nested record have its id. */
  #deals: Rows<DealRecord> | undefined;

  constructor(http: UpstreamSession, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** `POST /app/clients.json` */
  async createClient(client: ClientFields): Promise<ClientRecord> {
    const request = this.#write(path`/app/clients.json`, 'client', client, secretsOf(client));
    return this.#http.writes.record('POST', {
      request,
      sent: client,
      among: { list: this.#clientsRequest(), by: 'name' },
    });
  }

  /** `GET /app/clients.json`: all clients. @param continues the id of the row that a page goes on from */
  async clients(continues?: string): Promise<Rows<ClientRecord>> {
    return this.#http.reads.list({ ...this.#clientsRequest(), continues });
  }

  /** The list of clients if this operation has already read it, else undefined. Makes no call. */
  listedClients(): Promise<Rows<ClientRecord>> | undefined {
    return this.#http.reads.shownList(this.#clientsRequest());
  }

  /** `GET /app/clients/:id.json` */
  async client(id: string): Promise<ClientRecord> {
    return this.#http.reads.get(this.#clientRequest(id), record);
  }

  /** Reads several clients: by id, or from the list of all. */
  async clientsById(ids: readonly string[]): BatchResults<ClientRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#clientRequest(id), list: this.#clientsRequest() });
  }

  /** `PUT /app/clients/:id.json` */
  async updateClient(id: string, client: ClientFields, ifUnchanged?: IfUnchanged): Promise<ClientRecord> {
    const request = this.#write(path`/app/clients/${idSegment(id)}.json`, 'client', client, secretsOf(client));
    const read = this.#clientRequest(id);
    const look = lookAt(this.#http.reads, read, record);
    const precondition = ifUnchanged && recordAt(this.#http.reads, read, ifUnchanged);
    return this.#http.writes.record('PUT', { request, sent: client, id, look, precondition });
  }

  /** `DELETE /app/clients/:id.json` */
  async deleteClient(id: string): Promise<void> {
    const request = this.#clientRequest(id);
    await this.#http.writes.remove('DELETE', request, lookAt(this.#http.reads, request, record));
  }

  /** `POST /app/posts.json`: with the task kind `comment` and a `post_id` it adds a comment. */
  async createPost(post: PostFields): Promise<PostRecord> {
    const request = this.#write(path`/app/posts.json`, 'post', post);
    return this.#http.writes.record('POST', {
      request,
      sent: post,
      among: { list: this.#postsRequest(), by: 'title' },
    });
  }

  /** `GET /app.json`: all helpdesk tasks. @param continues as `clients` takes it */
  async posts(continues?: string): Promise<Rows<PostRecord>> {
    return this.#http.reads.list({ ...this.#postsRequest(), continues });
  }

  /** The list of posts if this operation has already read it, else undefined. Makes no call. */
  listedPosts(): Promise<Rows<PostRecord>> | undefined {
    return this.#http.reads.shownList(this.#postsRequest());
  }

  /** `GET /app/posts/:id.json` */
  async post(id: string): Promise<PostRecord> {
    return this.#http.reads.get(this.#postRequest(id), record);
  }

  /** Reads several posts: by id, or from the list of all. */
  async postsById(ids: readonly string[]): BatchResults<PostRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#postRequest(id), list: this.#postsRequest() });
  }

  /** `POST /app/deals.json` */
  async createDeal(deal: DealFields): Promise<DealRecord> {
    const request = this.#write(path`/app/deals.json`, 'deal', deal);
    return this.#http.writes.record('POST', { request, sent: deal, among: { list: this.#dealsRequest(), by: 'name' } });
  }

  /** `GET /app/deals.json`: all deals. @param continues as `clients` takes it */
  async deals(continues?: string): Promise<Rows<DealRecord>> {
    return this.#withClientIds(await this.#http.reads.list({ ...this.#dealsRequest(), continues }));
  }

  /** The list of deals if this operation has already read it, else undefined. Makes no call. */
  listedDeals(): Promise<Rows<DealRecord>> | undefined {
    return this.#http.reads.shownList(this.#dealsRequest())?.then((deals) => this.#withClientIds(deals));
  }

  /** `GET /app/deals/:id.json` */
  async deal(id: string): Promise<DealRecord> {
    return this.#http.reads.get(this.#dealRequest(id), dealRecord);
  }

  /** Reads several deals: by id, or from the list of all. */
  async dealsById(ids: readonly string[]): BatchResults<DealRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#dealRequest(id), list: this.#dealsRequest() });
  }

  /** `PUT /app/deals/:id.json` */
  async updateDeal(id: string, deal: DealFields): Promise<DealRecord> {
    const request = this.#write(path`/app/deals/${idSegment(id)}.json`, 'deal', deal);
    const look = lookAt(this.#http.reads, this.#dealRequest(id), record);
    return this.#http.writes.record('PUT', { request, sent: deal, id, look });
  }

  /** `DELETE /app/deals/:id.json` */
  async deleteDeal(id: string): Promise<void> {
    const request = this.#dealRequest(id);
    await this.#http.writes.remove('DELETE', request, lookAt(this.#http.reads, request, record));
  }

  /** `POST /app/contacts.json` */
  async createContact(contact: ContactFields): Promise<ContactRecord> {
    const request = this.#write(path`/app/contacts.json`, 'contact', contact);
    return this.#http.writes.record('POST', { request, sent: contact });
  }

  /** `GET /app/contacts/:id.json` */
  async contact(id: string): Promise<ContactRecord> {
    return this.#http.reads.get(this.#contactRequest(id), record);
  }

  /** Reads several contacts by id: the API has no list of contacts. */
  async contactsById(ids: readonly string[]): BatchResults<ContactRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#contactRequest(id) });
  }

  /** `PUT /app/contacts/:id.json` */
  async updateContact(id: string, contact: ContactFields): Promise<ContactRecord> {
    const request = this.#write(path`/app/contacts/${idSegment(id)}.json`, 'contact', contact);
    const look = lookAt(this.#http.reads, this.#contactRequest(id), record);
    return this.#http.writes.record('PUT', { request, sent: contact, id, look });
  }

  /** `POST /app/contact_lists.json` */
  async createContactList(name: string): Promise<ContactListRecord> {
    const request = this.#write(path`/app/contact_lists.json`, 'contact_list', { name });
    return this.#http.writes.record('POST', { request, sent: { name } });
  }

  /** `GET /app/contact_lists/:id.json` */
  async contactList(id: string): Promise<ContactListRecord> {
    return this.#http.reads.get(this.#contactListRequest(id), record);
  }

  /** Reads several contact lists by id: the API has no list of them. */
  async contactListsById(ids: readonly string[]): BatchResults<ContactListRecord> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#contactListRequest(id) });
  }

  /**
   * `GET /app/contact_lists/:id.json` of no list, the smallest record that can be asked for: the credential is accepted.
   * Not documented (A249): that the credential is looked at before a 404.
   *
   * @throws UnauthenticatedError for a credential that is missing or refused
   */
  async checkCredential(): Promise<void> {
    await this.#http.reads.probe(this.#contactListRequest('0')).catch(missingAsNull);
  }

  /** `PUT /app/contact_lists/:id.json` */
  async updateContactList(id: string, name: string): Promise<ContactListRecord> {
    const request = this.#write(path`/app/contact_lists/${idSegment(id)}.json`, 'contact_list', { name });
    const look = lookAt(this.#http.reads, this.#contactListRequest(id), record);
    return this.#http.writes.record('PUT', { request, sent: { name }, id, look });
  }

  /** `POST /app/account.json`: creates an account and its first user. Upstream may change prefix and login. */
  async createAccount({ account, user }: NewAccount): Promise<CreatedAccountResponse> {
    const body = { ...this.#tokenParameter(), account, user };
    const request = { path: path`/app/account.json`, body, recordKey: 'account', secrets: [user.password] };
    const fields = { ...account, login: user.login, email: user.email, password: undefined }; // no answer shows it
    return createdAccount(
      await this.#http.writes.change('POST', request, { fields, moreKeys: ['user'], once: 'api_token' }),
    );
  }

  /** Decodes the deals of a list in place, so that it can be searched by `client_id`. */
  #withClientIds(deals: Rows<DealRecord>): Rows<DealRecord> {
    if (this.#deals !== deals) for (const deal of deals) withClientId(deal);
    return (this.#deals = deals);
  }

  #clientsRequest(): Get {
    return this.#authorizedGet(path`/app/clients.json`, 'client');
  }

  #clientRequest(id: string): Get {
    return this.#authorizedGet(path`/app/clients/${idSegment(id)}.json`, 'client', { id });
  }

  #postsRequest(): Get {
    return this.#authorizedGet(path`/app.json`, 'post');
  }

  #postRequest(id: string): Get {
    return this.#authorizedGet(path`/app/posts/${idSegment(id)}.json`, 'post', { id });
  }

  #dealsRequest(): Get {
    return this.#authorizedGet(path`/app/deals.json`, 'deal');
  }

  #dealRequest(id: string): Get {
    return this.#authorizedGet(path`/app/deals/${idSegment(id)}.json`, 'deal', { id });
  }

  #contactRequest(id: string): Get {
    return this.#authorizedGet(path`/app/contacts/${idSegment(id)}.json`, 'contact', { id });
  }

  #contactListRequest(id: string): Get {
    return this.#authorizedGet(path`/app/contact_lists/${idSegment(id)}.json`, 'contact_list', { id });
  }

  /** @param recordKey the key that holds the fields: the record in the response may be inside it, too */
  #write(path: Path, recordKey: string, fields: object, secrets: readonly string[] = []): Write {
    return { path, body: { ...this.#tokenParameter(), [recordKey]: fields }, recordKey, secrets, kindOf: sentKindOf };
  }

  #authorizedGet(path: Path, recordKey: string, asked?: Asked): Get {
    return { path: withCredential(path, this.#tokenParameter()), recordKey, asked };
  }

  #tokenParameter() {
    return { api_token: this.#credentials.crmToken() };
  }
}

/** Values that no error message may repeat: `sensitive_data`. */
function secretsOf({ sensitive_data: sensitive }: ClientFields): string[] {
  return typeof sensitive === 'string' ? [sensitive] : [];
}

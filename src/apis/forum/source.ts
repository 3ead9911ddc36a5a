import type { Credentials } from '../../operation/credentials.ts';
import type { Api } from '../../calls/transport/api.ts';
import type { Write } from '../../calls/requests.ts';
import { idSegment, nameAsPath, type Path, path, withQuery } from '../../calls/transport/path.ts';
import type { Rows } from '../../formats/rows.ts';
import type { UpstreamSession } from '../../calls/session.ts';
import { lookAt } from '../../calls/writer.ts';
import type { XmlElement } from '../../formats/xml-document.ts';
import {
  checkedCategoryName,
  decodeCategories,
  type ForumCategoryRecord,
  type ForumPage,
  decodePost,
  type ForumPostRecord,
  decodePosts,
  decodePostWithComments,
  decodeUser,
  type ForumUserRecord,
  decodeUsers,
  type NewForumPost,
  type NewForumUser,
} from './wire.ts';

export const forumApi: Api = { name: 'forum', setting: 'FORUM_URL' };

declare module '../../operation/context.ts' {
  interface Context {
    readonly forum: ForumSource;
    /** Whether a suggestion has one id in the forum and in the CRM: the setting FORUM_SHARES_IDS. */
    readonly forumSharesIds: boolean;
  }
}

/**
 * The suggestion forum, an XML API: users, categories, suggestions with comments. One method per endpoint of its document,
 * in the order of the document. Every method rejects with a `GatewayError`. Every request carries the user's login and
 * password.
 */
export class ForumSource {
  readonly #http: UpstreamSession<XmlElement>;
  readonly #credentials: Credentials;

  constructor(http: UpstreamSession<XmlElement>, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** `GET /app/users/me.xml`: the calling user. */
  async me(): Promise<ForumUserRecord> {
    return this.#http.reads.get(this.#request(path`/app/users/me.xml`), decodeUser);
  }

  /**
   * `GET /app/users/me.xml`: the credential is accepted.
   *
   * @throws UnauthenticatedError for a credential that is missing or refused
   */
  async checkCredential(): Promise<void> {
    await this.#http.reads.probe(this.#request(path`/app/users/me.xml`));
  }

  /** `GET /app/users/team.xml`: all users. */
  async team(): Promise<Rows<ForumUserRecord>> {
    return this.#http.reads.get(this.#request(path`/app/users/team.xml`), decodeUsers);
  }

  /** `GET /`: a page of the suggestions of the first category. */
  async firstPosts({ order, page }: ForumPage): Promise<Rows<ForumPostRecord>> {
    return this.#http.reads.get(this.#request(withQuery(path`/`, { order, page })), decodePosts);
  }

  /**
   * `GET /:category_name`: a page of the suggestions of a category.
   *
   * @throws ValidationError for a name that could lead to another endpoint
   */
  async posts(category: string, { order, page }: ForumPage): Promise<Rows<ForumPostRecord>> {
    const categoryPath = nameAsPath('category_name', checkedCategoryName(category));
    return this.#http.reads.get(this.#request(withQuery(categoryPath, { order, page })), decodePosts);
  }

  /** `GET /app/categories.xml`: all categories. */
  async categories(): Promise<Rows<ForumCategoryRecord>> {
    return this.#http.reads.get(this.#request(path`/app/categories.xml`), decodeCategories);
  }

  /** `GET /app/posts/:post_id.xml`: one suggestion with its comments. */
  async post(id: string): Promise<ForumPostRecord> {
    return this.#http.reads.get(this.#postRequest(id), decodePostWithComments);
  }

  /** Reads several suggestions by id: no list holds all of them. Null for a missing one, an Error for a failed read. */
  async postsById(ids: readonly string[]): Promise<(ForumPostRecord | null | Error)[]> {
    return this.#http.batches.getByIds(ids, { one: (id) => this.#postRequest(id) }, decodePostWithComments);
  }

  /** `POST /app/posts.xml` */
  async createPost({ title, content }: NewForumPost): Promise<ForumPostRecord> {
    const request = this.#request(path`/app/posts.xml`, 'post', { title, content });
    return this.#http.writes.record('POST', { request, sent: { title, content }, as: decodePost });
  }

  /** `DELETE /app/posts/:post_id.xml` */
  async deletePost(id: string): Promise<void> {
    const request = this.#postRequest(id);
    await this.#http.writes.remove('DELETE', request, lookAt(this.#http.reads, request, decodePostWithComments));
  }

  /** `POST /app/users.xml`. Not documented (A194): its answer, which is not read. */
  async createUser({ login, email, password }: NewForumUser): Promise<void> {
    const request = this.#request(path`/app/users.xml`, 'user', { login, email, password });
    await this.#http.writes.change('POST', { ...request, secrets: [password], takesNoKey: true });
  }

  #postRequest(id: string): Write {
    return { ...this.#request(path`/app/posts/${{ post_id: idSegment(id) }}.xml`, 'post'), asked: { id } };
  }

  /** @param recordKey the name of the element that holds the fields */
  #request(path: Path, recordKey?: string, fields?: object): Write {
    const body = recordKey === undefined || fields === undefined ? undefined : { [recordKey]: fields };
    return { path, headers: this.#credentials.forumHeaders(), body, recordKey };
  }
}

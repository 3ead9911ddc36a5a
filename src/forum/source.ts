import type { Credentials } from '../credentials.ts';
import type { Api } from '../http/api.ts';
import { path } from '../http/path.ts';
import type { UpstreamSession } from '../http/session.ts';
import type { XmlElement } from '../http/xml.ts';
import {
  categoryName,
  forumCategories,
  type ForumCategoryRecord,
  forumId,
  type ForumPage,
  forumPost,
  type ForumPostRecord,
  forumPosts,
  forumPostWithComments,
  forumUser,
  type ForumUserRecord,
  forumUsers,
  type NewForumPost,
  type NewForumUser,
} from './wire.ts';

export const forumApi: Api = { name: 'forum', setting: 'FORUM_URL' };

/**
 * The suggestion forum: users, categories, suggestions with comments, in XML. One method per endpoint of its document,
 * in its order; each rejects with a `GatewayError`. Every request carries the user's login and password.
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
    return this.#http.get({ path: path`/app/users/me.xml`, ...this.#auth(), as: forumUser });
  }

  /** `GET /app/users/team.xml` */
  async team(): Promise<readonly ForumUserRecord[]> {
    return this.#http.get({ path: path`/app/users/team.xml`, ...this.#auth(), as: forumUsers });
  }

  /** `GET /`: suggestions of the first category. */
  async firstPosts({ order, page }: ForumPage): Promise<readonly ForumPostRecord[]> {
    return this.#http.get({ path: path`/`, ...this.#auth(), query: { order, page }, as: forumPosts });
  }

  /** `GET /:category_name`: suggestions of a category. */
  async posts(category: string, { order, page }: ForumPage): Promise<readonly ForumPostRecord[]> {
    return this.#http.get({
      path: path`/${{ category_name: categoryName(category) }}`,
      ...this.#auth(),
      query: { order, page },
      as: forumPosts,
    });
  }

  /** `GET /app/categories.xml` */
  async categories(): Promise<readonly ForumCategoryRecord[]> {
    return this.#http.get({ path: path`/app/categories.xml`, ...this.#auth(), as: forumCategories });
  }

  /** `GET /app/posts/:post_id.xml`: one suggestion with its comments. */
  async post(id: string): Promise<ForumPostRecord> {
    return this.#http.get({ ...this.#post(id), as: forumPostWithComments });
  }

  /** Several suggestions, by id: no list has all of them. */
  async postsById(ids: readonly string[]): Promise<(ForumPostRecord | null | Error)[]> {
    return this.#http.several(ids, (id) => this.#post(id), forumPostWithComments);
  }

  /** `POST /app/posts.xml` */
  async createPost({ title, content }: NewForumPost): Promise<ForumPostRecord> {
    return this.#http.post(path`/app/posts.xml`, {
      ...this.#auth(),
      body: { post: { title, content } },
      as: forumPost,
    });
  }

  /** `DELETE /app/posts/:post_id.xml` */
  async deletePost(id: string): Promise<void> {
    return this.#http.send('DELETE', path`/app/posts/${{ post_id: forumId(id) }}.xml`, this.#auth());
  }

  /** `POST /app/users.xml`. Not documented: its answer, which is not read. */
  async createUser({ login, email, password }: NewForumUser): Promise<void> {
    return this.#http.send('POST', path`/app/users.xml`, {
      ...this.#auth(),
      body: { user: { login, email, password } },
      secrets: [password],
    });
  }

  #post(id: string) {
    return { path: path`/app/posts/${{ post_id: forumId(id) }}.xml`, ...this.#auth() };
  }

  #auth() {
    return { headers: { authorization: this.#credentials.forumAuthorization() } };
  }
}

import { XMLParser } from 'fast-xml-parser';

const parser = new XMLParser({ ignoreAttributes: true, isArray: (_name, path) => path === 'posts.post' });

/** The posts of the forum's XML, named like the other APIs name their fields. */
export function forumPosts(xml) {
  return parser.parse(xml).posts.post.map((post) => ({
    id: post.id,
    title: post.title,
    content: post.content,
    agent: post.agent,
    comments_cache: post['comments-cache'],
    votes_cache: post['votes-cache'],
    created_at: post['created-at'],
    updated_at: post['updated-at'],
  }));
}

/** A search's row without its own fields is the record's data. */
export const flexData = ({ id: _id, created_at: _createdAt, updated_at: _updatedAt, ...data }) => data;

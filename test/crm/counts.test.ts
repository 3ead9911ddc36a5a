import { expect, test } from 'vitest';
import { crmOver } from './support.ts';

// The document gives the counters of a post no bound.

test('the counters of a post may be beyond 32 bits', async () => {
  const beyond = 2 ** 31;
  const { ask } = await crmOver({
    'GET /app/posts/1.json': {
      id: 1,
      points: -beyond - 1,
      votes_cache: beyond,
      comments_cache: beyond + 1,
      view_count: `${beyond + 2}`,
      facebook_likes: beyond + 3,
      min_votes_to_start: Number.MAX_SAFE_INTEGER,
    },
  });

  const data = await ask('{ post(id: 1) { points votesCount commentsCount viewCount facebookLikes minVotesToStart } }');

  expect(data).toEqual({
    post: {
      points: -beyond - 1,
      votesCount: beyond,
      commentsCount: beyond + 1,
      viewCount: beyond + 2,
      facebookLikes: beyond + 3,
      minVotesToStart: Number.MAX_SAFE_INTEGER,
    },
  });
});

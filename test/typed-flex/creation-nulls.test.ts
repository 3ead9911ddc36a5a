import { expect, test } from 'vitest';
import { publicBook } from './public-gateway.ts';

// In a creation, null is what is left out: generated clients send null for what was not set.

const fields = { title: 'string', note: 'string' };

test('a public record has the default value of what is null', async () => {
  const create = { allowed_fields: ['title', 'note'], default_values: { note: 'none' } };
  const { ask } = await publicBook({ create, list: true }, { schema: { fields } });
  const data = await ask(
    'mutation { made: createPublicBookRow(input: { title: "a", note: null }) { ... on PublicBookRow { title note } } }',
  );
  expect(data).toEqual({ made: { title: 'a', note: 'none' } });
});

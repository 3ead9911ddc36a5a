import { listPosts, savePostFields } from '../crm/stored-posts.ts';
import { cycle } from '../cycle.ts';
import type { SandboxServices } from '../services.ts';
import type { ForumCaller } from './authentication.ts';
import { createCategory } from './stored-categories.ts';

const categoryNames = ['Pomysły i uwagi', 'Möbel & Holz', 'Sklep/Dostawy', 'Website', 'Różne'];

/** Some of the CRM's tasks are suggestions in the forum: 60, half of them in its first category. */
export function seedForum({ store }: SandboxServices, account: Pick<ForumCaller, 'accountId'>): void {
  const [first = 0, ...others] = categoryNames.map((name) => createCategory(store, account.accountId, name));
  const tasks = listPosts(store, account).filter(({ task_kind }) => task_kind !== 'comment');
  const suggestions = tasks.filter((_, index) => [4, 9, 13].includes(index % 20));
  for (const [index, post] of suggestions.entries()) {
    savePostFields(store, post, {
      title: `${cycle(wishPhrases, index)} ${cycle(things, Math.trunc(index / 2))}`,
      content: cycle(reasons, index),
      kind: 'suggestion',
      votes_cache: (index * index) % 43,
      category_id: index % 2 === 0 ? first : cycle(others, Math.trunc(index / 2)),
    });
  }
}

const wishPhrases = [
  'Please bring back',
  'Więcej zdjęć:',
  'A discount for',
  'Größere Auswahl:',
  'Plus de',
  'Instructions for',
  '🪑',
];
const things = ['the oak table', 'żółte krzesła', 'Hölzer & Öle', 'shelves < 60 cm', 'les étagères', 'spare legs'];
const reasons = [
  'I have looked for it in vain, and so have my neighbours.',
  'Byłoby świetnie, dziękuję! 👍',
  'Tisch & Stühle bitte auch in „Nussbaum“, Breite < 80 cm.',
  'if (width > 60 && height < 200) it would fit.',
  'Two lines:\nthe first, and the second.',
];

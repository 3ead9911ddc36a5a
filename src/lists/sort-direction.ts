import { builder } from '../builder.ts';

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Ascending or descending.',
  values: {
    ASC: { description: 'The smallest first.' },
    DESC: { description: 'The largest first.' },
  },
});

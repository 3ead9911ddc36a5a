import { builder } from '../builder.ts';

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Which end comes first.',
  values: {
    ASC: { description: 'The smallest first.' },
    DESC: { description: 'The largest first.' },
  },
});

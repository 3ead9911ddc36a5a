import { GraphQLInt, GraphQLString } from 'graphql';
import { defaultSizeDescription } from '../../lists/connections.ts';

// Arguments of the fields that list records with positions as cursors.

/** The argument `first`. @param most says which sizes are taken */
export const firstArgument = (most = 'MAX_PAGE_SIZE') => ({
  type: GraphQLInt,
  description: `Number of records, at most ${most}. ${defaultSizeDescription}.`,
});

/** The argument `after`. */
export const afterArgument = {
  type: GraphQLString,
  description: 'Cursor of the record before the page: its position in the order.',
};

/** The argument `query`. */
export const phraseArgument = {
  type: GraphQLString,
  description: 'A phrase. * and % are wildcards. A phrase without wildcards also matches inside a value.',
};

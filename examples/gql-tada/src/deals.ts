import { type FragmentOf, readFragment, type ResultOf } from 'gql.tada';
import { graphql } from './graphql.ts';

const dealRow = graphql(`
  fragment DealRow on Deal {
    name
    price
    client {
      name
      kind
    }
  }
`);

export const dealsQuery = graphql(
  `
    query Deals($first: Int!, $after: String, $filter: DealFilter, $orderBy: [DealOrder!]) {
      deals(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount
        nodes {
          id
          ...DealRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [dealRow],
);

export const createDealMutation = graphql(
  `
    mutation CreateDeal($input: DealInput!) {
      createDeal(input: $input) {
        __typename
        ... on MutationError {
          message
        }
        ... on ValidationError {
          fields {
            field
            messages
          }
        }
        ...DealRow
      }
    }
  `,
  [dealRow],
);

/** The fragment is masked: whoever passes a deal on sees only the fields it asked for itself. */
export function line(deal: FragmentOf<typeof dealRow>): string {
  const { name, price, client } = readFragment(dealRow, deal);
  return `${name}: ${price ?? 'no price'}, ${client?.kind === 'SELLER' ? 'from' : 'for'} ${client?.name ?? 'nobody'}`;
}

/** What a form says after a deal was sent. A member of the union without a case of its own does not compile. */
export function outcome(result: NonNullable<ResultOf<typeof createDealMutation>['createDeal']>): string {
  switch (result.__typename) {
    case 'Deal':
      return line(result);
    case 'ValidationError':
      return result.fields.map(({ field, messages }) => `${field}: ${messages.join(', ')}`).join('; ');
    case 'ConflictError':
    case 'ForbiddenError':
    case 'NotFoundError':
      return result.message;
    default:
      return result satisfies never;
  }
}

import type { CreateClientMutation, RefusalFragment, SearchQuery } from '../generated/graphql.ts';

/** What a form says after a client was sent. A member of the union without a case of its own does not compile. */
export function summary(result: NonNullable<CreateClientMutation['createClient']>): string {
  switch (result.__typename) {
    case 'Client':
      return `Client ${result.name} was created.`;
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

type Hit = NonNullable<NonNullable<NonNullable<SearchQuery['search']>['nodes']>[number]>;

/** The line of a hit in a list of results. */
export function title(hit: Hit): string {
  switch (hit.__typename) {
    case 'Client':
    case 'Deal':
      return hit.name ?? hit.id;
    case 'Post':
    case 'ForumPost':
      return hit.title ?? hit.id;
    case 'FlexRecord':
      return String(hit.data?.['name'] ?? hit.id);
    default:
      return hit satisfies never;
  }
}

/** A mutation, or an item of a bulk mutation, was refused: nothing was changed. */
export class Refused extends Error {
  readonly refusal: RefusalFragment;

  constructor(refusal: RefusalFragment) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const refusals: Record<RefusalFragment['__typename'], true> = {
  ConflictError: true,
  ForbiddenError: true,
  NotAttempted: true,
  NotFoundError: true,
  ValidationError: true,
};

/** The success of any result union; a refusal is thrown. */
export function accepted<TSuccess extends { readonly __typename: string }>(
  result: TSuccess | RefusalFragment,
): TSuccess {
  if (isRefusal(result)) throw new Refused(result);
  return result;
}

/** Whether a member of a result union is a refusal. */
export function isRefusal(result: { readonly __typename: string }): result is RefusalFragment {
  return Object.hasOwn(refusals, result.__typename);
}

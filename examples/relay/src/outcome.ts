import type { createClientMutation$data } from './__generated__/createClientMutation.graphql.ts';

/** What a form says after a client was sent. '%other' is Relay's place for a member that a later schema may add. */
export function outcome(result: NonNullable<createClientMutation$data['createClient']>): string {
  switch (result.__typename) {
    case 'Client':
      return `Client ${result.name} was created.`;
    case 'ValidationError':
      return result.fields.map(({ field, messages }) => `${field}: ${messages.join(', ')}`).join('; ');
    case 'ConflictError':
    case 'ForbiddenError':
    case 'NotFoundError':
      return result.message;
    case '%other':
      return 'The client was refused.';
    default:
      return result satisfies never;
  }
}

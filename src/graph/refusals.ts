import { errorTypeMap, wrapOrThrow } from '@pothos/plugin-errors';
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '../errors.ts';

/** The refusals that the result of each mutation may be, with the names of their types. */
const refusals = new Map<unknown, string>([
  [ValidationError, 'ValidationError'],
  [ForbiddenError, 'ForbiddenError'],
  [NotFoundError, 'NotFoundError'],
  [ConflictError, 'ConflictError'],
]);

/** The errors that are members of the result union of each mutation. */
export const refusalClasses = [ValidationError, ForbiddenError, NotFoundError, ConflictError];

/** The union that each mutation returns. */
export const resultUnion = {
  name: ({ fieldName }: { readonly fieldName: string }) =>
    `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
  description: 'The result of the mutation: success, or the reason why it was refused.',
};

/** The names of the types of refusals. */
export const refusalTypeNames: readonly string[] = [...refusals.values()];

/** For `.catch` of a mutation: turns a refusal into a member of its result union, as the builder does. Rethrows other errors. */
export function refusalAsResult(error: unknown): object {
  return wrapOrThrow(error, refusalClasses);
}

/** The name of the type of a refusal in a result. Undefined for any other value. */
export function refusalTypeName(result: object): string | undefined {
  return refusals.get(errorTypeMap.get(result));
}

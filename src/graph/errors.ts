import { builder } from './builder.ts';
import { Node } from './node-ref.ts';
import {
  camelCased,
  ConflictError,
  ForbiddenError,
  type GatewayError,
  NotFoundError,
  ValidationError,
} from '../errors.ts';

// GraphQL types for the error classes that data sources throw. Mutations return them as members of their result unions.

export const MutationError = builder.interfaceRef<GatewayError>('MutationError').implement({
  description: 'Why a mutation, or an item of a bulk mutation, was not carried out.',
  fields: (t) => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'The reason, ready to be shown to users. Upstream texts may be localized.',
    }),
  }),
});

const FieldError = builder.objectRef<{ field: string; messages: readonly string[] }>('FieldError').implement({
  description: 'The messages about one field of the input.',
  fields: (t) => ({
    field: t.exposeString('field', {
      nullable: false,
      description: 'Path of the field below the input, such as `name` or `fields.2.name`.',
    }),
    messages: t.stringList({
      nullable: false,
      description: 'Why the field was refused.',
      resolve: ({ messages }) => [...messages],
    }),
  }),
});

builder.objectType(ValidationError, {
  name: 'ValidationError',
  description: 'Upstream refused the input, or the gateway did before it called upstream. Nothing was changed.',
  interfaces: [MutationError],
  fields: (t) => ({
    fields: t.field({
      type: [FieldError],
      nullable: false,
      description: 'Messages by field. Empty when upstream named no field.',
      resolve: fieldErrors,
    }),
  }),
});

builder.objectType(ForbiddenError, {
  name: 'ForbiddenError',
  description: 'The caller is known, but lacks the permission for this mutation.',
  interfaces: [MutationError],
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description:
    'A record that the mutation names does not exist, or is hidden from the caller. Upstream does not tell which.',
  interfaces: [MutationError],
});

builder.objectType(ConflictError, {
  name: 'ConflictError',
  description:
    'The change contradicts the present state of the record, or the record has changed since it was read. Nothing was changed.',
  interfaces: [MutationError],
  fields: (t) => ({
    current: t.field({
      type: Node,
      nullable: true,
      description:
        'The record as it is, of the type that the mutation changes: its `updatedAt` is what `ifUpdatedAt` takes next. Null when ' +
        'upstream refused the change by itself.',
      resolve: ({ current }) => current,
    }),
  }),
});

/** The messages by path of the GraphQL input. Upstream's names are converted to camel case. */
export function fieldErrors({ fields, hasPaths }: ValidationError) {
  return Object.entries(fields).map(([field, messages]) => ({
    field: hasPaths ? field : camelCased(field),
    messages,
  }));
}

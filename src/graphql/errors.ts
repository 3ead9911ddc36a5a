import { builder } from '../builder.ts';
import { camelCased, ForbiddenError, type GatewayError, NotFoundError, ValidationError } from '../http/errors.ts';

// The refusals that a mutation answers as members of its result: the classes that sources throw, as GraphQL types.

const MutationError = builder.interfaceRef<GatewayError>('MutationError').implement({
  description: 'Why a mutation was refused.',
  fields: (t) => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'What went wrong, to be shown as it is; upstream texts may be localized.',
    }),
  }),
});

const FieldError = builder.objectRef<{ field: string; messages: readonly string[] }>('FieldError').implement({
  description: 'What is wrong with one field of the input.',
  fields: (t) => ({
    field: t.exposeString('field', {
      nullable: false,
      description: 'Path of the field below the input, such as `integrationAppCode` or `layout.3.config.customUrl`.',
    }),
    messages: t.stringList({
      nullable: false,
      description: 'What is wrong with it.',
      resolve: ({ messages }) => [...messages],
    }),
  }),
});

builder.objectType(ValidationError, {
  name: 'ValidationError',
  description: 'The input was refused: by upstream, or by the gateway before it called upstream. Nothing was changed.',
  interfaces: [MutationError],
  fields: (t) => ({
    fields: t.field({
      type: [FieldError],
      nullable: false,
      description: 'What is wrong, by field; empty when upstream named none.',
      resolve: fieldErrors,
    }),
  }),
});

builder.objectType(ForbiddenError, {
  name: 'ForbiddenError',
  description: 'The caller is known, but lacks the permission for this.',
  interfaces: [MutationError],
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description:
    'A record that the mutation names does not exist, or is hidden from the caller: upstream tells neither apart.',
  interfaces: [MutationError],
});

/** The messages by GraphQL path. Upstream writes its names with underscores; the gateway's own are paths already. */
export function fieldErrors({ fields, hasPaths }: ValidationError) {
  return Object.entries(fields).map(([field, messages]) => ({
    field: hasPaths ? field : camelCased(field),
    messages,
  }));
}

import { nodeRef } from '../graphql/node-ref.ts';
import { builder, type InputFieldBuilder } from '../builder.ts';
import { idArgument } from '../graphql/arguments.ts';
import { globalId, upstreamId } from '../graphql/ids.ts';
import { lazyFieldResolver } from '../lists/lazy-fields.ts';
import { ForbiddenError, missingAsNull, NotFoundError, UnauthenticatedError, ValidationError } from '../http/errors.ts';
import { boolean, instant, isDate, oneOf, text, texts } from '../http/formats/leaves.ts';
import type { AccountSource } from './source.ts';
import type { ApiTokenFields, ApiTokenRecord, CreatedApiTokenRecord } from './wire.ts';

export const ApiToken = nodeRef<ApiTokenRecord>('ApiToken', (ids, { account }) => account.apiTokensById(ids));

const lazy = lazyFieldResolver<ApiTokenRecord>({
  batched: ({ id }, context) => ApiToken.getDataloader(context).load(id),
  byId: ({ id }, { account }) => account.apiToken(id).catch(missingAsNull),
});

const ApiTokenKind = builder.enumType('ApiTokenKind', {
  description: 'What a token is for.',
  values: {
    API: { value: 'api_token', description: 'Requests to the API.' },
    WEB: { value: 'web_token', description: 'A web session, or auto-login.' },
  },
});

builder.objectType(ApiToken, {
  name: 'ApiToken',
  description: 'A token that authorizes requests. Its raw value is shown once, when it is created.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the account API.' }),
    name: t.string({ description: 'What the token is for, in words.', resolve: lazy('name', text) }),
    code: t.string({
      description: 'Unique in the account; configuration refers to the token by it.',
      resolve: lazy('code', text),
    }),
    active: t.boolean({ description: 'Whether the token is switched on.', resolve: lazy('active', boolean) }),
    expiresAt: t.field({
      type: 'DateOrDateTime',
      description: 'When the token ends; null when it never does.',
      resolve: lazy('expires_at', (value) => value || null),
    }),
    expired: t.boolean({
      description:
        'Whether `expiresAt` has passed. A date lasts to its end in UTC, an instant without a zone is taken as UTC.',
      resolve: lazy('expires_at', hasPassed),
    }),
    kind: t.field({ type: ApiTokenKind, description: 'What the token is for.', resolve: lazy('kind', kindOfToken) }),
    integrationAppCode: t.string({
      description: 'Code of an integration application, unique in the account.',
      resolve: lazy('integration_app_code', text),
    }),
    forAccount: t.boolean({
      description: 'Whether it is a token of the whole account, which a deletion does not remove.',
      resolve: lazy('for_account', boolean),
    }),
    privileges: t.stringList({
      description: 'Privileges that narrow the token; empty: all that its owner has.',
      resolve: lazy('privileges', texts),
    }),
    tokenInfo: t.string({
      description: 'A masked fragment of the token, to recognise it by.',
      resolve: lazy('token_info', text),
    }),
  }),
});

/** Not documented: that `api_token` is an ordinary token too. */
function kindOfToken(value: unknown) {
  if (value === undefined) return null;
  return value === null || value === '' ? 'api_token' : oneOf(['api_token', 'web_token'])(value);
}

/** Not documented: that a date lasts to its end, and that it and an instant without a zone are meant in UTC. */
function hasPassed(value: unknown): boolean | null {
  if (value === undefined) return null;
  const expiresAt = text(value) ?? '';
  if (expiresAt === '') return false;
  const end = isDate(expiresAt) ? Date.parse(`${expiresAt}T00:00:00Z`) + DAY : instant(expiresAt);
  return end !== null && end <= Date.now();
}

const DAY = 24 * 60 * 60 * 1000;

const ApiTokenScope = builder.enumType('ApiTokenScope', {
  description: 'Whose tokens to list.',
  values: {
    OWN: { description: "The caller's own." },
    ACCOUNT: { description: 'Those of the whole account.' },
  },
});

builder.queryFields((t) => ({
  apiTokens: t.field({
    type: [ApiToken],
    description: 'API tokens. Calls `GET /account/api_tokens.json`, with `?for_account=yes` for those of the account.',
    args: { scope: t.arg({ type: ApiTokenScope, defaultValue: 'OWN', description: 'Whose tokens to list.' }) },
    resolve: (_root, { scope }, { account }) =>
      scope === 'ACCOUNT' ? account.accountApiTokens() : account.apiTokens(),
  }),
  apiToken: t.field({
    type: ApiToken,
    description: 'One API token, or null when the caller can see none. Calls `GET /account/api_tokens/:id.json`.',
    args: { id: idArgument(t.arg) },
    resolve: (_root, { id }) => upstreamId(id, 'ApiToken'),
  }),
}));

const inputFields = (t: InputFieldBuilder) => ({
  name: t.string({ description: 'What the token is for, in words.' }),
  code: t.string({ description: 'Unique in the account; configuration refers to the token by it.' }),
  active: t.boolean({ description: 'Whether the token works; true unless said otherwise.' }),
  expiresAt: t.field({ type: 'DateOrDateTime', description: 'When it ends; null: never.' }),
  kind: t.field({ type: ApiTokenKind, description: 'What the token is for; API unless said otherwise.' }),
  integrationAppCode: t.string({ description: 'Code of an integration application, unique in the account.' }),
  forAccount: t.boolean({ description: 'Whether it is a token of the whole account, not only of the caller.' }),
  privileges: t.stringList({
    description:
      'Privileges that narrow the token; an empty list: all that its owner has. It never gets one its owner lacks.',
  }),
});

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  description: 'A new API token. What is left out is up to upstream.',
  fields: inputFields,
});

const UpdateApiTokenInput = builder.inputType('UpdateApiTokenInput', {
  description: 'Changes of an API token: a field that is left out stays, null clears.',
  fields: inputFields,
});

function apiTokenFields(input: typeof UpdateApiTokenInput.$inferInput): ApiTokenFields {
  const { expiresAt: expires_at, integrationAppCode: integration_app_code, forAccount: for_account, ...same } = input;
  const kind = same.kind === 'api_token' ? '' : same.kind; // "Empty = ordinary API token"; `api_token` is only met in answers
  return { ...same, kind, expires_at, integration_app_code, for_account };
}

const CreatedApiToken = builder.objectRef<CreatedApiTokenRecord>('CreatedApiToken').implement({
  description: 'A new API token with its raw value.',
  fields: (t) => ({
    apiToken: t.field({
      type: ApiToken,
      nullable: false,
      description: 'The token.',
      resolve: ({ token: _raw, ...created }) => created,
    }),
    token: t.exposeString('token', {
      nullable: false,
      description:
        'The raw value, for the Authorization header. It cannot be read again; the response is marked `no-store`.',
    }),
  }),
});

interface Deletion {
  readonly token: ApiTokenRecord;
  readonly deleted: boolean;
}

const ApiTokenDeletion = builder.objectRef<Deletion>('ApiTokenDeletion').implement({
  description: 'What a deletion did.',
  fields: (t) => ({
    apiTokenId: t.id({
      nullable: false,
      description: 'Global id of the token.',
      resolve: ({ token }) => globalId('ApiToken', token.id),
    }),
    deleted: t.exposeBoolean('deleted', {
      nullable: false,
      description: 'Whether the token is gone. False for a token of the whole account, which upstream keeps.',
    }),
    apiToken: t.field({
      type: ApiToken,
      description: 'The token, where upstream has kept it.',
      resolve: ({ token, deleted }) => (deleted ? null : token),
    }),
  }),
});

/** Not documented: whether a read says that a token is kept. For an upstream that does not. One that deleted itself is refused. */
async function isGone(id: string, account: AccountSource): Promise<boolean> {
  try {
    await account.apiToken(id);
    return false;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof UnauthenticatedError) return true;
    throw error;
  }
}

builder.mutationFields((t) => ({
  createApiToken: t.field({
    type: CreatedApiToken,
    description: 'Creates a token and answers its raw value, this once. Calls `POST /account/api_tokens.json`.',
    errors: { types: [ValidationError, ForbiddenError] },
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: 'The token.' }) },
    resolve: (_root, { input }, { account, forbidStoring }) => {
      forbidStoring();
      return account.createApiToken(apiTokenFields(input));
    },
  }),
  updateApiToken: t.field({
    type: ApiToken,
    description:
      'Changes a token. Calls `PATCH /account/api_tokens/:id.json`. Where that answers no record, it is read by id.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: UpdateApiTokenInput, required: true, description: 'The changes.' }),
    },
    resolve: async (_root, { id, input }, { account }) => {
      const tokenId = upstreamId(id, 'ApiToken');
      return (await account.updateApiToken(tokenId, apiTokenFields(input))) ?? tokenId;
    },
  }),
  deleteApiToken: t.field({
    type: ApiTokenDeletion,
    description:
      'Deletes a token, unless it is one of the whole account: upstream keeps those, and `deleted` says so. ' +
      'Calls `GET /account/api_tokens/:id.json`, then `DELETE /account/api_tokens/:id.json`.',
    errors: { types: [ForbiddenError, NotFoundError] },
    args: { id: idArgument(t.arg) },
    resolve: async (_root, { id }, { account }): Promise<Deletion> => {
      // Read first: a token that deletes itself can read nothing afterwards.
      const token = await account.apiToken(upstreamId(id, 'ApiToken'));
      const kept = boolean(token.for_account);
      await account.deleteApiToken(token.id);
      return { token, deleted: kept === null ? await isGone(token.id, account) : !kept };
    },
  }),
}));

import { nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder, type InputFieldBuilder } from '../../graph/builder.ts';
import { describeText, enumOrText } from '../../graph/enums.ts';
import { globalId, idArgument, upstreamId } from '../../graph/ids.ts';
import { missingUnderKey } from '../../graph/under-key.ts';
import { lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import {
  changesOf,
  GatewayError,
  invalidInput,
  missingAsNull,
  NotFoundError,
  UnauthenticatedError,
  UnreadResultError,
} from '../../errors.ts';
import { boolean, instant, oneOf, text, texts } from '../../formats/leaves.ts';
import { shownId } from '../../calls/transport/path.ts';
import { isDate, readDateOrDateTime } from '../../formats/dates.ts';
import type { AccountSource } from './source.ts';
import type { ApiTokenFields, ApiTokenRecord, CreatedApiTokenRecord } from './wire.ts';

export const ApiToken = nodeRef<ApiTokenRecord>('ApiToken', (ids, { account }) => account.apiTokensById(ids));

const lazy = lazyFieldResolver<ApiTokenRecord>({
  batched: ({ id }, context) => ApiToken.getDataloader(context).load(id),
  byId: ({ id }, { account }) => account.apiToken(id).catch(missingAsNull),
});

const ApiTokenKind = builder.enumType('ApiTokenKind', {
  description: 'The purpose of a token.',
  values: {
    API: { value: 'api_token', description: 'Requests to the API.' },
    WEB: { value: 'web_token', description: 'A web session, or auto-login.' },
  },
});

builder.objectType(ApiToken, {
  name: 'ApiToken',
  description: 'A token that authorizes requests. Only `createApiToken` returns its raw value.',
  fields: (t) => ({
    upstreamId: t.id({ nullable: false, description: 'Id in the account API.', resolve: shownId }),
    name: t.string({ description: 'Name of the token.', resolve: lazy('name', text) }),
    code: t.string({
      description: 'Code of the token, unique in the account. Configuration refers to the token by its code.',
      resolve: lazy('code', text),
    }),
    active: t.boolean({ description: 'Whether the token is switched on.', resolve: lazy('active', boolean) }),
    expiresAt: t.field({
      type: 'Expiry',
      description: 'When the token expires. Null: never.',
      resolve: lazy('expires_at', (value) => value || null),
    }),
    expired: t.boolean({
      semanticNonNull: true,
      description:
        'Whether `expiresAt` has passed. A date counts until its end in UTC. A time without a zone is read as UTC.',
      resolve: lazy('expires_at', hasPassed),
    }),
    kind: t.field({
      type: ApiTokenKind,
      semanticNonNull: true,
      description: 'The purpose of the token.',
      resolve: lazy('kind', tokenKind),
    }),
    kindText: t.string({
      description: 'Upstream name of the purpose. Also for one that the gateway does not know. Empty or null: API.',
      resolve: lazy('kind', text),
    }),
    integrationAppCode: t.string({
      description: 'Code of the integration application that the token belongs to, unique in the account.',
      resolve: lazy('integration_app_code', text),
    }),
    forAccount: t.boolean({
      description: 'Whether the token belongs to the whole account. Upstream does not delete such a token.',
      resolve: lazy('for_account', boolean),
    }),
    privileges: t.stringList({
      description:
        'Privileges that the token is limited to. An empty list: all privileges of its owner. Null: upstream does not tell.',
      resolve: lazy('privileges', (value) => (value === undefined ? null : (texts(value) ?? []))), // Not documented (A211): what a missing key means
    }),
    tokenInfo: t.string({
      description: 'Masked fragment of the raw value, by which a user recognises the token.',
      resolve: lazy('token_info', text),
    }),
  }),
});

/** Empty means an ordinary token, and so does a missing kind. Not documented (A19): that `api_token` does, too. */
function tokenKind(value: unknown) {
  return (value ?? '') === '' ? 'api_token' : oneOf(['api_token', 'web_token'])(value);
}

/**
 * Whether an expiry is over. Empty means no expiry, and so does a missing one.
 *
 * Not documented (A16, A17): that a date lasts to its end, and that it and an instant without a zone are meant in UTC.
 */
function hasPassed(value: unknown): boolean {
  const expiresAt = text(value) ?? '';
  if (expiresAt === '') return false;
  const read = readDateOrDateTime(expiresAt) ?? expiresAt;
  const endsAt = isDate(read) ? Date.parse(`${read}T00:00:00Z`) + DAY_MS : instant(read);
  return endsAt !== null && endsAt <= Date.now();
}

const DAY_MS = 24 * 60 * 60 * 1000;

const ApiTokenScope = builder.enumType('ApiTokenScope', {
  description: 'The owner of the tokens to list.',
  values: {
    OWN: { description: 'Tokens of the caller.' },
    ACCOUNT: { description: 'Tokens of the whole account.' },
  },
});

builder.queryFields((t) => ({
  apiTokens: t.field({
    type: [ApiToken],
    semanticNonNull: true,
    description:
      'API tokens. Calls `GET /account/api_tokens.json`, with `?for_account=yes` for the tokens of the account.',
    args: { scope: t.arg({ type: ApiTokenScope, defaultValue: 'OWN', description: 'The owner of the tokens.' }) },
    resolve: (_root, { scope }, { account }) =>
      scope === 'ACCOUNT' ? account.accountApiTokens() : account.apiTokens(),
  }),
}));

nodeQuery(
  'apiToken',
  ApiToken,
  'One API token. Null when it does not exist or the caller cannot see it. Calls `GET /account/api_tokens/:id.json`.',
);

const apiTokenInputFields = (t: InputFieldBuilder) => ({
  name: t.string({ description: 'Name of the token.' }),
  code: t.string({
    description: 'Code of the token, unique in the account. Configuration refers to the token by its code.',
  }),
  active: t.boolean({ description: 'Whether the token works. Default: true.' }),
  expiresAt: t.field({ type: 'Expiry', description: 'When the token expires. Null or an empty text: never.' }),
  kind: t.field({ type: ApiTokenKind, description: 'The purpose of the token. Default: API.' }),
  kindText: t.string({ description: describeText('kind') }),
  integrationAppCode: t.string({
    description: 'Code of the integration application that the token belongs to, unique in the account.',
  }),
  forAccount: t.boolean({ description: 'Whether the token belongs to the whole account, not only to the caller.' }),
  privileges: t.stringList({
    description:
      'Privileges that the token is limited to. An empty list: all privileges of its owner. A token never has more ' +
      'privileges than its owner.',
  }),
});

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  description: 'A new API token. Upstream sets the default of a field that is left out.',
  fields: apiTokenInputFields,
});

const UpdateApiTokenInput = builder.inputType('UpdateApiTokenInput', {
  description: 'Changes of an API token. A field that is left out stays as it is; null clears it, except `active`.',
  fields: apiTokenInputFields,
});

/** Maps the input to the names and values of the wire. */
function apiTokenFields(input: typeof UpdateApiTokenInput.$inferInput): ApiTokenFields {
  const {
    expiresAt: expires_at,
    integrationAppCode: integration_app_code,
    forAccount: for_account,
    kindText,
    ...unrenamed
  } = input;
  const given = enumOrText('kind', unrenamed.kind, kindText);
  const kind = given === 'api_token' ? '' : given; // "Empty = ordinary API token"; only responses hold `api_token`
  return { ...unrenamed, kind, expires_at, integration_app_code, for_account };
}

const CreatedApiToken = builder.objectRef<CreatedApiTokenRecord>('CreatedApiToken').implement({
  description: 'A new API token and its raw value.',
  fields: (t) => ({
    apiToken: t.field({
      type: ApiToken,
      semanticNonNull: true,
      description:
        'The token. Null, with an error, when its id is selected and the response of upstream did not tell it.',
      resolve: (created) => created,
    }),
    token: t.string({
      semanticNonNull: true,
      description:
        'The raw value, for the `Authorization` header. It cannot be read again: null, with an error, when the response ' +
        'of upstream does not hold it. The response has `Cache-Control: no-store`.',
      resolve: ({ token }) => rawToken(token),
    }),
  }),
});

/** @throws UnreadResultError for a response without the raw value */
function rawToken(token: unknown): string {
  if (typeof token === 'string' && token !== '') return token;
  throw new UnreadResultError('the raw value of the token is lost, and cannot be read again.');
}

interface Deletion {
  readonly token: ApiTokenRecord;
  /** Whether upstream deleted the token. @throws UnreadResultError when that cannot be read */
  readonly isDeleted: () => Promise<boolean>;
}

const ApiTokenDeletion = builder.objectRef<Deletion>('ApiTokenDeletion').implement({
  description: 'Result of the deletion of a token.',
  fields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted token. Null when upstream did not delete it.',
      resolve: async ({ token, isDeleted }) => ((await isDeleted()) ? globalId('ApiToken', token.id) : null),
    }),
    deleted: t.boolean({
      semanticNonNull: true,
      description:
        'Whether upstream deleted the token. False for a token of the whole account, which upstream does not delete.',
      resolve: ({ isDeleted }) => isDeleted(),
    }),
    apiToken: t.field({
      type: ApiToken,
      description: 'The token when upstream did not delete it, else null.',
      resolve: async ({ token, isDeleted }) => ((await isDeleted()) ? null : token),
    }),
  }),
});

/**
 * Not documented (A23): whether a read says that a token is kept. For an upstream that does not. One that deleted
 * itself is refused.
 */
async function isGone(id: string, account: AccountSource): Promise<boolean> {
  try {
    await account.apiToken(id);
    return false;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof UnauthenticatedError) return true;
    if (!(error instanceof GatewayError)) throw error;
    throw new UnreadResultError(`whether the token still exists cannot be read. ${error.message}`, error);
  }
}

builder.mutationFields((t) => ({
  createApiToken: t.field({
    type: CreatedApiToken,
    description: 'Creates a token and returns its raw value. Calls `POST /account/api_tokens.json`.',
    errors: {},
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: 'The token.' }) },
    resolve: (_root, { input }, { account }) => account.createApiToken(apiTokenFields(input)),
  }),
  updateApiToken: t.field({
    type: ApiToken,
    description:
      'Changes a token. Calls `PATCH /account/api_tokens/:id.json`. When the response holds no record, selected fields are read by id.',
    errors: {},
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: UpdateApiTokenInput, required: true, description: 'The changes.' }),
    },
    resolve: async (_root, { id, input }, { account }) => {
      const tokenId = upstreamId(id, 'ApiToken');
      // Null in a change sets the default, which is true: an attempt to clear it would switch the token on.
      if (input.active === null) throw invalidInput('active', 'cannot be null; leave it out to keep it');
      return account.updateApiToken(tokenId, changesOf(apiTokenFields(input)));
    },
  }),
  deleteApiToken: t.field({
    type: ApiTokenDeletion,
    description:
      'Deletes a token. Upstream does not delete a token of the whole account; `deleted` is then false. ' +
      'Calls `GET /account/api_tokens/:id.json`, then `DELETE /account/api_tokens/:id.json`.',
    errors: {},
    args: { id: idArgument(t.arg) },
    resolve: async (_root, { id }, context): Promise<Deletion> => {
      const { account } = context;
      // The read comes first: a token that deletes itself cannot authorize a later read.
      const tokenId = upstreamId(id, 'ApiToken');
      const read = await account.apiToken(tokenId).catch(missingUnderKey(context));
      const token: ApiTokenRecord = read ?? { id: tokenId };
      const belongsToAccount = boolean(token.for_account);
      await account.deleteApiToken(tokenId);
      const isDeleted = async () => (belongsToAccount === null ? isGone(token.id, account) : !belongsToAccount);
      return { token, isDeleted };
    },
  }),
}));

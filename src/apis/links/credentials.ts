import { builder } from '../../graph/builder.ts';
import { wireEnum } from '../../graph/enums.ts';
import { ofOperation } from '../../graph/operation-state.ts';
import { ForbiddenError, NoCredentialError, UnauthenticatedError } from '../../errors.ts';
import type { Context } from '../../operation/context.ts';

const states = {
  missing: 'The request has no credential for this API. The API was not called.',
  refused: 'The API refused the credential, or it is malformed and was not sent.',
  accepted: 'The API knows the credential.',
};
type State = keyof typeof states;

const CredentialState = wireEnum('CredentialState', 'What an API says of the credential of the request.', states);

type CheckedApi = 'account' | 'flex' | 'crm' | 'forum';

/** The answers about the credentials of an operation: each API is asked once, however many aliases its field has. */
class CredentialChecks {
  readonly #states = new Map<CheckedApi, Promise<State>>();

  async state(api: CheckedApi, context: Context): Promise<State> {
    const known = this.#states.get(api) ?? stateOf(context[api]);
    this.#states.set(api, known);
    return known;
  }
}

/** @throws GatewayError when the API cannot be asked, or gives another answer */
async function stateOf(source: { checkCredential(): Promise<void> }): Promise<State> {
  try {
    await source.checkCredential();
    return 'accepted';
  } catch (error) {
    if (error instanceof NoCredentialError) return 'missing';
    if (error instanceof UnauthenticatedError) return 'refused';
    // Not documented (A249): a credential that is refused with 403. The documents have it for permissions alone.
    if (error instanceof ForbiddenError) return 'accepted';
    throw error;
  }
}

const owner = {};

const Credentials = builder.objectRef<object>('Credentials').implement({
  description:
    'What each API says of its credential in the headers of the request, for login forms. Each field that is selected asks its ' +
    'API anew, by one small read: no answer is kept. Null with an error when the API cannot be asked.',
  fields: (t) => {
    const state = (api: CheckedApi, description: string) =>
      t.field({
        type: CredentialState,
        semanticNonNull: true,
        description,
        resolve: async (_root, _args, context) => ofOperation(context, owner, CredentialChecks).state(api, context),
      });
    return {
      account: state(
        'account',
        'The API token, `Authorization`, at the account API. Calls `GET /toolkit/dashboards/widget.json`.',
      ),
      flex: state('flex', 'The API token, `Authorization`, at the flex API. Calls `GET /flex/dbs/:id.json`.'),
      crm: state(
        'crm',
        'The API token of the CRM, `X-CRM-Token`, or `Authorization` where the CRM takes it. Calls ' +
          '`GET /app/contact_lists/:id.json`.',
      ),
      forum: state('forum', 'Login and password of the forum, `X-Forum-Authorization`. Calls `GET /app/users/me.xml`.'),
    };
  },
});

builder.queryField('credentials', (t) =>
  t.field({
    type: Credentials,
    nullable: false,
    description:
      'Which credentials of the request the APIs accept. Calls, for the selected fields alone: ' +
      '`GET /toolkit/dashboards/widget.json`, `GET /flex/dbs/:id.json`, `GET /app/contact_lists/:id.json`, ' +
      '`GET /app/users/me.xml`.',
    resolve: () => ({}),
  }),
);

import { builder } from '../builder.ts';
import type { AccountSource } from './source.ts';
import { ForbiddenError, ValidationError } from '../http/errors.ts';

interface Change {
  readonly key: string;
  readonly actionType: string;
  readonly value: string;
}

const AccountFieldChange = builder.objectRef<Change>('AccountFieldChange').implement({
  description: 'A change of an account field that upstream accepted, as it was asked for.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: false, description: 'The field.' }),
    actionType: t.exposeString('actionType', { nullable: false, description: 'What was done.' }),
    value: t.exposeString('value', { nullable: false, description: 'With which value.' }),
  }),
});

const SetAccountFieldInput = builder.inputType('SetAccountFieldInput', {
  description:
    'A change of an account field. Upstream documents one: key `account.settings.modules`, action `add`, value `toolkit`.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The field, such as `account.settings.modules`.' }),
    actionType: t.string({ required: true, description: 'What to do, such as `add`.' }),
    value: t.string({ required: true, description: 'With which value.' }),
  }),
});

async function setField(account: AccountSource, change: Change): Promise<Change> {
  await account.setField(change.key, change.actionType, change.value);
  return change;
}

builder.mutationFields((t) => ({
  setAccountField: t.field({
    type: AccountFieldChange,
    description: 'Changes a field of the whole account. Calls `POST /account/set_field.json`.',
    errors: { types: [ValidationError, ForbiddenError] },
    args: { input: t.arg({ type: SetAccountFieldInput, required: true, description: 'The change.' }) },
    resolve: (_root, { input }, { account }) => setField(account, input),
  }),
  enableDashboards: t.field({
    type: AccountFieldChange,
    description:
      'Enables the module `toolkit`: from then on dashboards take the place of the plain icons on the start pages ' +
      'of the whole account. Calls `POST /account/set_field.json`.',
    errors: { types: [ValidationError, ForbiddenError] },
    resolve: (_root, _args, { account }) =>
      setField(account, { key: 'account.settings.modules', actionType: 'add', value: 'toolkit' }),
  }),
}));

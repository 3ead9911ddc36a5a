import { builder } from '../../graph/builder.ts';
import type { AccountSource } from './source.ts';

interface FieldChange {
  readonly key: string;
  readonly actionType: string;
  readonly value: string;
}

const AccountFieldChange = builder.objectRef<FieldChange>('AccountFieldChange').implement({
  description: 'A change of an account field that upstream accepted, as the caller sent it.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: false, description: 'Name of the field.' }),
    actionType: t.exposeString('actionType', { nullable: false, description: 'The action.' }),
    value: t.exposeString('value', { nullable: false, description: 'The value.' }),
  }),
});

const SetAccountFieldInput = builder.inputType('SetAccountFieldInput', {
  description:
    'A change of an account field. Upstream documents one: key `account.settings.modules`, action `add`, value `toolkit`.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Name of the field, such as `account.settings.modules`.' }),
    actionType: t.string({ required: true, description: 'The action, such as `add`.' }),
    value: t.string({ required: true, description: 'The value, such as `toolkit`.' }),
  }),
});

/** Sends the change and returns it: upstream answers no record. */
async function setField(account: AccountSource, change: FieldChange): Promise<FieldChange> {
  await account.setField(change.key, change.actionType, change.value);
  return change;
}

builder.mutationFields((t) => ({
  setAccountField: t.field({
    type: AccountFieldChange,
    description: 'Changes a field of the whole account. Calls `POST /account/set_field.json`.',
    errors: {},
    args: { input: t.arg({ type: SetAccountFieldInput, required: true, description: 'The change.' }) },
    resolve: (_root, { input }, { account }) => setField(account, input),
  }),
  enableDashboards: t.field({
    type: AccountFieldChange,
    description:
      'Enables the module `toolkit` for the whole account. Dashboards then replace the plain icons on its start ' +
      'pages. Calls `POST /account/set_field.json`.',
    errors: {},
    resolve: (_root, _args, { account }) =>
      setField(account, { key: 'account.settings.modules', actionType: 'add', value: 'toolkit' }),
  }),
}));

import { nodeRef } from '../graphql/node-ref.ts';
import { builder } from '../builder.ts';
import { idArgument } from '../graphql/arguments.ts';
import { DeletedNode } from '../graphql/deleted-node.ts';
import { wireEnum, wireValues } from '../graphql/enums.ts';
import { globalId, upstreamId } from '../graphql/ids.ts';
import { lazyFieldResolver } from '../lists/lazy-fields.ts';
import { ForbiddenError, missingAsNull, NotFoundError, ValidationError } from '../http/errors.ts';
import { boolean, oneOf, text } from '../http/formats/leaves.ts';
import { DashboardTileInput, layoutFields } from './layouts.ts';
import { DashboardTile } from './tiles.ts';
import { type DashboardRecord, layoutTiles } from './wire.ts';

const contexts = {
  main: 'The home page.',
  crm: 'The start page of the CRM.',
  cms: 'The start page of the CMS.',
  organize: 'The start page of the Organization module.',
  mail: 'The start page of the Mail module.',
  kb: 'The start page of the knowledge base.',
  marketing: 'The start page of the Marketing module.',
  account: 'The start page of the account.',
};
export const DashboardContext = wireEnum('DashboardContext', 'The place where a dashboard is shown.', contexts);

export const Dashboard = nodeRef<DashboardRecord>('Dashboard', (ids, { account }) => account.dashboardsById(ids));

const lazy = lazyFieldResolver<DashboardRecord>({
  batched: ({ id }, context) => Dashboard.getDataloader(context).load(id),
  byId: ({ id }, { account }) => account.dashboard(id).catch(missingAsNull),
});

builder.objectType(Dashboard, {
  name: 'Dashboard',
  description: "A named layout of tiles for one place: a user's own, or one of the company that everybody sees.",
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the account API.' }),
    name: t.string({ description: 'Name in the list of choices.', resolve: lazy('name', text) }),
    context: t.field({
      type: DashboardContext,
      description: 'Where it is shown.',
      resolve: lazy('context', oneOf(wireValues(contexts))),
    }),
    layout: t.field({
      type: [DashboardTile],
      description: 'Its tiles in order.',
      resolve: lazy('layout', layoutTiles),
    }),
    shared: t.boolean({ description: 'Whether it is a company dashboard.', resolve: lazy('shared', boolean) }),
    isDefault: t.boolean({
      description: 'Company dashboards: whether everybody sees it who has selected nothing in its context.',
      resolve: lazy('is_default', boolean),
    }),
    editable: t.boolean({ description: 'Whether the caller may change it.', resolve: lazy('editable', boolean) }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: lazy('updated_at', (at) => at),
    }),
  }),
});

builder.queryFields((t) => ({
  dashboards: t.field({
    type: [Dashboard],
    description:
      "The dashboards that the caller sees: the company's and their own. Calls `GET /toolkit/dashboards.json`.",
    args: { context: t.arg({ type: DashboardContext, description: 'Only those of this place.' }) },
    resolve: (_root, { context }, { account }) => account.dashboards(context ?? undefined),
  }),
  dashboard: t.field({
    type: Dashboard,
    description: 'One dashboard, or null when the caller can see none. Calls `GET /toolkit/dashboards/:id.json`.',
    args: { id: idArgument(t.arg) },
    resolve: (_root, { id }) => upstreamId(id, 'Dashboard'),
  }),
}));

const CreateDashboardInput = builder.inputType('CreateDashboardInput', {
  description: 'A new dashboard. It becomes the selected one of its context for its creator.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name in the list of choices, 100 characters at most.' }),
    context: t.field({
      type: DashboardContext,
      description:
        'Where it is shown: MAIN unless said otherwise. Upstream documents MAIN, CRM and CMS, and may refuse others.',
    }),
    layout: t.field({
      type: [DashboardTileInput],
      description: 'Its tiles in order, 60 at most; the standard layout of the context when left out.',
    }),
    shared: t.boolean({ description: 'Whether it is a company dashboard: needs the account-settings permission.' }),
    isDefault: t.boolean({
      description: 'Company dashboards: whether it is the default of its context, in place of the one before.',
    }),
  }),
});

const UpdateDashboardInput = builder.inputType('UpdateDashboardInput', {
  description:
    'Changes of a dashboard: a field that is left out stays. Its context and whether it is shared cannot be changed.',
  fields: (t) => ({
    name: t.string({ description: 'Name in the list of choices, 100 characters at most.' }),
    layout: t.field({
      type: [DashboardTileInput],
      description: 'Its tiles in order, 60 at most. Send the `entryId` of those that stay.',
    }),
    isDefault: t.boolean({
      description: 'Company dashboards: whether it is the default of its context, in place of the one before.',
    }),
  }),
});

/** None of them can be cleared: upstream would put something else in its place, for a layout the standard one. */
function refuseNulls(input: Readonly<Record<string, unknown>>): void {
  const nulls = Object.keys(input).filter((name) => input[name] === null);
  const [first] = nulls;
  if (first === undefined) return;
  const reason = 'cannot be null: leave it out, and it stays';
  throw new ValidationError(`${first} ${reason}.`, Object.fromEntries(nulls.map((name) => [name, [reason]])));
}

const MAX_NAME = 100;

function checkedName(name: string | null | undefined) {
  if (name && [...name].length > MAX_NAME) {
    const limit = `takes ${MAX_NAME} characters at most`;
    throw new ValidationError(`The name of a dashboard ${limit}.`, { name: [limit] });
  }
  return name;
}

builder.mutationFields((t) => ({
  createDashboard: t.field({
    type: Dashboard,
    description:
      'Creates a dashboard, which becomes the selected one of its context. Calls `POST /toolkit/dashboards.json`.',
    errors: { types: [ValidationError, ForbiddenError] },
    args: { input: t.arg({ type: CreateDashboardInput, required: true, description: 'The dashboard.' }) },
    resolve: (_root, { input: { name, context, layout, shared, isDefault } }, { account }) => {
      if (isDefault && !shared) {
        const reason = 'is only for a company dashboard: set shared too';
        throw new ValidationError(`isDefault ${reason}.`, { isDefault: [reason] });
      }
      const fields = { context, shared, is_default: isDefault };
      return account.createDashboard({ name: checkedName(name), ...fields, layout: layoutFields(layout) });
    },
  }),
  updateDashboard: t.field({
    type: Dashboard,
    description:
      'Changes a dashboard. Calls `PATCH /toolkit/dashboards/:id.json`. Where that answers no record, it is read by id.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: UpdateDashboardInput, required: true, description: 'The changes.' }),
    },
    resolve: async (_root, { id, input: { name, layout, isDefault } }, { account }) => {
      const dashboardId = upstreamId(id, 'Dashboard');
      refuseNulls({ name, layout, isDefault });
      const fields = { name: checkedName(name), layout: layoutFields(layout), is_default: isDefault };
      return (await account.updateDashboard(dashboardId, fields)) ?? dashboardId;
    },
  }),
  deleteDashboard: t.field({
    type: DeletedNode,
    description:
      'Deletes a dashboard; whoever had selected it sees the company default, else the built-in layout. ' +
      'Calls `DELETE /toolkit/dashboards/:id.json`.',
    errors: { types: [ForbiddenError, NotFoundError] },
    args: { id: idArgument(t.arg) },
    resolve: async (_root, { id }, { account }) => {
      const dashboardId = upstreamId(id, 'Dashboard');
      await account.deleteDashboard(dashboardId);
      return { deletedId: globalId('Dashboard', dashboardId) };
    },
  }),
}));

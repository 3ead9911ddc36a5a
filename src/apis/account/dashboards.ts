import { nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { describeText, enumOrText, wireEnum, wireValues } from '../../graph/enums.ts';
import { ifUnchanged, ifUpdatedAtArgument } from '../../graph/if-updated-at.ts';
import { globalId, idArgument, upstreamId } from '../../graph/ids.ts';
import { lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import { changesOf, GatewayError, invalidInput, inWords, missingAsNull, ValidationError } from '../../errors.ts';
import { boolean, oneOf, text } from '../../formats/leaves.ts';
import type { Rows } from '../../formats/rows.ts';
import { changedLayoutFields, DashboardTileInput, layoutFields } from './layouts.ts';
import { DashboardTile } from './tiles.ts';
import { type DashboardRecord, parseLayout, shownDashboardId } from './wire.ts';

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
export const DashboardContext = wireEnum('DashboardContext', 'The page that shows a dashboard.', contexts);

export const Dashboard = nodeRef<DashboardRecord>(
  'Dashboard',
  (ids, { account }) => account.dashboardsById(ids),
  shownDashboardId,
);

const lazy = lazyFieldResolver<DashboardRecord>({
  batched: ({ id }, context) => Dashboard.getDataloader(context).load(id),
  byId: ({ id }, { account }) => account.dashboard(id).catch(missingAsNull),
});

/** Decodes a page. */
export const contextOf = oneOf(wireValues(contexts));

/** Resolves the page of a dashboard. */
export const dashboardContext = lazy('context', contextOf);
const contextText = lazy('context', text);
const isShared = lazy('shared', boolean);

builder.objectType(Dashboard, {
  name: 'Dashboard',
  description:
    'A named layout of tiles for one page. A company dashboard is visible to all users; every other one belongs to one user.',
  fields: (t) => ({
    upstreamId: t.id({ nullable: false, description: 'Id in the account API.', resolve: shownDashboardId }),
    name: t.string({ description: 'Name in the list of dashboards.', resolve: lazy('name', text) }),
    context: t.field({
      type: DashboardContext,
      description: 'The page that shows the dashboard.',
      resolve: dashboardContext,
    }),
    contextText: t.string({
      description: 'Upstream name of the page, such as `main`. Also for a page that the gateway does not know.',
      resolve: contextText,
    }),
    layout: t.field({
      type: [DashboardTile],
      description:
        'The tiles in display order. A tile that cannot be read is left out, and there is an error: do not write such a ' +
        'layout back, because that would remove the tile.',
      resolve: lazy('layout', parseLayout),
    }),
    shared: t.boolean({
      description: 'Whether the dashboard is a company dashboard.',
      resolve: isShared,
    }),
    isDefault: t.boolean({
      description: 'Whether the dashboard is the company default: users without a selection in its context see it.',
      resolve: lazy('is_default', boolean),
    }),
    editable: t.boolean({
      description: 'Whether the caller may change the dashboard.',
      resolve: lazy('editable', boolean),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time of the last change.',
      resolve: lazy('updated_at', (at) => at),
    }),
    companyDashboards: t.field({
      type: [Dashboard],
      description:
        'The company dashboards of the same page. After a change of `isDefault`, they tell a client cache which ' +
        'dashboard is no longer the default. Calls `GET /toolkit/dashboards.json`.',
      resolve: async (dashboard, args, context, info) => {
        const page = await contextText(dashboard, args, context, info);
        if (page === null) return null;
        const shared = (listed: DashboardRecord) => isShared(listed, {}, context, info);
        const dashboards = await context.account.dashboards(page);
        dashboards.assertComplete();
        return companyDashboards(dashboards, shared);
      },
    }),
  }),
});

/**
 * The company dashboards of a list, with the problems of the list. A dashboard of which upstream does not tell whether it
 * is one is a problem, too.
 */
async function companyDashboards(
  dashboards: Rows<DashboardRecord>,
  sharedOf: (dashboard: DashboardRecord) => boolean | null | Promise<boolean | null>,
): Promise<Rows<DashboardRecord>> {
  const problems: GatewayError[] = [];
  const shared = Array.from(dashboards, async (dashboard) => {
    try {
      return (await sharedOf(dashboard)) ? [dashboard] : [];
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.push(error);
      return [];
    }
  });
  return dashboards.derive((await Promise.all(shared)).flat(), problems);
}

builder.queryFields((t) => ({
  dashboards: t.field({
    type: [Dashboard],
    semanticNonNull: true,
    description: 'The company dashboards and those of the caller. Calls `GET /toolkit/dashboards.json`.',
    args: {
      context: t.arg({ type: DashboardContext, description: 'Only dashboards of this page.' }),
      contextText: t.arg.string({ description: describeText('context') }),
    },
    resolve: (_root, { context, contextText: given }, { account }) =>
      account.dashboards(enumOrText('context', context, given) ?? undefined),
  }),
}));

nodeQuery(
  'dashboard',
  Dashboard,
  'One dashboard. Null when it does not exist or the caller cannot see it. Calls `GET /toolkit/dashboards/:id.json`.',
);

const CreateDashboardInput = builder.inputType('CreateDashboardInput', {
  description: 'A new dashboard. It becomes the selected dashboard of the caller in its context.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name in the list of dashboards, 100 characters at most.' }),
    context: t.field({
      type: DashboardContext,
      description:
        'The page that shows the dashboard. Default: MAIN. Upstream documents MAIN, CRM and CMS, and may refuse others.',
    }),
    contextText: t.string({ description: describeText('context') }),
    layout: t.field({
      type: [DashboardTileInput],
      description: 'The tiles in display order, 60 at most. Default: the standard layout of the context.',
    }),
    shared: t.boolean({ description: 'Whether to create a company dashboard. Needs the account-settings permission.' }),
    isDefault: t.boolean({
      description:
        'Whether the dashboard becomes the company default of its context, in place of the previous one. Only for company dashboards.',
    }),
  }),
});

const UpdateDashboardInput = builder.inputType('UpdateDashboardInput', {
  description: 'Changes of a dashboard. A field that is left out stays as it is. `context` and `shared` cannot change.',
  fields: (t) => ({
    name: t.string({ description: 'Name in the list of dashboards, 100 characters at most.' }),
    layout: t.field({
      type: [DashboardTileInput],
      description:
        'The tiles in display order, 60 at most. Send the `entryId` of each tile that stays. A tile that is left out ' +
        'is removed: start from `Dashboard.layout`, for `DisplayedDashboard.layout` lacks tiles.',
    }),
    isDefault: t.boolean({
      description:
        'Whether the dashboard becomes the company default of its context, in place of the previous one. Only for company dashboards.',
    }),
  }),
});

export const DashboardDeletion = builder.objectRef<{ readonly deletedId: string }>('DashboardDeletion').implement({
  description: 'A deleted dashboard.',
  fields: (t) => ({
    deletedId: t.exposeID('deletedId', { nullable: false, description: 'The global id of the deleted dashboard.' }),
  }),
});

/**
 * Upstream clears no field: it replaces null by a default, such as the standard layout.
 *
 * @throws ValidationError for each field that is null
 */
function assertNoNulls(input: Readonly<Record<string, unknown>>): void {
  const nullFields = Object.keys(input).filter((name) => input[name] === null);
  const problems = Object.fromEntries(nullFields.map((name) => [name, ['cannot be null; leave it out to keep it']]));
  const summary = inWords(problems, (name, [reason]) => `\`${name}\` ${reason}`);
  if (summary !== '') throw new ValidationError(`${summary}.`, problems);
}

/** In characters, that is Unicode code points. */
const MAX_NAME_LENGTH = 100;

/** @throws ValidationError for a name that is too long */
function validName(name: string | null | undefined) {
  if (name && [...name].length > MAX_NAME_LENGTH)
    throw invalidInput('name', `takes ${MAX_NAME_LENGTH} characters at most`);
  return name;
}

builder.mutationFields((t) => ({
  createDashboard: t.field({
    type: Dashboard,
    description:
      'Creates a dashboard. It becomes the selected dashboard of the caller in its context. Calls `POST /toolkit/dashboards.json`.',
    errors: {},
    args: { input: t.arg({ type: CreateDashboardInput, required: true, description: 'The dashboard.' }) },
    resolve: (_root, { input: { name, layout, shared, isDefault, ...input } }, { account }) => {
      const context = enumOrText('context', input.context, input.contextText);
      if (isDefault && !shared) throw invalidInput('isDefault', 'is only for a company dashboard: set `shared` too');
      const fields = { context, shared, is_default: isDefault };
      return account.createDashboard({ name: validName(name), ...fields, layout: layoutFields(layout) });
    },
  }),
  updateDashboard: t.field({
    type: Dashboard,
    description:
      'Changes a dashboard. Calls `PATCH /toolkit/dashboards/:id.json`. When the response holds no record, the gateway ' +
      'reads the dashboard by id. It also does so before it refuses a layout: what upstream stored can be sent back.',
    errors: {},
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: UpdateDashboardInput, required: true, description: 'The changes.' }),
      ifUpdatedAt: ifUpdatedAtArgument(t.arg),
    },
    resolve: async (_root, { id, input: { name, layout, isDefault }, ifUpdatedAt }, { account }) => {
      const dashboardId = upstreamId(id, 'Dashboard');
      assertNoNulls({ name, layout, isDefault });
      const readStored = async () => parseLayout((await account.dashboard(dashboardId)).layout);
      const fields = {
        name: validName(name),
        layout: await changedLayoutFields(layout, readStored),
        is_default: isDefault,
      };
      return account.updateDashboard(dashboardId, changesOf(fields), ifUnchanged(ifUpdatedAt, Dashboard));
    },
  }),
  deleteDashboard: t.field({
    type: DashboardDeletion,
    description:
      'Deletes a dashboard. Users who had selected it then see the company default, or the built-in layout. ' +
      'Calls `DELETE /toolkit/dashboards/:id.json`.',
    errors: {},
    args: { id: idArgument(t.arg) },
    resolve: async (_root, { id }, { account }) => {
      const dashboardId = upstreamId(id, 'Dashboard');
      await account.deleteDashboard(dashboardId);
      return { deletedId: globalId('Dashboard', dashboardId) };
    },
  }),
}));

import { type ArgBuilder, builder } from '../../graph/builder.ts';
import { describeText, enumOrText } from '../../graph/enums.ts';
import { globalId, upstreamId } from '../../graph/ids.ts';
import { records } from '../../formats/decode.ts';
import { invalidInput, mapFieldPaths } from '../../errors.ts';
import { contextOf, Dashboard, DashboardContext, dashboardContext, DashboardDeletion } from './dashboards.ts';
import { DashboardTile } from './tiles.ts';
import { dashboardSegment, parseLayout, shownDashboardId } from './wire.ts';

const shownPage = (arg: ArgBuilder) => ({
  context: arg({ type: DashboardContext, defaultValue: 'main', description: 'The page.' }),
  contextText: arg.string({ description: describeText('context') }),
});

type ShownPage = { readonly [Name in 'context' | 'contextText']?: string | null | undefined };

/** The default of `context` is no choice beside `contextText`. */
function shownContext({ context, contextText }: ShownPage): { readonly context: string } {
  const chosen = typeof contextText === 'string' && context === 'main' ? undefined : context;
  return { context: enumOrText('context', chosen, contextText) ?? 'main' };
}

const DisplayedDashboard = builder.objectRef<{ readonly context: string }>('DisplayedDashboard').implement({
  description:
    'The dashboard that the caller sees on one page: the selected dashboard, else the company default, else the ' +
    'built-in layout.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Id for the cache of a client, such as `DisplayedDashboard:main`. `node` does not take it.',
      resolve: ({ context }) => globalId('DisplayedDashboard', context),
    }),
    context: t.field({
      type: DashboardContext,
      nullable: false,
      description: 'The page. An error for one that the gateway does not know: see `contextText`.',
      resolve: ({ context }) => contextOf(context) ?? 'main',
    }),
    contextText: t.exposeString('context', {
      nullable: false,
      description: 'Upstream name of the page, such as `main`.',
    }),
    current: t.field({
      type: Dashboard,
      description: 'The displayed dashboard. Null for the built-in layout.',
      resolve: async ({ context }, _args, { account }) => {
        const { currentId, dashboards } = await account.displayedDashboard(context);
        if (currentId === null) return null;
        const choices = Array.isArray(dashboards) ? await records(dashboards, 'dashboard') : undefined;
        const current = choices?.find(({ id }) => id === currentId);
        return current ?? shownDashboardId({ id: currentId }); // an id suffices: the loader of Dashboard reads the record
      },
    }),
    layout: t.field({
      type: [DashboardTile],
      description:
        'The displayed tiles. Tiles that are not available to the caller are left out. Do not write this layout back: ' +
        'that would remove those tiles. `current { layout }` has all of them.',
      resolve: async ({ context }, _args, { account }) =>
        parseLayout((await account.displayedDashboard(context)).layout),
    }),
    choices: t.field({
      type: [Dashboard],
      semanticNonNull: true,
      description: 'The dashboards that the caller can select for this page.',
      resolve: async ({ context }, _args, { account }) =>
        records((await account.displayedDashboard(context)).dashboards ?? [], 'dashboard'),
    }),
  }),
});

builder.objectField(Dashboard, 'displayedDashboard', (t) =>
  t.field({
    type: DisplayedDashboard,
    description:
      'The dashboard that the caller sees on the same page, which may be another one. Calls ' +
      '`GET /toolkit/dashboards/widgets.json`.',
    resolve: async (dashboard, args, operation, info) => {
      const context = await dashboardContext(dashboard, args, operation, info);
      return context === null ? null : { context };
    },
  }),
);

builder.objectField(DashboardDeletion, 'displayedDashboard', (t) =>
  t.field({
    type: DisplayedDashboard,
    nullable: false,
    description:
      'The dashboard that the caller sees on a page after the deletion. Calls `GET /toolkit/dashboards/widgets.json`.',
    args: shownPage(t.arg),
    resolve: (_deletion, page) => shownContext(page),
  }),
);

builder.queryField('displayedDashboard', (t) =>
  t.field({
    type: DisplayedDashboard,
    semanticNonNull: true,
    description: 'The dashboard that the caller sees on a page. Calls `GET /toolkit/dashboards/widgets.json`.',
    args: shownPage(t.arg),
    resolve: (_root, page) => shownContext(page),
  }),
);

const BuiltinSelection = builder.enumType('BuiltinSelection', {
  description: 'A selection without a dashboard id.',
  values: {
    BUILTIN: { description: 'The built-in layout of the page.' },
    COMPANY_DEFAULT: { description: 'The company default. Without one, the built-in layout.' },
  },
});

const DashboardSelection = builder.inputType('DashboardSelection', {
  description: 'The dashboard to display: set exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    dashboard: t.id({ description: 'Global id or upstream id of a dashboard.' }),
    layout: t.field({ type: BuiltinSelection, description: 'The built-in layout, or the company default.' }),
  }),
});

/** The input path of the dashboard id. */
const DASHBOARD_PATH = 'selection.dashboard';

/**
 * The `dashboard_id` of `PATCH /toolkit/dashboards/select.json`, "an integer id, `builtin`, or empty string". An id that
 * is no integer, or none that JavaScript holds exactly, is sent as the text that it is.
 *
 * @throws ValidationError for an invalid id
 */
function selectedDashboardId({ dashboard, layout }: typeof DashboardSelection.$inferInput): number | string {
  if (typeof dashboard !== 'string') return layout === 'BUILTIN' ? 'builtin' : '';
  const id = dashboardSegment(upstreamId(dashboard, 'Dashboard', DASHBOARD_PATH), DASHBOARD_PATH);
  return String(Number(id)) === id && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

builder.mutationField('selectDashboard', (t) =>
  t.field({
    type: DisplayedDashboard,
    description: 'Selects the dashboard that the caller sees on a page. Calls `PATCH /toolkit/dashboards/select.json`.',
    errors: {},
    args: {
      context: t.arg({ type: DashboardContext, description: 'The page: required, unless `contextText` is given.' }),
      contextText: t.arg.string({ description: describeText('context') }),
      selection: t.arg({ type: DashboardSelection, required: true, description: 'The dashboard to display.' }),
    },
    resolve: async (_root, { selection, ...page }, { account }) => {
      const context = enumOrText('context', page.context, page.contextText);
      if (typeof context !== 'string') throw invalidInput('context', 'is required, or `contextText`');
      await account
        .selectDashboard(context, selectedDashboardId(selection))
        .catch(mapFieldPaths((field) => (field === 'dashboard_id' ? DASHBOARD_PATH : field)));
      return { context };
    },
  }),
);

import { builder } from '../builder.ts';
import { upstreamId } from '../graphql/ids.ts';
import { isObject, record, records } from '../http/formats/decode.ts';
import { mapFieldPaths, ForbiddenError, NotFoundError, ValidationError } from '../http/errors.ts';
import { Dashboard, DashboardContext } from './dashboards.ts';
import { DashboardTile } from './tiles.ts';
import { layoutTiles, wholeNumberId } from './wire.ts';

type Place = typeof DashboardContext.$inferType;

const DisplayedDashboard = builder.objectRef<{ readonly context: Place }>('DisplayedDashboard').implement({
  description:
    'What the caller sees at one place: the dashboard that they selected, else the company default, else the built-in layout.',
  fields: (t) => ({
    context: t.expose('context', { type: DashboardContext, nullable: false, description: 'The place.' }),
    current: t.field({
      type: Dashboard,
      description: 'The dashboard that is shown; null for the built-in layout.',
      resolve: async ({ context }, _args, { account }) => {
        const { currentId, dashboards } = await account.displayedDashboard(context);
        if (currentId === null) return null;
        const choices = Array.isArray(dashboards) ? dashboards.filter(isObject) : [];
        const chosen = choices.find(({ id }) => String(id) === currentId);
        return chosen ? record(chosen) : currentId; // an id suffices: a dashboard loads itself
      },
    }),
    layout: t.field({
      type: [DashboardTile],
      description: 'Its tiles, without those that are not available to the caller.',
      resolve: async ({ context }, _args, { account }) =>
        layoutTiles((await account.displayedDashboard(context)).layout),
    }),
    choices: t.field({
      type: [Dashboard],
      description: 'The dashboards that can be selected here.',
      resolve: async ({ context }, _args, { account }) =>
        records((await account.displayedDashboard(context)).dashboards ?? []),
    }),
  }),
});

builder.queryField('displayedDashboard', (t) =>
  t.field({
    type: DisplayedDashboard,
    description: 'What the caller sees at a place. Calls `GET /toolkit/dashboards/widgets.json`.',
    args: {
      context: t.arg({ type: DashboardContext, required: true, defaultValue: 'main', description: 'The place.' }),
    },
    resolve: (_root, { context }) => ({ context }),
  }),
);

const BuiltinSelection = builder.enumType('BuiltinSelection', {
  description: 'A selection that names no dashboard.',
  values: {
    BUILTIN: { description: 'The built-in layout of the place.' },
    COMPANY_DEFAULT: { description: 'Whatever the company default is; without one, the built-in layout.' },
  },
});

const DashboardSelection = builder.inputType('DashboardSelection', {
  description: 'What to show: one of these.',
  isOneOf: true,
  fields: (t) => ({
    dashboard: t.id({ description: 'A dashboard: global id or upstream id.' }),
    layout: t.field({ type: BuiltinSelection, description: 'The built-in layout, or the company default.' }),
  }),
});

/** Where the input names the dashboard. */
const SELECTED = 'selection.dashboard';

function dashboardIdOf({ dashboard, layout }: typeof DashboardSelection.$inferInput): number | 'builtin' | '' {
  if (typeof dashboard === 'string')
    return Number(wholeNumberId(upstreamId(dashboard, 'Dashboard', SELECTED), SELECTED));
  return layout === 'BUILTIN' ? 'builtin' : '';
}

builder.mutationField('selectDashboard', (t) =>
  t.field({
    type: DisplayedDashboard,
    description: 'Selects what the caller sees at a place. Calls `PATCH /toolkit/dashboards/select.json`.',
    errors: { types: [ValidationError, ForbiddenError, NotFoundError] },
    args: {
      context: t.arg({ type: DashboardContext, required: true, description: 'The place.' }),
      selection: t.arg({ type: DashboardSelection, required: true, description: 'What to show there.' }),
    },
    resolve: async (_root, { context, selection }, { account }) => {
      await account
        .selectDashboard(context, dashboardIdOf(selection))
        .catch(mapFieldPaths((field) => (field === 'dashboard_id' ? SELECTED : field)));
      return { context };
    },
  }),
);

import { type ArgBuilder, builder } from '../builder.ts';
import { listConnectionOf, type PageArguments, pageArguments } from '../graphql/connections.ts';
import { Client } from './clients.ts';
import { Deal } from './deals.ts';
import { naming } from './joins.ts';
import { amongIds, between, type Conditions, containing, DecimalRange, listing, orderInput } from '../graphql/lists.ts';
import type { DealRecord } from './wire.ts';

const DealConnection = listConnectionOf('Deal', Deal, 'Deals.');

const DealFilter = builder.inputType('DealFilter', {
  description:
    'Conditions that all have to hold; one that is left out, null or empty is none. They are looked at in the gateway, for upstream takes none.',
  fields: (t) => ({
    text: t.string({ description: 'Stands in the name or the description, in whatever case.' }),
    clientIds: t.idList({ description: 'Is with one of these clients: global ids or upstream ids.' }),
    price: t.field({ type: DecimalRange, description: 'The expected value is in this range.' }),
  }),
});

const orderings = {
  id: { kind: 'id', about: 'The id: numbers by their size.' },
  name: { kind: 'text', about: 'The name.' },
  price: { kind: 'decimal', about: 'The expected value.' },
} as const;
const DealOrder = orderInput('DealOrder', orderings);

/** Where `text` looks. */
export const dealTexts = ['name', 'description'] as const;

const dealArguments = (arg: ArgBuilder) => ({
  ...pageArguments(arg),
  filter: arg({ type: DealFilter, description: 'Which of them; all unless given.' }),
  orderBy: arg({ type: DealOrder, description: 'In which order; that of upstream unless given.' }),
});

interface DealArguments extends PageArguments {
  readonly filter?: typeof DealFilter.$inferInput | null | undefined;
  readonly orderBy?: typeof DealOrder.$inferInput | null | undefined;
}

function listed({ filter, orderBy, ...page }: DealArguments, maxSize: number) {
  const conditions: Conditions<DealRecord> = [
    containing(filter?.text, dealTexts),
    amongIds(filter?.clientIds, 'client_id', 'clientIds', 'Client'),
    between(filter?.price, 'price'),
  ];
  return listing({ conditions, orderings, orderBy, page, maxSize });
}

const dealsOfClient = naming<DealRecord>('client_id');

builder.queryField('deals', (t) =>
  t.field({
    type: DealConnection,
    description:
      'Deals. Calls `GET /app/deals.json`, which answers all of them at once: filter, order and page are made in the ' +
      'gateway.',
    args: dealArguments(t.arg),
    resolve: async (_root, args, { crm, limits }) => {
      const pageOf = listed(args, limits.pageSize);
      return pageOf(await crm.deals());
    },
  }),
);

builder.objectField(Client, 'deals', (t) =>
  t.field({
    type: DealConnection,
    description: 'Its deals. Calls `GET /app/deals.json`, once for all clients of an operation.',
    args: dealArguments(t.arg),
    resolve: async ({ id }, args, { crm, limits }) => {
      const pageOf = listed(args, limits.pageSize);
      return pageOf(dealsOfClient(await crm.deals(), id));
    },
  }),
);

import { type Service, startSubgraph, type Subgraph } from './subgraph.ts';

export interface Invoice {
  readonly id: string;
  readonly amount: number;
  readonly dueOn: string;
  /** The CRM's own id of the client: billing knows nothing of global ids. */
  readonly client: string;
}

/** Two invoices for each of the first fifty clients of the sandbox. */
export const demoInvoices: readonly Invoice[] = Array.from({ length: 100 }, (_, index) => ({
  id: `I-${1000 + index}`,
  amount: 4_900 + ((index * 7_919) % 250_000),
  dueOn: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  client: String(1 + (index % 50)),
}));

interface Client {
  readonly upstreamId: string;
}

export interface Billing extends Subgraph, Service {
  /** The ids of the invoices that `payInvoice` was called with, one each call. */
  readonly payments: readonly string[];
}

/** Extends trivium's `Client` by what it owes. */
export async function startBilling(invoices: readonly Invoice[] = demoInvoices): Promise<Billing> {
  const payments: string[] = [];
  const invoicesOf = ({ upstreamId }: Client) => invoices.filter(({ client }) => client === upstreamId);
  const subgraph = await startSubgraph('billing', {
    Query: {
      invoices: (_root: unknown, { first }: { first: number }) => invoices.slice(0, first),
    },
    Mutation: {
      payInvoice: (_root: unknown, { id }: { id: string }) => {
        payments.push(id);
        return invoices.find((invoice) => invoice.id === id);
      },
    },
    Invoice: {
      __resolveReference: ({ id }: Invoice) => invoices.find((invoice) => invoice.id === id),
      client: ({ client }: Invoice): Client => ({ upstreamId: client }),
      paid: ({ id, amount }: Invoice) => amount * payments.filter((paid) => paid === id).length,
    },
    Client: {
      invoices: invoicesOf,
      balance: (client: Client) => invoicesOf(client).reduce((sum, { amount }) => sum + amount, 0),
    },
  });
  return { ...subgraph, payments };
}

export const WORKLOADS = ['W0', 'W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7'] as const;

export type WorkloadName = (typeof WORKLOADS)[number];

/** A workload in the names of one target. */
export interface Workload {
  /** The document; its operation has the name of the workload. */
  readonly query: string;
  /** @throws Error when the data is not the whole and right answer */
  readonly check: (data: unknown) => void;
}

export type Workloads = Readonly<Record<WorkloadName, Workload>>;

interface Load {
  readonly title: string;
  /** How many callers send at once. */
  readonly connections: number;
  /** The variables of request `index`: callers do not all ask for the same. */
  readonly variables?: (index: number) => Readonly<Record<string, unknown>>;
}

export const LOADS: Readonly<Record<WorkloadName, Load>> = {
  W0: { title: 'no upstream call', connections: 32 },
  W1: { title: 'one client', connections: 32, variables: (index) => ({ id: String(7 + index * 29) }) },
  W2: { title: '100 posts, each with its client', connections: 8 },
  W3: { title: '2,000 clients with 20 fields', connections: 4 },
  W4: { title: '50 deals, clients, contacts', connections: 8 },
  W5: { title: '100 forum posts of XML', connections: 16 },
  W6: {
    title: 'a mutation',
    connections: 32,
    variables: (index) => ({ input: { name: 'Created', email: `bench${index}@example.test`, note: 'bench' } }),
  },
  W7: { title: 'every API at once', connections: 8 },
};

/** The variables of W1 stay below this many clients. */
const VARIANTS = 64;

/** The bodies that the load generator sends in turn. The first one is the one that is checked. */
export function requestBodies(name: WorkloadName, { query }: Workload): Buffer[] {
  const { variables } = LOADS[name];
  return Array.from({ length: variables ? VARIANTS : 1 }, (_, index) =>
    Buffer.from(JSON.stringify({ query, operationName: name, variables: variables?.(index) })),
  );
}

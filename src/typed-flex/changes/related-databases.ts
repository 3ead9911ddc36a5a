import type { TypedModel } from '../model/model.ts';

/**
 * Finds the databases whose types may change with those of one: it, those that it refers to or that refer to it, and so
 * on, in any of the models.
 *
 * @returns upstream ids
 */
export function relatedDatabases(models: readonly TypedModel[], id: string): ReadonlySet<string> {
  const databases = models.flatMap((model) => model.databases);
  const owners = new Map(
    databases.flatMap((database) => database.tables.map((table) => [table.typeName, database.id])),
  );
  const references = databases.flatMap((database) =>
    database.tables
      .flatMap(({ fields }) => fields)
      .map(({ references }) => [database.id, owners.get(references?.typeName ?? '') ?? database.id] as const),
  );
  const neighbours = new Map<string, Set<string>>();
  for (const [from, to] of [...references, ...references.map(([from, to]) => [to, from] as const)]) {
    const known = neighbours.get(from) ?? new Set();
    neighbours.set(from, known.add(to));
  }
  const related = new Set([id]);
  for (const one of related) for (const other of neighbours.get(one) ?? []) related.add(other); // the set grows while it is read
  return related;
}

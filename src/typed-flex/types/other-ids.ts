import { OtherIds } from '../../graphql/node-ref.ts';
import type { TypedModel } from '../model/model.ts';

/**
 * The other global ids of records of flexible databases. The table of a record is known by an id of its type alone: for any other id
 * they are those of all tables. Not documented (A260): that an id is unique in its database, so that no other record has one of them.
 */
export function otherIds({ databases }: TypedModel): OtherIds {
  const starts = new OtherIds();
  for (const { id, tables, untabledTypeName, publicMethods: methods } of databases) {
    const typed = tables.map(({ typeName }) => `${typeName}:`);
    if (untabledTypeName !== undefined) typed.push(`${untabledTypeName}:`);
    const untyped = [`FlexRecord:${id}:`];
    if (methods) untyped.push(`PublicFlexRecord:${methods.code}:`, `${methods.rowTypeName}:`);
    const others = (start: string) => [...untyped, ...typed].filter((other) => other !== start);
    for (const start of typed) starts.set(start, untyped);
    for (const start of untyped) starts.set(start, others(start));
  }
  return starts;
}

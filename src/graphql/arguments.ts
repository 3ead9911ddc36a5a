import type { ArgBuilder } from '../builder.ts';

/** Describes an argument that names one record. */
export const idDescription = 'Global id or upstream id.';

/** The `id` argument of every field that names one record. */
export const idArgument = (arg: ArgBuilder) => arg.id({ required: true, description: idDescription });

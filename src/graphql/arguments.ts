import type { ArgBuilder } from '../builder.ts';

/** The `id` argument of every field that names one record. */
export const idArgument = (arg: ArgBuilder) => arg.id({ required: true, description: 'Global id or upstream id.' });

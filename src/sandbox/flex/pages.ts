import { z } from 'zod';

const digits = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);
const wholeNumber = z.union([z.int(), digits], 'must be a whole number');

/** The page of a public list. Not documented (A111): the default of its limit, which is that of a search. */
export const listPage = z.object({
  limit: wholeNumber
    .nullish()
    .transform((limit) => limit ?? 20)
    .pipe(z.int().min(1, 'must be at least 1')),
  offset: wholeNumber
    .nullish()
    .transform((offset) => offset ?? 0)
    .pipe(z.int().min(0, 'must not be negative')),
});

/** The page of a search. Not documented (A101): a limit outside of 1 to 100, and an offset below 0, are 422; null is like absent. */
export const searchPage = listPage.extend({
  limit: listPage.shape.limit.pipe(z.int().max(100, 'must be at most 100')),
});

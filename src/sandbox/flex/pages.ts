import { z } from 'zod';

const digits = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number);
const wholeNumber = z.union([z.int(), digits], 'must be a whole number');

/** Not documented (A101): a limit outside of 1 to 100, and an offset below 0, are 422; null is like absent. */
export const pageInput = z.object({
  limit: wholeNumber
    .nullish()
    .transform((limit) => limit ?? 20)
    .pipe(z.int().min(1, 'must be at least 1').max(100, 'must be at most 100')),
  offset: wholeNumber
    .nullish()
    .transform((offset) => offset ?? 0)
    .pipe(z.int().min(0, 'must not be negative')),
});

import { startSubgraph } from './subgraph.ts';

interface Review {
  readonly id: string;
  readonly stars: number;
  readonly text: string;
  /** The global id of a record, `FlexRecord:<database>:<record>`. */
  readonly record: string;
}

const texts = ['Solid, and well packed.', 'One leg was loose.', 'Came early, looks great.'];

interface FlexRecord {
  readonly id: string;
}

/** Extends trivium's `FlexRecord` by what people say of it: two reviews of each of these records. */
export function startReviews(records: readonly string[]) {
  const reviews = [...records, ...records].map((record, index): Review => ({
    id: `R-${index + 1}`,
    stars: 5 - (index % 3),
    text: texts[index % texts.length] ?? '',
    record,
  }));
  const reviewsOf = ({ id }: FlexRecord) => reviews.filter(({ record }) => record === id);
  return startSubgraph('reviews', {
    Query: {
      topReviews: (_root: unknown, { first }: { first: number }) =>
        reviews.toSorted((a, b) => b.stars - a.stars).slice(0, first),
    },
    Review: {
      __resolveReference: ({ id }: Review) => reviews.find((review) => review.id === id),
      record: ({ record }: Review): FlexRecord => ({ id: record }),
    },
    FlexRecord: {
      reviews: reviewsOf,
      averageRating: (record: FlexRecord) => {
        const stars = reviewsOf(record).map((review) => review.stars);
        return stars.length === 0 ? null : stars.reduce((sum, each) => sum + each, 0) / stars.length;
      },
    },
  });
}

import { schema } from '../../src/apis/schema.ts';
import { publicSchema } from '../../src/typed-flex/public/public-schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import { snapshotOf } from './snapshots.ts';

/** A database with one table and one with several. */
export const single = {
  fields: { message: { type: 'text', required: true }, author: 'string', sent_at: 'datetime', rank: 'integer' },
};
export const several = {
  tables: {
    visits: { fields: { place: { type: 'string', required: true }, at: 'datetime' } },
    guests: { fields: { name: 'string', at: 'date', place: 'string' } },
  },
};

/** The model of a database `book` with these public methods. */
export function bookModel(public_methods: object, definition: object = single) {
  return modelOf(snapshotOf([{ id: '7', code: 'book', schema: definition, public_methods }]), schema);
}

/** Its anonymous schema. */
export function bookSchema(public_methods: object, definition: object = single) {
  return publicSchema(schema, bookModel(public_methods, definition));
}

import type { JsonObject } from '../json-object.ts';
import {
  boolean,
  codeOrNumber,
  date,
  dateOrDatetime,
  datetime,
  decimal,
  each,
  email,
  externalIds,
  freeText,
  integer,
  nullFields,
  oneOf,
  writableFields,
} from './field-types.ts';

/** `string1` … `string10` */
const ten = (name: string) => Array.from({ length: 10 }, (_, index) => `${name}${index + 1}`);

/**
 * Not documented (A135): which fields may be written. All may that are no id of the record, stamp, count, token or part
 * of the avatar, so the ids of what it is linked to may.
 */
const recordFields = {
  ...each(['name', 'tax_no', 'post_code', 'city', 'street', 'street_no', 'country', 'province'], freeText),
  ...each(['first_name', 'last_name', 'phone', 'mobile_phone', 'www', 'fax'], freeText),
  email,
  kind: oneOf(['buyer', 'seller']),
  ...each(['bank', 'bank_account', 'shortcut', 'note', 'description', 'delivery_address'], freeText),
  ...each(['register_number', 'sensitive_data'], freeText),
  ...each(['discount', 'paid_total'], decimal),
  ...each(['payment_to_kind', 'position'], codeOrNumber),
  ...each(['use_delivery_address', 'company'], boolean),
  ...each(['bank_account_id', 'project_id', 'contact_id', 'status_id', 'category_id'], integer),
  ...each(['department_id', 'responsible_id'], integer),
  ...each([...ten('string'), ...ten('text')], freeText),
  ...each(ten('integer'), integer),
  ...each(ten('decimal'), decimal),
  ...each(ten('checkbox'), boolean),
  ...each(['paid_from', 'paid_to'], dateOrDatetime),
  ...each(ten('date'), date),
  ...each(ten('datetime'), datetime),
};

/** A request may hold a map of external ids, of which the record has one. */
export const clientFields = writableFields({
  ...recordFields,
  external_ids: externalIds,
  external_id: codeOrNumber,
});

/** The fields of a new client. No endpoint adds an avatar or an attachment. */
export const clientDefaults: JsonObject = {
  ...nullFields([
    ...Object.keys(recordFields),
    ...['avatar_file_name', 'avatar_content_type', 'avatar_file_size', 'avatar_updated_at'],
  ]),
  appendixes_count: 0,
};

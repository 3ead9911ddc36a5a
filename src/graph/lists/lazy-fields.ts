import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../operation/context.ts';
import { ofOperation } from '../operation-state.ts';
import { BadResponseError, GatewayError, UnreadResultError, ValidationError } from '../../errors.ts';
import type { JsonObject } from '../../formats/decode.ts';
import type { Rows } from '../../formats/rows.ts';
import { sentFields } from '../../calls/written-record.ts';
import { isSent } from './decodable.ts';
import { KeyProbe } from './key-probe.ts';

type Load<T> = (record: T, context: Context) => Promise<T | null>;

/** Sources of the keys that a record lacks. */
interface Sources<T> {
  /** Loads the record through a batch loader: several records may come from one list. */
  readonly batched?: Load<T>;
  /** The list that may contain the record; undefined when this operation has not read it. */
  readonly listed?: (context: Context) => Promise<Rows<T>> | undefined;
  readonly byId: Load<T>;
}

/** The probes of the keys that records of one type lack. */
class Probes<T extends object> {
  readonly #byKey = new Map<PropertyKey, KeyProbe<T>>();

  /** @param has whether a full record has the key */
  of(key: PropertyKey, has: (full: T) => boolean): KeyProbe<T> {
    const probe = this.#byKey.get(key) ?? new KeyProbe<T>(has);
    this.#byKey.set(key, probe);
    return probe;
  }
}

/** The key of the probe for `raw`, which is not the key of a record. */
const WHOLE = Symbol('whole');

const keysAndValues = (record: object): JsonObject => Object.fromEntries(Object.entries(record));

/** @throws BadResponseError when there is no such record, or upstream's own id of it cannot be used */
async function existing<T>(reading: Promise<T | null>): Promise<T> {
  const found = await reading.catch(blameUpstream);
  if (found) return found;
  throw new BadResponseError('The record cannot be read any more: there is none with this id.');
}

/** For `.catch` of the read of a written record. */
function asUnreadResult(error: unknown): never {
  if (!(error instanceof GatewayError) || error instanceof UnreadResultError) throw error;
  throw new UnreadResultError(`the record cannot be read. ${error.message}`, error);
}

/**
 * Creates resolvers for the keys of a record. Lists and responses to writes may lack keys: the resolver loads the record
 * again when such a key is selected.
 *
 * - When other records of the same list have the key, upstream left it out because it has no value: null.
 * - When three full records lack it, too, upstream does not send it: null for the rest of the operation, and its path is
 *   in `extensions.notSent`.
 * - When five reads in a row failed alike, the rest of the operation's records fail without a call.
 * - A record of a write shows what the read returns, null included: upstream may have changed or dropped what was sent. What was
 *   sent is shown where the read fails or lacks the key.
 *
 * @see docs/decisions/0012-absent-is-null-or-not-sent.md
 */
export function lazyFieldResolver<T extends { readonly id: string }>({ batched, listed, byId }: Sources<T>) {
  const owner = {};
  const keys = new Set<keyof T>();

  const readAgain = async (record: T, key: keyof T, context: Context): Promise<T | null> => {
    const inBatch = await batched?.(record, context);
    const isComplete = inBatch === null || (inBatch && Object.hasOwn(inBatch, key));
    return isComplete ? inBatch : byId(record, context);
  };

  const load = async (record: T, key: keyof T, context: Context): Promise<unknown> => {
    const list = await listed?.(context)?.catch(() => undefined); // the field of the list reports its failure
    if (list && isSent(list, key) && list.includes(record)) return undefined;
    const found = await ofOperation(context, owner, Probes<T>)
      .of(key, (full) => Object.hasOwn(full, key))
      .read(async () => existing(readAgain(record, key, context)));
    return found?.[key];
  };

  const loadWritten = async (record: T, key: keyof T, context: Context, sent: object): Promise<unknown> => {
    const sentValue: unknown = Object.hasOwn(sent, key) ? Reflect.get(sent, key) : undefined;
    try {
      const found = await load(record, key, context);
      return found === undefined ? sentValue : found;
    } catch (error) {
      if (sentValue !== undefined) return sentValue;
      return asUnreadResult(error);
    }
  };

  const resolverOf = <K extends keyof T, V>(key: K, read: (value: unknown) => V) => {
    keys.add(key);
    // Not async: a promise for each field of a long list would take longer than reading the field.
    return (record: T, _args: object, context: Context, info: GraphQLResolveInfo): V | Promise<V> => {
      if (Object.hasOwn(record, key)) return read(record[key]);
      const sent = sentFields(record);
      const loading = sent ? loadWritten(record, key, context, sent) : load(record, key, context);
      return loading.then((value) => {
        if (value === undefined) context.notices.notSent(info);
        return read(value);
      });
    };
  };

  /**
   * Creates a resolver that returns the record itself, by upstream's keys. A listed record is read by id when the list lacks keys that
   * have a resolver, until three records read by id have lacked those keys as well; a written record when the response lacks keys.
   * Not documented (A261): which keys lists lack.
   */
  const whole =
    (show: (record: T) => JsonObject = keysAndValues) =>
    async (record: T, _args: object, context: Context): Promise<JsonObject> => {
      const list = await listed?.(context)?.catch(() => undefined);
      const isTold = (key: keyof T) => list !== undefined && isSent(list, key) && list.includes(record);
      const lacking = [...keys].filter((key) => !Object.hasOwn(record, key) && !isTold(key));
      if (lacking.length === 0) return show(record);
      const reading = ofOperation(context, owner, Probes<T>)
        .of(WHOLE, (full) => lacking.some((key) => Object.hasOwn(full, key)))
        .read(async () => existing(byId(record, context)));
      return show((await (sentFields(record) ? reading.catch(asUnreadResult) : reading)) ?? record);
    };
  return Object.assign(resolverOf, { whole });
}

/** For `.catch` of a read by an id that upstream has sent: the caller did not choose it. */
function blameUpstream(error: unknown): never {
  if (!(error instanceof ValidationError) || error.upstream) throw error;
  throw new BadResponseError('A record has an id that cannot be a part of a path.', undefined, { cause: error });
}

/** Creates a resolver for a key of an object that upstream cannot send again. A missing key is null. */
export function fieldResolver<T extends object>() {
  return <K extends keyof T, V>(key: K, read: (value: unknown) => V) =>
    (record: T, _args: object, context: Context, info: GraphQLResolveInfo): V => {
      if (!Object.hasOwn(record, key)) context.notices.notSent(info);
      return read(record[key]);
    };
}

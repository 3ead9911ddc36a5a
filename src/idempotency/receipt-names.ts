import { hash } from 'node:crypto';
import type { KeyedHash } from '../redis/shared-store.ts';
import type { ReceiptName } from './receipts.ts';

/** A field of a mutation that may write. */
export interface DocumentWrite {
  /** Its key in the response. */
  readonly path: string;
  /** The name of the mutation. */
  readonly field: string;
  /** Its arguments, in one form for all of their spellings. */
  readonly arguments: string;
}

/** An operation under a key. */
export interface KeyedOperation {
  /** Its writes, in the order in which they run. Called once, before the first of them. */
  readonly writes: () => readonly DocumentWrite[];
  /** The text of the document, wherever it came from. */
  readonly document: string;
  /** The name of the operation in the document. */
  readonly name: string | undefined;
  readonly variables: unknown;
  /** The network that its caller's address is in. */
  readonly network: string;
}

/** A write of an operation under a key. */
export interface NamedWrite {
  readonly api: string;
  readonly credential: string;
  /** The path of the field in the response, and the number of the write within it, from 1 on. */
  readonly place: string;
  readonly number: number;
  /** Method and path of the request. */
  readonly target: string;
  readonly isNew: boolean;
  /** Of a new record: the value in which two creations have to agree if one record may show both. */
  readonly alike: unknown;
}

/** Of the same length as those of `KeyedHash`: 132 bits. */
const HASH_LENGTH = 22;

/**
 * Makes the names of receipts, for the life of the process. Each hash has a label of its own, so that none can stand for another.
 *
 * A hash is SHA-256 of a key and the text, cut to 132 bits: what is cut off keeps it from being extended, so that it needs no
 * second hash, as HMAC does. `createHmac` takes five times as long.
 */
export class ReceiptNames {
  readonly #key: string;

  /** @param keyedHash makes the key: the same for all gateways that share a Redis */
  constructor(keyedHash: KeyedHash) {
    this.#key = [1, 2].map((part) => keyedHash(`receipt names ${part}`)).join('');
  }

  /** The names of the writes of one operation under a key. */
  of(key: string, operation: KeyedOperation): OperationNames {
    return new OperationNames(this, key, operation);
  }

  /** @param text one that no other text of the same kind is equal to */
  hash(
    kind: 'key' | 'credential' | 'mutation' | 'write' | 'network' | 'twins' | 'records' | 'operation' | 'place',
    text: string,
  ): string {
    return hash('sha256', `${this.#key}${kind}\n${text}`, 'base64url').slice(0, HASH_LENGTH);
  }
}

/** The names of the writes of one operation under a key. */
export class OperationNames {
  readonly #names: ReceiptNames;
  readonly #key: string;
  readonly #operation: KeyedOperation;
  #fields: ReadonlyMap<string, NamedField> | undefined;

  constructor(names: ReceiptNames, key: string, operation: KeyedOperation) {
    this.#names = names;
    this.#key = key;
    this.#operation = operation;
  }

  /** The name of a receipt. It holds values of the caller, for `earlier`, so it must not be kept after the write. */
  of({ api, credential: given, place, number, target, isNew, alike }: NamedWrite): WriteName {
    const names = this.#names;
    this.#fields ??= nameFields(names, this.#operation.writes());
    const [path = '', ...item] = place.split('.');
    const field = this.#fields.get(path);
    if (!field) throw new Error('A write under a key belongs to no field of its document.');
    const { write, writes, mutation } = field;
    const credential = names.hash('credential', `${api}\n${given}`);
    const endpoint = `${api}\n${target}`;
    const earlierName = () => this.#earlierName(place, number);
    return {
      key: names.hash('key', `${credential}\n${this.#key}`),
      mutation,
      place: [write, ...item, ...(number === 1 ? [] : [`/${number}`])].join(' '),
      writes,
      credential,
      network: names.hash('network', this.#operation.network),
      twins: isNew ? names.hash('twins', `${endpoint}\n${alikeText(alike)}`) : undefined,
      records: isNew ? names.hash('records', endpoint) : undefined,
      get earlier() {
        return earlierName();
      },
    };
  }

  #earlierName(place: string, number: number): WriteName['earlier'] {
    const { document, name = '', variables } = this.#operation;
    const path = this.#names.hash('place', place);
    return {
      operation: this.#names.hash('operation', `${name}\n${canonicalJson(variables ?? {})}\n${document}`),
      place: number === 1 ? path : `${path} ${number}`,
    };
  }
}

/** The name of a write whose document is at hand. */
export type WriteName = Required<ReceiptName>;

/** The parts of names that the writes of a field share. */
interface NamedField extends Pick<ReceiptName, 'mutation' | 'writes'> {
  readonly write: string;
}

/** Equal fields of a document are writes of their own: they are told apart by their number. */
function nameFields(names: ReceiptNames, documentWrites: readonly DocumentWrite[]): Map<string, NamedField> {
  const counts = new Map<string, number>();
  const writesOf = new Map<string, Set<string>>();
  const named = documentWrites.map(({ path, field, arguments: given }): [string, NamedField] => {
    const hash = names.hash('write', `${field}\n${given}`);
    const number = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, number);
    const write = number === 1 ? hash : `${hash}.${number}`;
    const writes = writesOf.get(field) ?? new Set<string>();
    writesOf.set(field, writes.add(write));
    return [path, { write, writes, mutation: names.hash('mutation', field) }];
  });
  return new Map(named);
}

/** What may be a number or an instant may be written in many ways, and count as the same one: then less is proven. */
const MANY_FORMS = /^[\d+.-]|^$/;

/** As upstream may have cleaned it. */
function alikeText(value: unknown): string {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return MANY_FORMS.test(text) ? 'any' : `=${text}`;
}

/**
 * Writes a value of JSON with the keys of its objects sorted, so that equal values are equal texts. Keys whose values are
 * undefined are left out, as `JSON.stringify` does. The stack holds what a request may nest: `edge/request-body.ts` bounds it.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item)).join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value);
  // Few keys of an input have a value, and only these are sorted.
  const keys: string[] = [];
  for (const key of Object.keys(value)) if (Reflect.get(value, key) !== undefined) keys.push(key);
  let text = '';
  for (const key of keys.sort()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(Reflect.get(value, key))}`;
  }
  return `{${text}}`;
}

import { hash } from 'node:crypto';
import type { KeyedHash } from '../../redis/shared-store.ts';
import type { ReceiptName } from '../receipts.ts';
import { ValidationError } from '../../http/errors.ts';

/** An operation under a key, as its caller sent it. */
export interface KeyedOperation {
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

/** Bounds of the cache of hashes of paths and endpoints, which repeat in all operations of one document: entries, and characters of each. */
const MAX_REPEATED = 1_000;
const MAX_REPEATED_LENGTH = 300;

/**
 * Makes the names of receipts, for the life of the process. Each hash has a label of its own, so that none can stand for another.
 *
 * A hash is SHA-256 of a key and the text, cut to 132 bits: what is cut off keeps it from being extended, so that it needs no
 * second hash, as HMAC does. `createHmac` takes five times as long.
 */
export class ReceiptNames {
  readonly #key: string;
  readonly #repeated = new Map<string, string>();

  /** @param keyedHash makes the key: the same for all gateways that share a Redis */
  constructor(keyedHash: KeyedHash) {
    this.#key = [1, 2].map((part) => keyedHash(`receipt names ${part}`)).join('');
  }

  /** The names of the writes of one operation under a key. */
  of(key: string, operation: KeyedOperation): OperationNames {
    return new OperationNames(this, key, operation);
  }

  /** @param text one that no other text of the same kind is equal to */
  hash(kind: 'key' | 'credential' | 'operation' | 'twins', text: string): string {
    return this.#hash(`${kind}\n${text}`);
  }

  /** As `hash`, for texts that many operations have: they are cached. No path of a field looks like an endpoint or an address. */
  repeated(kind: 'place' | 'records' | 'network', text: string): string {
    const known = this.#repeated.get(text);
    if (known !== undefined) return known;
    const made = this.#hash(`${kind}\n${text}`);
    if (this.#repeated.size >= MAX_REPEATED) this.#repeated.clear();
    if (text.length <= MAX_REPEATED_LENGTH) this.#repeated.set(text, made);
    return made;
  }

  #hash(text: string): string {
    return hash('sha256', this.#key + text, 'base64url').slice(0, HASH_LENGTH);
  }
}

/** 132 bits, as `KeyedHash` has. */
const HASH_LENGTH = 22;

/** The names of the writes of one operation under a key. What its writes share is hashed once. */
export class OperationNames {
  readonly #names: ReceiptNames;
  readonly #key: string;
  readonly #operation: KeyedOperation;
  #operationHash: string | undefined;
  #credential: string | undefined;
  #ofCredential: CredentialHashes | undefined;

  constructor(names: ReceiptNames, key: string, operation: KeyedOperation) {
    this.#names = names;
    this.#key = key;
    this.#operation = operation;
  }

  /** @throws ValidationError for variables that nest deeper than a hash is made of */
  of(write: NamedWrite): WriteName {
    const { key, credential } = this.#under(`${write.api}\n${write.credential}`);
    const { network } = this.#operation;
    return new WriteName(this.#names, write, { key, credential, operation: this.#hashOfOperation(), network });
  }

  /** The hashes of a credential at an API, and of the key with it. Most operations write to one. */
  #under(text: string): CredentialHashes {
    if (this.#ofCredential && this.#credential === text) return this.#ofCredential;
    const credential = this.#names.hash('credential', text);
    this.#credential = text;
    return (this.#ofCredential = { credential, key: this.#names.hash('key', `${credential}\n${this.#key}`) });
  }

  #hashOfOperation(): string {
    if (this.#operationHash !== undefined) return this.#operationHash;
    const { document, name = '', variables } = this.#operation;
    const text = `${name}\n${canonicalJson(variables ?? {})}\n${document}`;
    return (this.#operationHash = this.#names.hash('operation', text));
  }
}

interface CredentialHashes {
  readonly credential: string;
  readonly key: string;
}

/** The name of a receipt. It holds values of the caller, so it must not be kept after the write. */
export class WriteName implements ReceiptName {
  readonly key: string;
  readonly operation: string;
  readonly place: string;
  readonly credential: string;
  readonly #names: ReceiptNames;
  readonly #write: NamedWrite;
  readonly #network: string;
  #twins: string | undefined;

  constructor(
    names: ReceiptNames,
    write: NamedWrite,
    { key, credential, operation, network }: Pick<ReceiptName, 'key' | 'credential' | 'operation' | 'network'>,
  ) {
    const path = names.repeated('place', write.place);
    this.key = key;
    this.operation = operation;
    this.place = write.number === 1 ? path : `${path} ${write.number}`;
    this.credential = credential;
    this.#network = network;
    this.#names = names;
    this.#write = write;
  }

  get network(): string {
    return this.#names.repeated('network', this.#network);
  }

  get twins(): string | undefined {
    if (!this.#write.isNew) return undefined;
    return (this.#twins ??= this.#names.hash('twins', `${this.#endpoint}\n${alikeText(this.#write.alike)}`));
  }

  get records(): string | undefined {
    return this.#write.isNew ? this.#names.repeated('records', this.#endpoint) : undefined;
  }

  get #endpoint(): string {
    return `${this.#write.api}\n${this.#write.target}`;
  }
}

/** What may be a number or an instant may be written in many ways, and count as the same one: then less is proven. */
const MANY_FORMS = /^[\d+.-]|^$/;

/** As upstream may have cleaned it. */
function alikeText(value: unknown): string {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return MANY_FORMS.test(text) ? 'any' : `=${text}`;
}

/** Values nest at most so deep: JSON of a request may nest deeper than the stack. */
const MAX_DEPTH = 200;

/**
 * Writes a value of JSON with the keys of its objects sorted, so that equal values are equal texts. Keys whose values are
 * undefined are left out, as `JSON.stringify` does.
 *
 * @throws ValidationError for a value that nests deeper than 200 levels
 * @internal exported for the tests
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) {
    const message = `Under an Idempotency-Key variables nest at most ${MAX_DEPTH} levels deep.`;
    throw new ValidationError(message, {});
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item, depth + 1)).join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value);
  // Few keys of an input have a value, and only these are sorted.
  const keys: string[] = [];
  for (const key of Object.keys(value)) if (Reflect.get(value, key) !== undefined) keys.push(key);
  let text = '';
  for (const key of keys.sort()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(Reflect.get(value, key), depth + 1)}`;
  }
  return `{${text}}`;
}

import {
  defaultTypeResolver,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Values } from './input-coercion.ts';
import type { Completion, FieldPlan, Operation, OperationPlan } from './plan.ts';
import { withoutStackTrace } from './stack-traces.ts';

type MaybePromise<T> = T | Promise<T>;

type Path = GraphQLResolveInfo['path'];

/** An object of the response. */
type ResponseObject = Record<string, unknown>;

/** The bounds of one execution. */
export interface ExecutionBounds {
  /** The most characters of JSON that the response may have, escapes not counted. */
  readonly maxCharacters: number;
  /** Creates the error that ends an execution beyond it. */
  readonly tooLarge: () => Error;
  /** A promise for a later turn of the event loop, when this one has lasted too long. */
  readonly pause: () => Promise<void> | undefined;
  /** Set at the end: the characters that were counted. Undefined for an operation without a plan. */
  characters: number | undefined;
}

/** A completion of a value that is not null, of one kind. */
type CompletionOf<Kind extends Completion['kind']> = Completion & { readonly kind: Kind };

/**
 * One execution of a plan. It is synchronous until a resolver returns a promise, and creates no promise for a value that is
 * at hand.
 */
export class PlanExecution {
  readonly operation: Operation;
  readonly rootValue: unknown;
  readonly variables: Record<string, unknown>;
  readonly #plan: OperationPlan;
  readonly #context: unknown;
  readonly #bounds: ExecutionBounds;
  readonly #errors: GraphQLError[] = [];
  #arguments: Map<FieldPlan, Values> | undefined;
  /** The characters of the response's JSON, escapes not counted: its names, values and punctuation. */
  #characters = 0;
  /** From how many characters on a list may give the event loop back. */
  #nextPause = PAUSE_CHARACTERS;
  /** The error that ended the execution: its response is too large. */
  #end: Error | undefined;

  constructor(plan: OperationPlan, args: ExecutionValues, bounds: ExecutionBounds) {
    this.operation = plan.operation;
    this.rootValue = args.rootValue;
    this.variables = args.variables;
    this.#plan = plan;
    this.#context = args.context;
    this.#bounds = bounds;
  }

  /**
   * Executes the operation. Errors of fields are in the result; never throws them. A response beyond the bound is
   * that of `endedResult`.
   */
  run(): MaybePromise<ExecutionResult> {
    const { rootFields, operation } = this.#plan;
    const isMutation = operation.node.operation === OperationTypeNode.MUTATION;
    try {
      const data = isMutation ? this.#serially(rootFields) : this.#object(rootFields, this.rootValue, undefined);
      return isPromise(data)
        ? data.then(
            (value) => this.#result(value),
            (error) => this.#failure(error),
          )
        : this.#result(data);
    } catch (error) {
      return this.#failure(error);
    }
  }

  #result(data: ResponseObject): ExecutionResult {
    this.#bounds.characters = this.#characters;
    return this.#errors.length === 0 ? { data } : { errors: [...this.#errors], data };
  }

  /** The result when an error reached a root field that is not nullable, or the response is too large. */
  #failure(error: unknown): ExecutionResult {
    this.#bounds.characters = this.#characters;
    if (this.#end) {
      const names = this.#plan.rootFields.map(({ responseName }) => responseName);
      return endedResult(this.#end, this.operation.node, names);
    }
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [...this.#errors, error], data: null };
  }

  /** Executes the fields of a mutation: each begins when the one before it has ended. */
  async #serially(fields: readonly FieldPlan[]): Promise<ResponseObject> {
    const object: ResponseObject = {};
    for (const field of fields) {
      this.#characters += field.responseName.length + NAME_CHARACTERS;
      object[field.responseName] = await this.#field(field, this.rootValue, undefined);
    }
    return object;
  }

  /** Executes the fields of an object side by side. */
  #object(fields: readonly FieldPlan[], source: unknown, path: Path | undefined): MaybePromise<ResponseObject> {
    const object: ResponseObject = {};
    let pending: Promise<void>[] | undefined;
    try {
      for (const field of fields) {
        const { responseName } = field;
        this.#characters += responseName.length + NAME_CHARACTERS;
        const value = this.#field(field, source, path);
        if (isPromise(value)) {
          object[responseName] = undefined; // keeps the order of the document
          pending ??= [];
          pending.push(value.then((settled) => void (object[responseName] = settled)));
        } else {
          object[responseName] = value;
        }
      }
      this.#count(OBJECT_CHARACTERS);
    } catch (error) {
      return rejectAfter(pending, error);
    }
    return pending ? allOf(pending).then(() => object) : object;
  }

  /** @throws GraphQLError when the field fails and is not nullable */
  #field(field: FieldPlan, source: unknown, parentPath: Path | undefined): unknown {
    try {
      const info = new ResolveInfo(this, field, parentPath);
      const args = field.arguments.constant ?? this.#argumentsOf(field);
      const resolved: unknown = field.resolve(source, args, this.#context, info);
      const { completion } = field;
      if (completion.kind === 'leaf' && !isPromise(resolved)) return this.#leafOrNull(completion, resolved, info);
      const place = { field, info, path: pathOf(field, parentPath) };
      return isPromise(resolved) ? this.#later(completion, resolved, place) : this.#now(completion, resolved, place);
    } catch (error) {
      return this.#fail(error, field, pathOf(field, parentPath), field.completion.isNonNull);
    }
  }

  /** The arguments of a field that has variables in them, coerced once per execution. */
  #argumentsOf(field: FieldPlan): Values {
    const known = this.#arguments?.get(field);
    if (known) return known;
    const coerced = field.arguments.coerce(this.variables);
    this.#arguments ??= new Map();
    this.#arguments.set(field, coerced);
    return coerced;
  }

  /** Adds an error to the result, and returns null for its field. @throws GraphQLError where null is not allowed */
  #fail(error: unknown, { nodes }: FieldPlan, path: Path, isNonNull: boolean): null {
    if (this.#end) throw this.#end;
    this.#characters += NULL_CHARACTERS;
    const located = withoutStackTrace(() => locatedError(error, nodes, pathToArray(path))); // it has that of `error`
    if (isNonNull) throw located;
    this.#errors.push(located);
    return null;
  }

  #complete(completion: Completion, value: unknown, place: Place): unknown {
    if (value instanceof Error) throw value;
    if (value === null || value === undefined) {
      if (completion.isNonNull) throw nullError(place.info);
      this.#characters += NULL_CHARACTERS;
      return null;
    }
    switch (completion.kind) {
      case 'leaf':
        return this.#leaf(completion, value);
      case 'list':
        return this.#list(completion, value, place);
      case 'abstract':
        return this.#abstract(completion, value, place);
      case 'object':
        return this.#typed(completion.type, value, place);
    }
  }

  #list({ item }: CompletionOf<'list'>, value: unknown, place: Place): unknown {
    const { field, info } = place;
    if (!isIterable(value)) {
      const name = `${field.parentType.name}.${field.definition.name}`;
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
    }
    const values: readonly unknown[] = Array.isArray(value) ? value : [...value];
    const rows: unknown[] = [];
    // Introspection loads nothing: what is pending has paused, and the rows after it wait for the next turns, too.
    const isOfSchema = field.parentType.name.startsWith('__');
    let pending: Promise<void>[] | undefined;
    const completeRows = (): MaybePromise<unknown[]> => {
      try {
        for (let index = rows.length; index < values.length; index += 1) {
          const row = values[index];
          const rowPlace = { field, info, path: { prev: place.path, key: index, typename: undefined } };
          const completed = isPromise(row) ? this.#later(item, row, rowPlace) : this.#now(item, row, rowPlace);
          rows.push(completed);
          if (isPromise(completed) && isOfSchema) {
            return completed.then((settled) => {
              rows[index] = settled;
              return completeRows();
            });
          }
          if (isPromise(completed)) {
            pending ??= [];
            pending.push(completed.then((settled) => void (rows[index] = settled)));
          }
          // Rows that load something stay in one turn: loaders would make a batch for each of several.
          const turn = pending || this.#characters < this.#nextPause ? undefined : this.#pause();
          if (turn) return turn.then(completeRows);
        }
        this.#count(values.length + OBJECT_CHARACTERS);
      } catch (error) {
        return rejectAfter(pending, error);
      }
      return pending ? allOf(pending).then(() => rows) : rows;
    };
    return completeRows();
  }

  /** Completes a value, or adds its error to the result. @throws GraphQLError where null is not allowed */
  #now(completion: Completion, value: unknown, place: Place): unknown {
    try {
      const completed = this.#complete(completion, value, place);
      if (!isPromise(completed)) return completed;
      return completed.catch((error: unknown) => this.#fail(error, place.field, place.path, completion.isNonNull));
    } catch (error) {
      return this.#fail(error, place.field, place.path, completion.isNonNull);
    }
  }

  #later(completion: Completion, value: Promise<unknown>, place: Place): Promise<unknown> {
    return value.then(
      (settled) => this.#now(completion, settled, place),
      (error: unknown) => this.#fail(error, place.field, place.path, completion.isNonNull),
    );
  }

  #abstract({ type }: CompletionOf<'abstract'>, value: unknown, place: Place): unknown {
    const resolveType = type.resolveType ?? defaultTypeResolver;
    const name = resolveType(value, this.#context, place.info, type);
    const complete = (typeName: string | undefined) => {
      const runtimeType = typeName === undefined ? undefined : this.operation.schema.getType(typeName);
      if (isObjectType(runtimeType) && this.operation.schema.isSubType(type, runtimeType)) {
        return this.#typed(runtimeType, value, place);
      }
      throw new Error(`Runtime Object type "${typeName}" is not a possible type for "${type.name}".`);
    };
    return isPromise(name) ? name.then(complete) : complete(name);
  }

  /** Completes a leaf. @throws Error for null where it is not allowed, and for a value that its type refuses */
  #leafOrNull(completion: CompletionOf<'leaf'>, value: unknown, info: ResolveInfo): unknown {
    if (value instanceof Error) throw value;
    if (value !== null && value !== undefined) return this.#leaf(completion, value);
    if (completion.isNonNull) throw nullError(info);
    this.#characters += NULL_CHARACTERS;
    return null;
  }

  #leaf({ type, measure }: CompletionOf<'leaf'>, value: unknown): unknown {
    if (measure && typeof value === 'object' && value) {
      this.#count(measure(value));
      return value;
    }
    const serialized = serialize(type, value);
    this.#characters += typeof serialized === 'string' ? serialized.length + 2 : NULL_CHARACTERS;
    return serialized;
  }

  #pause(): Promise<void> | undefined {
    this.#nextPause = this.#characters + PAUSE_CHARACTERS;
    return this.#bounds.pause();
  }

  /** @throws Error when the response is too large */
  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= this.#bounds.maxCharacters) return;
    this.#end ??= this.#bounds.tooLarge();
    throw this.#end;
  }

  /** Completes a value of a known object type. */
  #typed(type: GraphQLObjectType, value: unknown, { field, path, info }: Place): unknown {
    if (!type.isTypeOf) return this.#object(field.selection(type), value, path);
    const checked = (isOfType: boolean) => {
      if (isOfType) return this.#object(field.selection(type), value, path);
      throw new Error(`A value of "${field.parentType.name}.${field.definition.name}" is no "${type.name}".`);
    };
    const isOfType = type.isTypeOf(value, this.#context, info);
    return isPromise(isOfType) ? isOfType.then(checked) : checked(isOfType);
  }
}

/** The values of one execution of a plan. */
interface ExecutionValues {
  readonly variables: Record<string, unknown>;
  readonly rootValue: unknown;
  readonly context: unknown;
}

/** Rows with fewer characters take far less than a turn of the event loop. */
const PAUSE_CHARACTERS = 16 * 1024;

/** The characters of a name besides its own: quotes, colon and comma. */
const NAME_CHARACTERS = 4;
const OBJECT_CHARACTERS = 2;
const NULL_CHARACTERS = 4;

/**
 * The result of an operation that was ended because its response is too large: without data. A mutation has an error for each
 * field at the root, because each has an outcome of its own.
 *
 * @param names the fields at the root
 */
export function endedResult(error: Error, node: OperationDefinitionNode, names: readonly string[]): ExecutionResult {
  if (node.operation !== OperationTypeNode.MUTATION) return { errors: [locatedError(error, [node])], data: null };
  return {
    errors: names.map((name) => locatedError(error, [node], [name])),
    data: Object.fromEntries(names.map((name) => [name, null])),
  };
}

/** The place of a value in the response. */
interface Place {
  readonly field: FieldPlan;
  readonly path: Path;
  readonly info: ResolveInfo;
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  let serialized: unknown;
  try {
    serialized = type.serialize(value);
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error; // else it would bring a place of its own
  }
  if (serialized === null || serialized === undefined)
    throw new Error(`The type ${type.name} serialized a value to null.`);
  return serialized;
}

function nullError({ parentType, fieldName }: ResolveInfo): Error {
  return new Error(`Cannot return null for non-nullable field ${parentType.name}.${fieldName}.`);
}

/** Waits for promises, and rejects with the first rejection. */
function allOf(promises: readonly Promise<void>[]): Promise<unknown> {
  const [first] = promises;
  return first && promises.length === 1 ? first : Promise.all(promises);
}

/** Throws an error once all promises have settled: an unhandled rejection would end the process. */
function rejectAfter(pending: readonly Promise<void>[] | undefined, error: unknown): Promise<never> {
  if (!pending) throw error;
  return Promise.allSettled(pending).then(() => {
    throw error;
  });
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function pathToArray(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.prev) keys.unshift(at.key);
  return keys;
}

/**
 * The information about a field that its resolver gets. Its properties are getters: most resolvers of a long list read none of them, so
 * that no path is built.
 */
class ResolveInfo implements GraphQLResolveInfo {
  readonly #execution: PlanExecution;
  readonly #field: FieldPlan;
  readonly #parentPath: Path | undefined;

  constructor(execution: PlanExecution, field: FieldPlan, parentPath: Path | undefined) {
    this.#execution = execution;
    this.#field = field;
    this.#parentPath = parentPath;
  }

  get fieldName(): string {
    return this.#field.definition.name;
  }

  get fieldNodes(): FieldNode[] {
    return this.#field.nodes;
  }

  get returnType(): GraphQLResolveInfo['returnType'] {
    return this.#field.definition.type;
  }

  get parentType(): GraphQLResolveInfo['parentType'] {
    return this.#field.parentType;
  }

  get path(): Path {
    return pathOf(this.#field, this.#parentPath);
  }

  get schema(): GraphQLSchema {
    return this.#execution.operation.schema;
  }

  get fragments(): Record<string, FragmentDefinitionNode> {
    return this.#execution.operation.fragments;
  }

  get rootValue(): unknown {
    return this.#execution.rootValue;
  }

  get operation(): OperationDefinitionNode {
    return this.#execution.operation.node;
  }

  get variableValues(): Record<string, unknown> {
    return this.#execution.variables;
  }
}

/** The response path of a field of an object at `parentPath`. */
function pathOf(field: FieldPlan, parentPath: Path | undefined): Path {
  return { prev: parentPath, key: field.responseName, typename: field.parentType.name };
}

/**
 * Whether a value is a promise. An object that only has a key `then` is none: a record of upstream may have such a key, and
 * an operation such an alias.
 */
function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise;
}

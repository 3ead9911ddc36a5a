import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  parse,
  print,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  isRequiredArgument,
  type GraphQLCompositeType,
} from 'graphql';
import type { Operation } from './callers.ts';
import { hostileText } from './hostile-texts.ts';
import type { Tape } from './tape.ts';
import { Values } from './values.ts';

const MAX_DEPTH = 5;

/** Writes documents for a schema, as the choices of a tape say. An empty tape gives the plainest one. */
export class DocumentWriter {
  readonly #schema: GraphQLSchema;
  readonly #tape: Tape;
  readonly #values: Values;
  readonly #fragments: string[] = [];
  /** The types of the fields that were written, by their response names: one name has one type. */
  readonly #names = new Map<string, string>();

  /** @param ids ids that exist upstream */
  constructor(schema: GraphQLSchema, tape: Tape, ids: readonly string[]) {
    this.#schema = schema;
    this.#tape = tape;
    this.#values = new Values(tape, ids);
  }

  /** A query or a mutation of any fields, in one case of twelve with a text that is damaged. */
  operation(): Operation {
    if (this.#tape.once(40)) return { query: introspection(this.#tape), variables: {} };
    const isMutation = this.#tape.once(4);
    const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType();
    if (!root) throw new Error('The schema has no such operations.');
    const fields = Array.from({ length: 1 + this.#tape.roll(3) }, () => this.#anyField(root, 0));
    const body = `{ ${fields.join(' ')} }`;
    const query = [
      `${isMutation ? 'mutation' : 'query'} Fuzz${this.#values.declarations()} ${body}`,
      ...this.#fragments,
    ];
    const text = query.join('\n');
    return { query: this.#tape.once(25) ? damaged(this.#tape, text) : text, variables: this.#values.variables };
  }

  /** An operation of the endpoint table, which selects more of what the endpoint answers. */
  extended(operation: string): Operation {
    const types = new TypeInfo(this.#schema);
    const SelectionSet = {
      leave: ({ selections }: SelectionSetNode) => {
        const type = types.getParentType();
        const isInnermost = selections.every((node) => node.kind === Kind.FIELD && !node.selectionSet);
        return type && isInnermost ? selectionSetOf(this.selections(type, 1)) : undefined;
      },
    };
    const document = print(visit(parse(operation), visitWithTypeInfo(types, { SelectionSet })));
    const declarations = this.#values.declarations();
    const declared = document.replace(/^(query |mutation )?/, (kind) => `${kind || 'query '}Fuzz${declarations} `);
    return { query: [declared, ...this.#fragments].join('\n'), variables: this.#values.variables };
  }

  /** A selection set of some fields of a type. Each one asks for `__typename`, so that its type is known. */
  selections(type: GraphQLCompositeType, depth: number): string {
    const parts = ['__typename'];
    for (let left = this.#tape.roll(7); left > 0; left -= 1) {
      parts.push(isAbstractType(type) && this.#tape.roll(3) > 0 ? this.#member(type, depth) : this.#part(type, depth));
    }
    return `{ ${parts.join(' ')} }`;
  }

  #part(type: GraphQLCompositeType, depth: number): string {
    const kind = this.#tape.roll(16);
    if (kind < 13 || depth >= MAX_DEPTH)
      return isAbstractType(type) && !('getFields' in type) ? '' : this.#anyField(type, depth);
    const inner = this.selections(type, depth + 1);
    if (kind === 13) return `... ${this.#directive()} ${inner}`;
    if (kind === 14) return `... @defer(label: "d${this.#names.size}") ${inner}`;
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type.name} ${inner}`);
    return `...${name} ${this.#tape.once(3) ? '@defer' : ''}`;
  }

  #member(type: GraphQLCompositeType & { readonly name: string }, depth: number): string {
    if (!isAbstractType(type)) return '';
    const members = this.#schema.getPossibleTypes(type);
    const member = members[this.#tape.roll(members.length)];
    return member && depth < MAX_DEPTH ? `... on ${member.name} ${this.selections(member, depth + 1)}` : '';
  }

  #anyField(type: GraphQLCompositeType, depth: number): string {
    const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
    if (this.#tape.once(200)) return this.#tape.pick(['nothing', '__proto__', 'constructor', '__schema', 'id { id }']);
    const field = fields[this.#tape.roll(fields.length)];
    if (!field) return '';
    const inner = getNamedType(field.type);
    if (isCompositeType(inner) && depth >= MAX_DEPTH) return '';
    return this.field(field, isCompositeType(inner) ? this.selections(inner, depth + 1) : '');
  }

  /** A field with arguments, under an alias where its name stands for something else already. */
  field(field: GraphQLField<unknown, unknown>, inner: string): string {
    const args = field.args.flatMap((arg) => this.#argument(arg));
    const isPlain = inner === '' && args.length === 0;
    const type = String(field.type);
    const known = this.#names.get(field.name);
    const needsAlias = known !== undefined && (!isPlain || known !== type);
    const alias = needsAlias ? `a${this.#names.size}` : field.name;
    this.#names.set(alias, isPlain ? type : '');
    const directive = this.#tape.once(20) ? this.#directive() : this.#stream(type);
    const name = alias === field.name ? alias : `${alias}: ${field.name}`;
    return `${name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${directive} ${inner}`;
  }

  #argument(arg: GraphQLArgument): string[] {
    if (!isRequiredArgument(arg) && !this.#tape.once(3)) return [];
    if (this.#tape.once(120)) return []; // a required one is missing then
    return [`${arg.name}: ${this.#values.argument(arg.type)}`];
  }

  #directive(): string {
    return this.#tape.pick([
      '@include(if: true)',
      '@skip(if: false)',
      '@skip(if: true)',
      '@include(if: false)',
      '@defer',
    ]);
  }

  #stream(type: string): string {
    return type.startsWith('[') && this.#tape.once(12) ? `@stream(initialCount: ${this.#tape.roll(3)})` : '';
  }
}

function selectionSetOf(text: string): SelectionSetNode | undefined {
  const [definition] = parse(text).definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : undefined;
}

function introspection(tape: Tape): string {
  return tape.pick([
    '{ __schema { types { name fields { name args { name } } } } }',
    '{ __type(name: "Client") { fields(includeDeprecated: true) { name type { kind ofType { name } } } } }',
    '{ __type(name: "__proto__") { name } __typename }',
    '{ __schema { directives { name locations args { defaultValue } } queryType { name } } }',
    '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
    'subscription { x }',
    'query A { __typename } query B { __typename }',
    'fragment F on Query { ...F } { ...F }',
  ]);
}

/** A text that was cut, doubled, or changed somewhere. */
function damaged(tape: Tape, text: string): string {
  const at = tape.roll(Math.max(1, text.length));
  return tape.pick([
    text.slice(0, at),
    text.slice(at),
    text.slice(0, at) + hostileText(tape) + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    `${text.slice(0, at)}${tape.pick(['{', '}', '"""', '$', '@', '\\u{110000}', '...', '!', '\ud800', '#'])}${text.slice(at)}`,
    text + text,
    `${'{a'.repeat(at)}`,
    `${text.slice(0, at)}${'['.repeat(3_000)}`,
  ]);
}

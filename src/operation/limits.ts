import { memoize1 } from '@graphql-tools/utils';
import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLErrorOptions,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  TokenKind,
  validate,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../config.ts';
import { DocumentSizes, type Size } from './document-sizes.ts';
import { boundedRules } from './rules.ts';

/**
 * Refuses operations beyond MAX_TOKENS, MAX_DEPTH, MAX_ALIASES and MAX_DIRECTIVES before any upstream call, and documents with
 * longer texts or names than operations have.
 */
export function useLimits(config: Config): Plugin {
  const rule = limitsRule(config);
  return {
    onParse: ({ setParseFn }) => {
      setParseFn((source, options) => {
        assertShort(typeof source === 'string' ? source : source.body, config.MAX_TOKENS);
        try {
          const document = parse(source, { ...options, maxTokens: config.MAX_TOKENS });
          assertShortNames(document);
          return document;
        } catch (error) {
          throw isTooLarge(error) ? tooLargeError(config.MAX_TOKENS, error) : error;
        }
      });
    },
    onValidate: ({ addValidationRule, setValidationFn }) => {
      addValidationRule(rule);
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]) => {
        try {
          return validate(schema, document, boundedRules(rules), { maxErrors: MAX_ERRORS, hideSuggestions: true });
        } catch (error) {
          if (isTooLarge(error)) return [tooLargeError(config.MAX_TOKENS, error)]; // fragments that spread each other overflow the stack
          throw error;
        }
      });
    },
  };
}

/** The first errors of a document are enough to act on. `redacted-messages.ts` makes their suggestions. */
const MAX_ERRORS = 10;

/**
 * The limits of a document's characters and lines, for each token of MAX_TOKENS. Pretty-printed operations have about 10 characters and half a line for each
 * token. An error reads all lines before its place.
 */
const CHARACTERS_PER_TOKEN = 128;
const LINES_PER_TOKEN = 5;

/** @throws GraphQLError for a document whose text is long for its tokens */
function assertShort(text: string, maxTokens: number): void {
  const characters = maxTokens * CHARACTERS_PER_TOKEN;
  const lines = maxTokens * LINES_PER_TOKEN;
  if (text.length <= characters && hasFewLines(text, lines)) return;
  const message = `The document has more than ${characters} characters or ${lines} lines, as MAX_TOKENS (${maxTokens}) allows: send long texts as variables.`;
  throw limitError(message);
}

function hasFewLines(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  let lines = 1;
  for (const _break of text.matchAll(/\r\n|[\n\r]/g)) if (++lines > limit) return false;
  return true;
}

/** Far longer than those of the schema, of generated fragments and of operations. */
const MAX_NAME_LENGTH = 256;

/** @throws GraphQLError for a name of more than 256 characters, which would be compared with all names of the schema */
function assertShortNames({ loc }: DocumentNode): void {
  for (let token = loc?.startToken; token; token = token.next ?? undefined) {
    if (token.kind !== TokenKind.NAME || token.value.length <= MAX_NAME_LENGTH) continue;
    const message = `The document has a name of more than ${MAX_NAME_LENGTH} characters.`;
    throw limitError(message, { source: loc?.source ?? null, positions: [token.start] });
  }
}

/** Whether graphql-js gave up: it reports its token limit as a syntax error, and overflows the stack for deep nesting. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && error.message.endsWith('Parsing aborted.'));
}

/** @param cause has the place of the first token that is too many */
function tooLargeError(limit: number, cause: unknown): GraphQLError {
  const message = `The document exceeds MAX_TOKENS (${limit}), or nests too deeply: send several documents.`;
  const { source = null, positions = null } = cause instanceof GraphQLError ? cause : {};
  return limitError(message, { source, positions });
}

function limitError(message: string, place: GraphQLErrorOptions = {}): GraphQLError {
  return new GraphQLError(message, { ...place, extensions: { code: 'QUERY_LIMIT_EXCEEDED' } });
}

type QueryLimits = Pick<Config, 'MAX_DEPTH' | 'MAX_ALIASES' | 'MAX_DIRECTIVES'>;

/** How often an operation may begin an introspection: tools send one `__schema`, or ask for some types by their names. */
const MAX_INTROSPECTION = { __schema: 3, __type: 10 } as const;

/** Of a larger schema the whole introspection has some ten megabytes, which no client makes use of. */
const MAX_INTROSPECTED_TYPES = 10_000;

const typeCount = memoize1((schema: GraphQLSchema) => Object.keys(schema.getTypeMap()).length);

/** The count that each limit bounds, and the advice beyond it. */
const COUNTED: Readonly<Record<keyof QueryLimits, readonly [name: keyof Size, advice: string]>> = {
  MAX_DEPTH: ['depth', 'read what is deeper by an operation of its own, such as by the ids of its records'],
  MAX_ALIASES: ['aliases', 'send several operations, or read a list in the place of records one by one'],
  MAX_DIRECTIVES: [
    'directives',
    'send several operations, or a directive on a fragment in the place of those on its fields',
  ],
};

/**
 * Creates a validation rule that refuses operations beyond the limits, and says where they pass them. graphql-js limits the depth of
 * introspection; this rule limits its aliases, and how often it begins.
 */
function limitsRule(limits: QueryLimits) {
  return function QueryLimitsRule(context: ValidationContext): ASTVisitor {
    const sizes = new DocumentSizes(context);

    const refuse = (nodes: ASTNode, message: string) => context.reportError(limitError(message, { nodes }));

    const check = (operation: OperationDefinitionNode, size: Size, setting: keyof QueryLimits) => {
      const [name, advice] = COUNTED[setting];
      const ofOperation = name === 'directives' ? (operation.directives?.length ?? 0) : 0;
      const [actual, limit] = [size[name] + ofOperation, limits[setting]];
      if (actual <= limit) return;
      const { node, path } = sizes.placeOf(operation, name, limit - ofOperation);
      const where = path === '' ? '' : ` It is passed at \`${path}\`: ${advice}.`;
      refuse(node, `The operation exceeds ${setting}: ${actual}, and ${limit} is the limit.${where}`);
    };

    const checkIntrospection = (
      operation: OperationDefinitionNode,
      size: Size,
      name: keyof typeof MAX_INTROSPECTION,
    ) => {
      const limit = MAX_INTROSPECTION[name];
      if (size[name] <= limit) return;
      const selected = `The operation selects \`${name}\` ${size[name]} times, and ${limit} is the limit`;
      const { node } = sizes.placeOf(operation, name, limit);
      refuse(node, `${selected}: select more below one of them, or send several operations.`);
    };

    return {
      Field(node) {
        if (node.name.value !== 'types' || context.getParentType()?.name !== '__Schema') return;
        const types = typeCount(context.getSchema());
        if (types <= MAX_INTROSPECTED_TYPES) return;
        const advice = 'read `schema.graphql` beside this endpoint, or print it by the command `trivium schema`';
        refuse(
          node,
          `The schema has ${types} types, and introspection lists ${MAX_INTROSPECTED_TYPES} at most: ${advice}.`,
        );
      },
      OperationDefinition(operation) {
        const size = sizes.of(operation);
        check(operation, size, 'MAX_DEPTH');
        check(operation, size, 'MAX_ALIASES');
        check(operation, size, 'MAX_DIRECTIVES');
        checkIntrospection(operation, size, '__schema');
        checkIntrospection(operation, size, '__type');
      },
    };
  };
}

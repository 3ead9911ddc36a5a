import { readFileSync } from 'node:fs';
import { array, asyncProperty, check, noBias, tuple, uint8Array } from 'fast-check';
import { buildSchema } from 'graphql';
import { acceptOf, type CallerRequest, hostileRequest, type Operation, usualRequest } from './callers.ts';
import type { Corpus } from './corpus.ts';
import { DocumentWriter } from './documents.ts';
import { endpoints } from './endpoints.ts';
import type { House } from './house.ts';
import { brokenRules } from './rules.ts';
import { Tape } from './tape.ts';

/** The parts of a case. */
export const properties = ['documents', 'answers', 'headers', 'all'] as const;

export type PropertyName = (typeof properties)[number];

/** The bytes of one case: those of its operation, of its request, and of the answers that upstream gives. */
type Bytes = readonly [operation: Uint8Array, request: Uint8Array, answers: readonly Uint8Array[]];

interface Case {
  readonly operation: Operation;
  readonly request: CallerRequest;
  readonly answers: readonly Uint8Array[];
}

/** A case in which the gateway broke a rule, shrunken, and how to repeat it. */
export interface Finding {
  readonly property: string;
  readonly seed: number;
  readonly path: string;
  readonly report: string;
}

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

const bytes = (maxLength: number) => uint8Array({ maxLength, size: 'max' });

const cases = noBias(tuple(bytes(240), bytes(40), array(bytes(40), { minLength: 1, maxLength: 3 })));

/** Shrinking ends after so long, with the simplest case until then. */
const MAX_ROUND_MS = 15_000;

/** Which cases are tried. */
export interface Runs {
  readonly seed: number;
  readonly runs: number;
  /** Repeats the one case at this path of the seed. */
  readonly path?: string | undefined;
}

/**
 * Tries a property with random cases, and shrinks the first one that breaks a rule.
 *
 * @returns undefined when each case keeps all rules
 */
export async function tryProperty(
  house: House,
  corpus: Corpus,
  property: PropertyName,
  { seed, runs, path }: Runs,
): Promise<Finding | undefined> {
  const broken = async (made: Case) =>
    brokenRules(schema, made.operation, made.request, await house.observe(made.request, made.answers));
  let lastBroken: readonly string[] = [];
  const holds = async (bytes: Bytes) => {
    const rules = await broken(caseOf(corpus, property, bytes));
    if (rules.length > 0) lastBroken = rules;
    return rules.length === 0;
  };
  const details = await check(asyncProperty(cases, holds), {
    seed,
    numRuns: runs,
    interruptAfterTimeLimit: MAX_ROUND_MS,
    ...(path && { path }),
  });
  if (!details.failed || !details.counterexample) return undefined;
  const [bytes] = details.counterexample;
  const made = caseOf(corpus, property, bytes);
  const { calls } = await house.observe(made.request, made.answers);
  const report = [
    ...lastBroken, // of the shrunken case, which may break a rule now and then only
    `  request: ${made.request.line} | ${made.request.headers.join(' | ')}`.slice(0, 2_000),
    `  query: ${made.operation.query}`.slice(0, 3_000),
    `  variables: ${JSON.stringify(made.operation.variables)}`.slice(0, 1_000),
    `  calls: ${calls.map(({ api, method, url }) => `${api} ${method} ${url}`).join(', ')}`.slice(0, 1_000),
    `  answers: ${made.answers.map((tape) => `[${tape.join(' ')}]`).join(' ')}`,
  ];
  return { property, seed, path: details.counterexamplePath ?? '', report: report.join('\n') };
}

function caseOf(corpus: Corpus, property: PropertyName, [operationBytes, requestBytes, answers]: Bytes): Case {
  const [forOperation, forRequest] = [new Tape(operationBytes), new Tape(requestBytes)];
  const writer = new DocumentWriter(schema, forOperation, idsOf(corpus));
  const operation =
    property === 'documents' || (property === 'all' && forOperation.once(2))
      ? writer.operation()
      : writer.extended(corpus.named(endpoints[forOperation.roll(endpoints.length)]?.operation ?? ''));
  const isHostile = property === 'headers' || property === 'all';
  return {
    operation,
    request: isHostile ? hostileRequest(forRequest, operation) : usualRequest(operation, acceptOf(forRequest)),
    answers: property === 'headers' ? [] : answers,
  };
}

/** Ids that exist upstream. */
function idsOf({ named }: Corpus): string[] {
  const global = ['Client', 'Deal', 'Contact', 'ContactList', 'Post', 'Dashboard', 'ApiToken', 'ForumPost'];
  const records = ['FlexRecord:DB:RECORD', 'FlexDb:DB', 'DB', 'RECORD'].map(named);
  return ['1', '2', 'shop', ...records, ...global.map((type) => `${type}:1`)];
}

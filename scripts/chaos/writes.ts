import { dice } from '../../test/support/dice.ts';
import type { Row } from './trial.ts';
import type { Told } from './writes/intents.ts';
import { type Run, runWrites } from './writes/run.ts';
import { tallyOf } from './writes/verdict.ts';

const COUNT = { creations: 2_000, updates: 2_000 };

/** Of the intents that many have to be applied: a run in which all are refused would show nothing. */
const APPLIED_SHARE = 0.7;

/**
 * Writes with retries by Apollo Client and urql, over two replicas with Redis: connections are cut at random places between the
 * clients and the gateways and between the gateways and upstream, Redis is killed and hung, and replicas are killed between
 * upstream's commit and its answer. Once with keys, and once without.
 *
 * @param seed of the random places; 0 takes one by chance. It is printed
 */
export async function writes(seed: number, count = COUNT): Promise<Row[]> {
  const used = seed === 0 ? Math.ceil(Math.random() * 1_000_000) : seed;
  console.log(`writes: --seed ${used}`);
  const keyed = await runWrites({ ...count, keyed: true, roll: dice(used).roll });
  const unkeyed = await runWrites({ ...count, keyed: false, roll: dice(used).roll });
  const all = count.creations + count.updates;
  return [
    {
      case: `${count.creations} creations and ${count.updates} updates with a key: what became of them`,
      expected: `all are told, ${APPLIED_SHARE * 100} % APPLIED, and all events happen`,
      measured: summaryOf(keyed),
      passed: keyed.told.length === all && keyed.missed === 0 && appliedOf(keyed) >= APPLIED_SHARE * all,
    },
    noneOf('carried out twice', keyed.twice),
    noneOf('told APPLIED, and never carried out, or with the id of another record', keyed.lost),
    noneOf('told neither APPLIED nor UNKNOWN nor REFUSED', keyed.untold),
    noneOf('told REFUSED, and carried out', keyed.refusedYetApplied),
    {
      case: 'the same without a key: carried out twice',
      expected: 'some: else the run shows nothing',
      measured: `${unkeyed.twice.length}; ${summaryOf(unkeyed)}`,
      passed: unkeyed.twice.length > 0,
    },
  ];
}

const appliedOf = ({ told }: Run) => told.filter(({ outcome }) => outcome === 'APPLIED').length;

function summaryOf({ told, cuts, seconds, events }: Run): string {
  return `${told.length} in ${seconds.toFixed(0)} s, ${cuts} cuts, ${events.join(', ')}: ${tallyOf(told)}`;
}

function noneOf(what: string, found: readonly Told[]): Row {
  const some = found.slice(0, 3).map(({ intent, outcome }) => `${intent.name} (${outcome})`);
  return {
    case: `writes with a key: ${what}`,
    expected: 'none',
    measured: [String(found.length), ...some].join(', '),
    passed: found.length === 0,
  };
}

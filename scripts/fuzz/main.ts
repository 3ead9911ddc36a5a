// Tries the gateway with random documents, answers and headers: see README.md.
import { parseArgs } from 'node:util';
import { recordCorpus } from './corpus.ts';
import { House } from './house.ts';
import { largeSnapshot } from './large-snapshot.ts';
import { type Finding, properties, tryProperty } from './properties.ts';
import { SizedHouse, trySizes } from './sized-house.ts';
import { type SizedName, sizedNames } from './sizes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    property: { type: 'string' },
    path: { type: 'string' },
  },
});

const RUNS = 50; // a round of one property, after which the time is looked at
const SIZED_RUNS = 5; // each takes about as long as ten others

const isChosen = (name: string) => values.property === undefined || values.property === name;
const firstSeed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
const endsAt = performance.now() + Number(values.seconds) * 1000;
const corpus = await recordCorpus();
const house = new House(corpus);
await house.open();
const sizedHouse = new SizedHouse();
await sizedHouse.open();
const snapshot = largeSnapshot();
const largeHouse = new SizedHouse({ FLEX_SCHEMA: snapshot.file });
await largeHouse.open();
/** What might take time by the size of the schema is tried with 54,000 types, too. */
const sizedCases: readonly (readonly [SizedHouse, SizedName])[] = [
  ...sizedNames.map((name) => [sizedHouse, name] as const),
  [largeHouse, 'documents of many names'],
  [largeHouse, 'introspection'],
];

const findings = new Map<string, Finding>();
let cases = 0;
let seed = firstSeed;
try {
  do {
    const { path } = values;
    for (const property of properties.filter(isChosen)) {
      await round(RUNS, tryProperty(house, corpus, property, { seed, runs: RUNS, path }));
    }
    for (const [sized, property] of sizedCases.filter(([, name]) => isChosen(name))) {
      await round(SIZED_RUNS, trySizes(sized, property, { seed, runs: SIZED_RUNS, path }));
    }
    seed += 1;
  } while (performance.now() < endsAt && values.path === undefined);
} finally {
  await house.close();
  await sizedHouse.close();
  await largeHouse.close();
  snapshot.remove();
}

console.log(`${cases} cases from seed ${firstSeed} to ${seed - 1}: ${findings.size} findings.`);
process.exitCode = findings.size === 0 ? 0 : 1;

async function round(runs: number, tried: Promise<Finding | undefined>): Promise<void> {
  const finding = await tried;
  cases += runs;
  if (finding) report(finding);
}

/** Prints a finding, unless another one like it was printed already. */
function report(finding: Finding): void {
  const kind = finding.report.slice(0, 60);
  if (findings.has(kind)) return;
  findings.set(kind, finding);
  const { property, seed, path } = finding;
  console.log(
    `${finding.report}\n  again: npm run fuzz -- --property ${JSON.stringify(property)} --seed ${seed} --path ${path}\n`,
  );
}

// `npm run bench:bounds`: measures what only a clock can tell, and prints each bound with its figure. Ends with 1 where one does
// not hold. `npm run bench:bounds -- xml` measures the bounds whose names contain `xml`.
import { type Bound, check } from './bounds/bound.ts';
import { callersThatLeave } from './bounds/callers-that-leave.ts';
import { externalIdBounds } from './bounds/external-ids.ts';
import { formats } from './bounds/formats.ts';
import { hostileAnswers } from './bounds/hostile-answers.ts';
import { hostileRequests } from './bounds/hostile-requests.ts';
import { largeResponses } from './bounds/large-responses.ts';
import { lists } from './bounds/lists.ts';
import { longWork } from './bounds/long-work.ts';
import { prepareThisProcess } from './driver/processes.ts';

const BOUNDS: readonly Bound[] = [
  ...formats,
  ...lists,
  ...externalIdBounds,
  ...longWork,
  ...largeResponses,
  ...callersThatLeave,
  ...hostileRequests,
  ...hostileAnswers,
];

prepareThisProcess();

const [part = ''] = process.argv.slice(2);
let broken = 0;
for (const bound of BOUNDS) {
  if (!bound.name.includes(part)) continue;
  const { figure, holds } = await check(bound);
  const [shown, limit] = [figure, bound.limit].map((value) => value.toFixed(0).padStart(6));
  console.log(`${holds ? 'holds ' : 'BROKEN'} ${shown} of ${limit} ${bound.unit.padEnd(9)}  ${bound.name}`);
  if (!holds) broken += 1;
}
process.exitCode = broken === 0 ? 0 : 1;

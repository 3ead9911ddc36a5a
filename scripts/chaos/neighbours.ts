import { clientList, requestsTo } from './client-list.ts';
import { openLoop, p99Of } from './open-loop.ts';
import { answering, postOf, type Row, startGateway, startUpstream } from './trial.ts';

/** A load that the gateway serves with ease: requests of the CRM per second. */
const PER_SECOND = 100;

/** Requests per second of the API that hangs. Each waits until its deadline, or is refused by the breaker. */
const HANGING_PER_SECOND = 50;

const CLIENTS = 500;
const SECONDS = 6;
const ROUNDS = 5;

/** The deadline of the calls, in milliseconds: calls begin to fail during each measurement. */
const TIMEOUT_MS = 2_000;

/** Measures the latency of one API alone, and beside another one that never answers. */
export async function neighbours(): Promise<Row[]> {
  const crm = await startUpstream(answering(clientList(CLIENTS)));
  const hanging = await startUpstream(() => {});
  const settings = { CRM_URL: crm.url, CRM_SHARES_TOKEN: 'true', ACCOUNT_URL: hanging.url };
  const rounds: { alone: number; beside: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // A gateway of its own for each round: the breaker of the last one may be open.
    const gateway = await startGateway({ ...settings, UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS) });
    const load = { perSecond: PER_SECOND, seconds: SECONDS };
    await openLoop(gateway.port, requestsTo(gateway.port, CLIENTS), load); // compiles the code
    const alone = await openLoop(gateway.port, requestsTo(gateway.port, CLIENTS), load);
    const hangs = openLoop(gateway.port, () => postOf(gateway.port, '{ apiTokens { name } }'), {
      perSecond: HANGING_PER_SECOND,
      seconds: SECONDS,
    });
    const beside = await openLoop(gateway.port, requestsTo(gateway.port, CLIENTS), load);
    await hangs;
    await gateway.stop();
    rounds.push({ alone: p99Of(alone.answers), beside: p99Of(beside.answers) });
  }
  await Promise.all([crm.stop(), hanging.stop()]);
  const byRatio = rounds.toSorted((one, other) => one.beside / one.alone - other.beside / other.alone);
  const { alone, beside } = byRatio[Math.floor(ROUNDS / 2)] ?? { alone: 0, beside: Infinity };
  return [
    {
      case: 'the latency of an API beside another one that hangs',
      expected: 'p99 within 1.2 times of that alone, in the median round',
      measured: `${beside.toFixed(1)} ms for ${alone.toFixed(1)} ms`,
      passed: beside <= 1.2 * alone,
    },
  ];
}

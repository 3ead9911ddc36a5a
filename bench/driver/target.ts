import type { Target } from '../targets.ts';
import { type Workload, type WorkloadName, requestBodies } from '../workloads/workload.ts';
import { CPUS, freePort, startNode, untilReady } from './processes.ts';
import type { Upstream } from './upstream.ts';

/** A gateway under test, running, and answering. */
export interface RunningTarget {
  readonly name: string;
  readonly pid: number;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly workload: (name: WorkloadName) => Workload;
  /** Milliseconds from the start of the process to the first answer. */
  readonly firstAnswerMs: number;
  readonly stop: () => Promise<void>;
}

const POLL_MS = 5;

export interface StartTargetOptions {
  readonly nodeOptions?: readonly string[];
  readonly cpu?: string;
}

/**
 * Starts a target and waits for its first answer.
 *
 * @param nodeOptions go before the target's own arguments: `--cpu-prof`
 * @param cpu where processes can be pinned, the one that it runs on
 */
export async function startTarget(
  target: Target,
  upstream: Pick<Upstream, 'origin' | 'clients'>,
  { nodeOptions = [], cpu = CPUS.target }: StartTargetOptions = {},
): Promise<RunningTarget> {
  const port = await freePort();
  const workloads = target.workloads(upstream.clients);
  const started = performance.now();
  const running = startNode([...nodeOptions, ...target.args], {
    cpu,
    env: { NODE_ENV: 'production', PORT: String(port), ...target.env(upstream.origin, upstream.clients) },
  });
  const answering = {
    name: target.name,
    pid: running.pid,
    url: new URL(`http://127.0.0.1:${port}/graphql`),
    headers: target.headers,
    workload: (name: WorkloadName) => workloads[name],
    stop: running.stop,
  };
  await untilReady(running, () => verify(answering, 'W0'), POLL_MS);
  return { ...answering, firstAnswerMs: performance.now() - started };
}

/** Sends the first request of a workload. @throws Error when the answer is not the whole and right one */
export async function verify(target: Omit<RunningTarget, 'firstAnswerMs'>, name: WorkloadName): Promise<void> {
  const workload = target.workload(name);
  const [body] = requestBodies(name, workload);
  const response = await fetch(target.url, { method: 'POST', headers: target.headers, body: body?.toString() ?? null });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${target.name} ${name}: ${response.status} ${text.slice(0, 300)}`);
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('data' in answer) || 'errors' in answer) {
    throw new Error(`${target.name} ${name}: ${text.slice(0, 300)}`);
  }
  workload.check(answer.data);
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { answering, postOf, type Row, startGateway, startUpstream } from './trial.ts';

const RUNS = 20;
const CONNECTIONS = 100;

/** The loss of one run. */
interface Run {
  readonly sent: number;
  readonly lost: number;
  readonly exitCode: number | null;
}

/** SIGTERM under load with 100 kept connections, 20 times. */
export async function lifecycle(): Promise<Row[]> {
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await shutdown());
  const lost = runs.reduce((sum, run) => sum + run.lost, 0);
  const sent = runs.reduce((sum, run) => sum + run.sent, 0);
  const failed = runs.filter(({ exitCode }) => exitCode !== 0).length;
  return [
    {
      case: `SIGTERM under load, ${RUNS} runs: requests without an answer of 200`,
      expected: 'none',
      measured: `${lost} of ${sent}`,
      passed: lost === 0,
    },
    {
      case: `SIGTERM under load, ${RUNS} runs: exit codes other than 0`,
      expected: 'none',
      measured: String(failed),
      passed: failed === 0,
    },
  ];
}

async function shutdown(): Promise<Run> {
  const upstream = await startUpstream(answering('[{"id":1}]'));
  const gateway = await startGateway({ ACCOUNT_URL: upstream.url, SHUTDOWN_TIMEOUT_MS: '8000' });
  const tally = { sent: 0, lost: 0 };
  const callers = Array.from({ length: CONNECTIONS }, () => askUntilRefused(gateway.port, tally));
  await new Promise((resolve) => setTimeout(resolve, 500)); // all callers are in full swing
  gateway.signal('SIGTERM');
  const exitCode = await gateway.ended;
  await Promise.all(callers);
  await upstream.stop();
  return { ...tally, exitCode };
}

/** Sends requests one after the other, over a new connection when the last one said that it closes. */
async function askUntilRefused(port: number, tally: { sent: number; lost: number }): Promise<void> {
  const request = postOf(port, '{ apiTokens { upstreamId } }');
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (!isOpen) return;
    socket.on('error', () => {}); // its request is counted as lost
    for (let isKept = true; isKept;) {
      tally.sent += 1;
      socket.write(request);
      const answer = await answerOf(socket);
      if (!answer.startsWith('HTTP/1.1 200 ')) tally.lost += 1;
      isKept = answer !== '' && !/\r\nconnection: close\r\n/i.test(answer);
    }
    socket.destroy();
  }
}

/** The whole answer; an empty text when the connection closes before its end. */
async function answerOf(socket: Socket): Promise<string> {
  let answer = '';
  return new Promise((resolve) => {
    const end = (whole: string) => {
      socket.off('data', onData).off('close', onClose);
      resolve(whole);
    };
    const onClose = () => end('');
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const head = answer.indexOf('\r\n\r\n') + 4;
      const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
      if (head > 3 && length !== undefined && answer.length >= head + Number(length)) end(answer);
    };
    socket.on('data', onData).on('close', onClose);
    if (socket.destroyed) onClose();
  });
}

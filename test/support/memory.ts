import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The most that a process has held in memory so far; off Linux no more than what it holds now. Not its `maxRSS`: that
 * counts from what its parent held when it was forked, and the parent is a worker of these tests.
 */
export function peakBytes(pid: number): number {
  const [, kilobytes] =
    process.platform === 'linux'
      ? (/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [])
      : [undefined, execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()];
  return Number(kilobytes) * 1024;
}

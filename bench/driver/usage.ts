// What a process used, as Linux tells it. Other systems tell nothing: the figures are NaN there.
import { readFileSync, writeFileSync } from 'node:fs';

/** A clock tick of /proc in milliseconds: USER_HZ is 100 on Linux. */
const TICK_MS = 10;

const orNaN = (read: () => number) => {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
};

/** The CPU time of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  return orNaN(() => {
    // The name of the command, in brackets, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  });
}

/** The CPU time of all processes of this machine so far, in milliseconds. */
export function machineCpuMs(): number {
  return orNaN(() => {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const [user, nice, system, _idle, _wait, irq, softirq, steal] = line.split(/ +/).slice(1).map(Number);
    return [user, nice, system, irq, softirq, steal].reduce<number>((sum, ticks = 0) => sum + ticks, 0) * TICK_MS;
  });
}

const status = (pid: number, field: string) =>
  orNaN(() => {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${field}:`));
    return Number(line?.split(/\s+/)[1]) / 1024;
  });

/** The resident memory of a process, in MB. */
export const rssMb = (pid: number) => status(pid, 'VmRSS');

/** The most resident memory since the start, or since `resetPeak`, in MB. */
export const peakRssMb = (pid: number) => status(pid, 'VmHWM');

export function resetPeak(pid: number): void {
  orNaN(() => {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return 0;
  });
}

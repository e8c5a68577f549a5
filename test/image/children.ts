import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a process has started, on Linux; nowhere else is there an easy way to ask. */
export function childProcesses(parent = process.pid): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && status(pid, 'PPid') === parent && status(pid, 'VmRSS') > 0);
}

export function residentBytes(pid: number): number {
  return status(pid, 'VmRSS') * 1_024;
}

/** The most memory a process has had at any time. */
export function peakResidentBytes(pid: number): number {
  return status(pid, 'VmHWM') * 1_024;
}

// A process that has just ended has no file any more, and one that is ending no memory.
function status(pid: number, name: string): number {
  try {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

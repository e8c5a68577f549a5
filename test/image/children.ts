import { readdirSync, readFileSync } from 'node:fs';

/** The child processes of a process, on Linux only. */
export function childProcesses(parent = process.pid): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && status(pid, 'PPid') === parent && status(pid, 'VmRSS') > 0);
}

export function residentBytes(pid: number): number {
  return status(pid, 'VmRSS') * 1_024;
}

/** The peak resident memory of a process. */
export function peakResidentBytes(pid: number): number {
  return status(pid, 'VmHWM') * 1_024;
}

// An ended process has no status file, and an ending one has no memory.
function status(pid: number, name: string): number {
  try {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = { path: string; remove(): void };

/** A file system of its own that is soon full, or null where this process may not mount one. */
export function mountSmallDisk(kib: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'commerce-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    remove: () => {
      execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
      rmSync(path, { recursive: true });
    },
  };
}

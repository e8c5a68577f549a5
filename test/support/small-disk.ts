import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  path: string;
  /** Fills the remaining space. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): void;
};

/** Mounts a small file system; null if this process may not mount one. */
export function mountSmallDisk(kib: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'commerce-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: async () => {
      const error = await writeFile(filler, Buffer.alloc(kib * 1024 + 1)).catch(
        (error: NodeJS.ErrnoException) => error,
      );
      if (error?.code !== 'ENOSPC') throw new Error(`${path} is not full`, { cause: error });
    },
    free: async () => await rm(filler),
    remove: () => {
      execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
      rmSync(path, { recursive: true });
    },
  };
}

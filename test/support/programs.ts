import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

export const shell = promisify(execFile);

/** Skips a test with the reason if a program is not installed. */
export async function needs(context: TestContext, program: string, packageName: string): Promise<void> {
  if (await isInstalled(program)) return;
  const reason = `${program} is not installed (Debian's package ${packageName})`;
  console.log(`skipped: ${reason}`);
  context.skip(reason);
}

export async function isInstalled(program: string): Promise<boolean> {
  return await shell('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

/** The folder of the newest PostgreSQL server of Debian, or null. */
export async function debianPostgres(): Promise<string | null> {
  const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
  const newest = versions
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b)
    .at(-1);
  return newest === undefined ? null : `${DEBIAN_POSTGRES}/${newest}/bin`;
}

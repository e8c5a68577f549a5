import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;
const MAX_WAIT_MS = 120_000;

export type FileLock = { release(): void };

/**
 * A file lock that the operating system releases when its holder ends, also after a crash. Node has no such lock, so
 * the empty file is locked as an SQLite database.
 */
export function tryFileLock(path: string, mode: 'shared' | 'exclusive'): FileLock | null {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec(mode === 'exclusive' ? 'begin exclusive' : 'begin; select 1 from sqlite_schema');
    return { release: () => file.close() };
  } catch {
    file.close();
    return null;
  }
}

/** Waits for the lock. */
export async function fileLock(path: string, mode: 'shared' | 'exclusive'): Promise<FileLock> {
  for (const end = performance.now() + MAX_WAIT_MS; ;) {
    const lock = tryFileLock(path, mode);
    if (lock) return lock;
    if (performance.now() > end)
      throw new Error(`Another process holds ${path} for more than ${MAX_WAIT_MS / 1_000} s.`);
    await wait(POLL_MS);
  }
}

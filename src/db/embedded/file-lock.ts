import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;
const MAX_WAIT_MS = 120_000;

export type FileLock = { release(): void };

/**
 * A lock on a file that the operating system takes back when its holder ends, however it ends: no
 * stale lock, no process id that another process has by now. Node has none of its own; the empty
 * file is opened as an SQLite database, which locks it on every system.
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

/** Waits its turn. */
export async function fileLock(path: string, mode: 'shared' | 'exclusive'): Promise<FileLock> {
  for (const end = Date.now() + MAX_WAIT_MS; ;) {
    const lock = tryFileLock(path, mode);
    if (lock) return lock;
    if (Date.now() > end) throw new Error(`Another process holds ${path} for more than ${MAX_WAIT_MS / 1_000} s.`);
    await wait(POLL_MS);
  }
}

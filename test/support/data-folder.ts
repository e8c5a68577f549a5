import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
/** Four times what the databases of a whole run take. */
const FREE_BYTES = 4 * 1024 ** 3;

/**
 * Makes a folder for the data of a PostgreSQL server, which its user can reach: in memory if there is enough, unless
 * TMPDIR names a place. A copy of the template is 700 files; to create them on a disk took a quarter of PostgreSQL's CPU
 * in a run.
 */
export async function makeDataFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(process.env.TMPDIR === undefined ? await roomyFolder() : tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}

async function roomyFolder(): Promise<string> {
  const freeBytes = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return freeBytes >= FREE_BYTES ? MEMORY_FOLDER : tmpdir();
}

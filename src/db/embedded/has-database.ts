import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the folder has an embedded database, running or not. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  return await access(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

import { open } from 'node:fs/promises';

/** After a power loss a folder may lack a new or renamed file, although the file itself is synced. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

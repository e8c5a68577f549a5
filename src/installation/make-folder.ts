import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The file system of a folder, such as `/proc`, accepts no folders. */
export class NoFoldersError extends Error {}

/**
 * Creates a folder and its missing parents. Node's `mkdir` with `recursive: true` never ends in a file system in which
 * no folder can be created, such as `/proc`: the system call fails with ENOENT, which means that a parent is missing,
 * and Node tries again without end.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await exists(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.toReversed()) await mkdir(folder).catch((error: unknown) => ended(error, folder));
  if (!(await stat(path)).isDirectory())
    throw Object.assign(new Error(`ENOTDIR: ${path} is not a folder`), { code: 'ENOTDIR' });
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Another process may have created the folder meanwhile. */
function ended(error: unknown, folder: string): void {
  const code = codeOf(error);
  if (code === 'EEXIST') return;
  if (code === 'ENOENT') throw new NoFoldersError(`${folder} cannot be created: ${dirname(folder)} accepts no folders`);
  throw error;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

import { rename, rm } from 'node:fs/promises';

/**
 * Replaces a file by the one that `write` makes beside it. If `write` fails, the file is as it was before, and a new
 * file does not exist.
 */
export async function replaceFile<T>(path: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    const result = await write(unfinished);
    await rename(unfinished, path);
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

import { realpath, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file by the one that `write` makes beside it. If `write` fails, the file is as it was before, and a new
 * file does not exist. If `path` is a symbolic link, the file to which it points is replaced.
 */
export async function replaceFile<T>(path: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  const target = await realpath(path).catch(() => path);
  const unfinished = `${target}.${process.pid}.unfinished`;
  try {
    const result = await write(unfinished);
    await rename(unfinished, target);
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

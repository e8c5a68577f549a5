import { randomUUID } from 'node:crypto';
import { type FileHandle, open, opendir, readFile, rename, rm, rmdir, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../installation/make-folder.ts';
import { syncFolder } from '../installation/sync-folder.ts';
import { checkKey, checkPrefix } from './storage-key.ts';
import type { ImageStorage, OpenedObject, StoredObject } from './storage.ts';

// No key starts with a dot, so unfinished files are never read or listed.
const UNFINISHED = '.unfinished';
const MAX_UNFINISHED_AGE_MS = 60 * 60 * 1_000;
/**
 * Free space that pictures leave on their disk, or this part of a small disk. It may be the disk of the database: when
 * that is full, PostgreSQL refuses the changes of all merchants. As much as its write-ahead log takes by default.
 */
const RESERVED_BYTES = 1024 ** 3;
const RESERVED_PART = 1 / 10;
/** Receipts of erasures. They are small, and may use the reserve. */
const RECEIPT_TYPE = 'application/json';

export function openFolderStorage(folder: string): ImageStorage {
  const root = resolve(folder);
  const fileOf = (key: string) => join(root, checkKey(key));
  let prepared: Promise<void> | null = null;
  const prepareOnce = () => (prepared ??= prepare(root).catch(prepareAgain));
  function prepareAgain(error: unknown): never {
    prepared = null;
    throw error;
  }

  return {
    async write(key, bytes, contentType) {
      const file = fileOf(key);
      await prepareOnce();
      if (contentType !== RECEIPT_TYPE) await checkReserve(root).catch(prepareAgain);
      // The folder may have been replaced meanwhile, for example by a mount.
      await writeWhole(root, file, bytes).catch(prepareAgain);
    },
    async read(key) {
      return readFile(fileOf(key)).catch(nullWhenAbsent);
    },
    async open(key) {
      const handle = await open(fileOf(key)).catch(nullWhenAbsent);
      return handle && (await openedFile(handle));
    },
    async exists(key) {
      return (await stat(fileOf(key)).catch(nullWhenAbsent)) !== null;
    },
    async delete(key) {
      await unlink(fileOf(key)).catch(nullWhenAbsent);
      // Each picture has a folder of its own. One with other files stays.
      await rmdir(dirname(fileOf(key))).catch(() => {});
    },
    list(prefix) {
      return listFolder(root, checkPrefix(prefix));
    },
    close() {},
  };
}

/** Removes the unfinished files of killed processes, once they are too old to be in use. */
async function prepare(root: string): Promise<void> {
  const unfinished = join(root, UNFINISHED);
  await makeFolder(unfinished);
  for await (const { name } of await opendir(unfinished)) {
    const found = await stat(join(unfinished, name)).catch(nullWhenAbsent);
    if (found && Date.now() - found.mtimeMs > MAX_UNFINISHED_AGE_MS) {
      await rm(join(unfinished, name), { force: true });
    }
  }
}

async function checkReserve(root: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(root);
  const reserved = Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_PART);
  if (bavail * bsize >= reserved) return;
  throw new Error(
    `The disk of ${root} has less than the ${Math.ceil(reserved / 1024 ** 2)} MiB that pictures leave free`,
  );
}

// A row that refers to the file is committed next, so the file must survive a power loss: sync its bytes, its name and
// the folders created for it.
async function writeWhole(root: string, file: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(root, UNFINISHED, randomUUID());
  try {
    await using handle = await open(unfinished, 'wx');
    await handle.writeFile(bytes);
    await handle.sync();
    // Again, because the folder is removed with its last file, which may have been at this moment.
    await moveTo(file, unfinished).catch(async () => await moveTo(file, unfinished));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  for (let folder = dirname(file); folder.startsWith(root); folder = dirname(folder)) {
    await syncFolder(folder);
  }
}

async function moveTo(file: string, unfinished: string): Promise<void> {
  await makeFolder(dirname(file));
  await rename(unfinished, file);
}

async function openedFile(handle: FileHandle): Promise<OpenedObject> {
  try {
    const { size } = await handle.stat();
    return { size, stream: handle.createReadStream() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function* listFolder(root: string, prefix: string): AsyncGenerator<StoredObject> {
  const folder = await opendir(join(root, prefix)).catch(nullWhenAbsent);
  for await (const entry of folder ?? []) {
    const key = `${prefix}${entry.name}`;
    if (entry.isDirectory() && entry.name !== UNFINISHED) {
      yield* listFolder(root, `${key}/`);
    }
    const found = entry.isFile() ? await stat(join(root, key)).catch(nullWhenAbsent) : null;
    if (found) {
      yield { key, size: found.size, modifiedAt: found.mtime };
    }
  }
}

function nullWhenAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') {
    return null;
  }
  throw error;
}

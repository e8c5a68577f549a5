import type { ImageStorage } from '../../image/storage.ts';

/** Runs `work` on the store of the pictures and closes it. */
export async function withStorage<T>(work: (storage: ImageStorage) => Promise<T>): Promise<T> {
  const { loadConfig } = await import('../../config.ts');
  const { openStorage } = await import('../../image/storage.ts');
  const storage = await openStorage(loadConfig().storageUrl);
  try {
    return await work(storage);
  } finally {
    storage.close();
  }
}

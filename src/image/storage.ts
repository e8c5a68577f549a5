import { fileURLToPath } from 'node:url';
import { openFolderStorage } from './folder-storage.ts';

export type StoredObject = { readonly key: string; readonly size: number; readonly modifiedAt: Date };

/** Where pictures are kept. A write is there wholly or not at all, and stays once it has returned. */
export type ImageStorage = {
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Null when there is nothing under the key. */
  read(key: string): Promise<Buffer | null>;
  exists(key: string): Promise<boolean>;
  /** Fine when there is nothing under the key. */
  delete(key: string): Promise<void>;
  /** In no particular order; `prefix` is empty or whole segments with a slash at the end. */
  list(prefix: string): AsyncIterable<StoredObject>;
  close(): void;
};

/** A storage that knows whether it works. */
export type WatchedStorage = ImageStorage & {
  /** Answers from memory, but for a test from time to time. */
  isWritable(): Promise<boolean>;
};

/** `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…&forcePathStyle=true`. */
export async function openStorage(url: string): Promise<ImageStorage> {
  const location = URL.canParse(url) ? new URL(url) : null;
  if (location?.protocol === 'file:') return openFolderStorage(fileURLToPath(location));
  if (location?.protocol === 's3:') {
    // Its SDK is loaded by those who have a bucket.
    const { openS3Storage } = await import('./s3-storage.ts');
    return openS3Storage(location);
  }
  throw new Error('The storage URL must start with file:/// or s3://');
}

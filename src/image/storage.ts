import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isMissingPackage, MissingPackageError } from '../installation/missing-package.ts';
import { openFolderStorage } from './folder-storage.ts';

export type StoredObject = { readonly key: string; readonly size: number; readonly modifiedAt: Date };
/** Its reader reads the stream to the end or destroys it. */
export type OpenedObject = { readonly size: number; readonly stream: Readable };

/** Stores pictures. A write is atomic, and durable once it has returned. */
export type ImageStorage = {
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Null if the key does not exist. */
  read(key: string): Promise<Buffer | null>;
  /** For slow readers: only a small part is in memory. Null if the key does not exist. */
  open(key: string): Promise<OpenedObject | null>;
  exists(key: string): Promise<boolean>;
  /** No error if the key does not exist. */
  delete(key: string): Promise<void>;
  /** Unordered. `prefix` is empty, or whole segments with a slash at the end. */
  list(prefix: string): AsyncIterable<StoredObject>;
  close(): void;
};

/** A storage with a health check. */
export type MonitoredStorage = ImageStorage & {
  /** Returns the last known state, and tests the storage from time to time. */
  isWritable(): Promise<boolean>;
};

/** `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…&forcePathStyle=true`. */
export async function openStorage(url: string): Promise<ImageStorage> {
  const location = URL.canParse(url) ? new URL(url) : null;
  if (location?.protocol === 'file:') return openFolderStorage(fileURLToPath(location));
  if (location?.protocol === 's3:') {
    // Loads the SDK only if a bucket is used.
    const { openS3Storage } = await import('./s3-storage.ts').catch((error: unknown) => {
      throw isMissingPackage(error) ? new MissingPackageError('@aws-sdk/client-s3, for STORAGE_URL=s3://…,') : error;
    });
    return openS3Storage(location);
  }
  throw new Error('The storage URL must start with file:/// or s3://');
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import { CommerceError } from '../errors.ts';
import { checkKey } from './storage-key.ts';
import type { ImageStorage, WatchedStorage } from './storage.ts';

/** A storage that works is tested this often at most, one that has failed sooner. */
const TESTED_EVERY_MS = 60_000;
const TESTED_AFTER_FAILURE_MS = 5_000;
/** A bucket may take a minute to fail; who asks is told before. */
const TEST_WAITED_FOR_MS = 2_000;
/** Written for the test, and removed. All processes share the key: none leaves more than one behind. */
const TEST_KEY = 'storage-test';
const TEST_BYTES = Buffer.alloc(64 * 1024, 0x61);

/**
 * Remembers whether the storage works, for the readiness check. Its failures, such as a full disk or a bucket
 * that does not answer, become SERVICE_UNAVAILABLE, and are logged when they begin and when they end.
 */
export function watchStorage(storage: ImageStorage, log: Logger): WatchedStorage {
  let isFailing = false;
  let testedAtMs = -Infinity;
  let testing: Promise<void> | null = null;

  function succeeded(): void {
    if (isFailing) log.info({}, 'the image storage works again');
    isFailing = false;
    testedAtMs = performance.now();
  }
  function failed(error: unknown): never {
    if (!isFailing) log.error({ err: error }, 'the image storage has failed');
    isFailing = true;
    testedAtMs = performance.now();
    throw new CommerceError('SERVICE_UNAVAILABLE', 'Pictures cannot be stored or read at the moment. Try again later.');
  }
  async function test(): Promise<void> {
    await storage.write(TEST_KEY, TEST_BYTES, 'text/plain').then(succeeded, failed);
    await storage.delete(TEST_KEY);
  }
  return {
    ...storage,
    async write(key, bytes, contentType) {
      checkKey(key);
      await storage.write(key, bytes, contentType).then(succeeded, failed);
    },
    // Reading says nothing of whether the storage can be written, so a success changes nothing.
    read: async (key) => await storage.read(checkKey(key)).catch(failed),
    exists: async (key) => await storage.exists(checkKey(key)).catch(failed),
    async isWritable() {
      const isFresh = performance.now() - testedAtMs < (isFailing ? TESTED_AFTER_FAILURE_MS : TESTED_EVERY_MS);
      if (isFresh) return !isFailing;
      testing ??= test()
        .catch(() => undefined)
        .finally(() => (testing = null));
      await Promise.race([testing, wait(TEST_WAITED_FOR_MS, undefined, { ref: false })]);
      return !isFailing && testing === null;
    },
  };
}

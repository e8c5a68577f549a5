import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import { CommerceError } from '../errors.ts';
import { checkKey } from './storage-key.ts';
import type { ImageStorage, WatchedStorage } from './storage.ts';

/** The minimum interval of tests while the storage works, and after a failure. */
const TEST_INTERVAL_MS = 60_000;
const RETEST_INTERVAL_MS = 5_000;
/** A bucket may take a minute to fail. The readiness check does not wait that long. */
const TEST_WAIT_MS = 2_000;
/** Written and removed by each test. All processes share the key, so at most one object is left behind. */
const TEST_KEY = 'storage-test';
const TEST_BYTES = Buffer.alloc(64 * 1024, 0x61);

/**
 * Tracks whether the storage works, for the readiness check. Turns its failures, such as a full disk, into
 * SERVICE_UNAVAILABLE, and logs when they begin and end.
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
    // A successful read does not prove that writes work, so it changes nothing.
    read: async (key) => await storage.read(checkKey(key)).catch(failed),
    exists: async (key) => await storage.exists(checkKey(key)).catch(failed),
    async isWritable() {
      const isFresh = performance.now() - testedAtMs < (isFailing ? RETEST_INTERVAL_MS : TEST_INTERVAL_MS);
      if (isFresh) return !isFailing;
      testing ??= test()
        .catch(() => undefined)
        .finally(() => (testing = null));
      await Promise.race([testing, wait(TEST_WAIT_MS, undefined, { ref: false })]);
      return !isFailing && testing === null;
    },
  };
}

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import { CommerceError } from '../errors.ts';
import { checkKey } from './storage-key.ts';
import type { ImageStorage, MonitoredStorage } from './storage.ts';

/** The minimum interval of tests while the storage works, and after a failure. */
const TEST_INTERVAL_MS = 60_000;
const RETEST_INTERVAL_MS = 5_000;
/** A bucket may take a minute to fail. The readiness check does not wait that long. */
const TEST_WAIT_MS = 2_000;
/** Written and removed by each test. All processes share the key, so at most one object is left behind. */
const TEST_KEY = 'storage-test';
const TEST_BYTES = Buffer.alloc(64 * 1024, 0x61);

/** Turns failures of the storage, such as a full disk, into SERVICE_UNAVAILABLE, and tracks whether it works. */
export function monitorStorage(storage: ImageStorage, log: Logger): MonitoredStorage {
  const health = new StorageHealth(storage, log);
  const { succeeded, failed } = health;
  return {
    ...storage,
    async write(key, bytes, contentType) {
      checkKey(key);
      await storage.write(key, bytes, contentType).then(succeeded, failed);
    },
    // A successful read does not prove that writes work, so it changes nothing.
    read: async (key) => await storage.read(checkKey(key)).catch(failed),
    async open(key) {
      const opened = await storage.open(checkKey(key)).catch(failed);
      // A storage that fails before the first byte is reported as one that cannot be opened.
      if (opened) await once(opened.stream, 'readable').catch(failed);
      return opened;
    },
    exists: async (key) => await storage.exists(checkKey(key)).catch(failed),
    isWritable: async () => await health.isWritable(),
  };
}

/** The last known state of the storage, for the readiness check. Logs when failures begin and end. */
class StorageHealth {
  readonly #storage: ImageStorage;
  readonly #log: Logger;
  #isFailing = false;
  #testedAtMs = -Infinity;
  #testing: Promise<void> | null = null;

  constructor(storage: ImageStorage, log: Logger) {
    this.#storage = storage;
    this.#log = log;
  }

  readonly succeeded = (): void => {
    if (this.#isFailing) this.#log.info({}, 'the image storage works again');
    this.#isFailing = false;
    this.#testedAtMs = performance.now();
  };

  readonly failed = (error: unknown): never => {
    if (!this.#isFailing) this.#log.error({ err: error }, 'the image storage has failed');
    this.#isFailing = true;
    this.#testedAtMs = performance.now();
    throw new CommerceError('SERVICE_UNAVAILABLE', 'Pictures cannot be stored or read at the moment. Try again later.');
  };

  async isWritable(): Promise<boolean> {
    const maxAgeMs = this.#isFailing ? RETEST_INTERVAL_MS : TEST_INTERVAL_MS;
    if (performance.now() - this.#testedAtMs < maxAgeMs) return !this.#isFailing;
    this.#testing ??= this.#test()
      .catch(() => undefined)
      .finally(() => (this.#testing = null));
    await Promise.race([this.#testing, wait(TEST_WAIT_MS, undefined, { ref: false })]);
    return !this.#isFailing && this.#testing === null;
  }

  async #test(): Promise<void> {
    await this.#storage.write(TEST_KEY, TEST_BYTES, 'text/plain').then(this.succeeded, this.failed);
    await this.#storage.delete(TEST_KEY);
  }
}

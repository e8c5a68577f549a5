import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { taskContext } from '../../db/across/merchant-context.ts';
import { DEFAULT_RETRY_DELAYS_MS, type RetryDelaysMs } from '../../limits/retry-policy.ts';
import type { ImageDependencies } from '../upload-image.ts';
import { attemptBulkImage } from './attempt-bulk-image.ts';
import { claimBulkImages, failInterruptedImages, merchantsWithDueImages } from './claim-bulk-images.ts';

/** URLs fetched at the same time. Each picture may have 20 MB. */
const MAX_SLOTS = 6;
/** Leaves two slots to other merchants, so that they do not wait for slow hosts of one merchant. */
const MAX_SLOTS_PER_MERCHANT = 4;
/** How often merchants with due pictures are read while slots are in use. */
const DUE_POLL_INTERVAL_MS = 500;
const MAX_DUE_MERCHANTS = 1_000;
/** Longer than an attempt takes, even on a busy machine. */
const CLAIM_LAPSE_MS = 180_000;

export type Fetcher = Pick<Context, 'log'> & AcrossContext & ImageDependencies;
export type FetchSettings = {
  retryDelaysMs?: RetryDelaysMs;
  attemptLapsesMs?: number;
  signal?: AbortSignal;
};

/**
 * Fetches the due pictures of bulk requests, of all merchants, until there are none. Merchants are served round robin.
 * Several processes may do this at once, because each attempt is claimed first. Nothing is claimed while the storage
 * fails.
 */
export async function fetchBulkImages(fetcher: Fetcher, settings: FetchSettings = {}): Promise<void> {
  await new BulkFetch(fetcher, settings).run();
}

class BulkFetch {
  readonly #fetcher: Fetcher;
  readonly #settings: FetchSettings;
  readonly #signal: AbortSignal;
  /** Merchants that may have due pictures. The first one is served next. */
  #due: string[] = [];
  #dueReadAtMs = -Infinity;
  /** Running attempts and their merchants. */
  readonly #running = new Map<Promise<void>, string>();
  #failure: { readonly error: unknown } | null = null;

  constructor(fetcher: Fetcher, settings: FetchSettings) {
    this.#fetcher = fetcher;
    this.#settings = settings;
    this.#signal = settings.signal ?? new AbortController().signal;
  }

  /** After a failure, such as a lost connection, running attempts end before the error is thrown. */
  async run(): Promise<void> {
    while ((await this.#fillSlots()) || this.#running.size > 0) {
      if (this.#running.size > 0) await this.#slotFreeOrTimeout();
    }
    if (this.#failure) throw this.#failure.error;
  }

  /** True if an attempt was started. */
  async #fillSlots(): Promise<boolean> {
    if (this.#signal.aborted || this.#failure) return false;
    try {
      await this.#readDueMerchants();
      return await this.#claimRoundRobin();
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #claimRoundRobin(): Promise<boolean> {
    let hasStarted = false;
    for (let merchantId = this.#nextMerchant(); merchantId !== undefined; merchantId = this.#nextMerchant()) {
      const ctx = { ...this.#fetcher, ...taskContext(this.#fetcher.db, merchantId) };
      const { retryDelaysMs = DEFAULT_RETRY_DELAYS_MS } = this.#settings;
      const count = Math.min(this.#freeFor(merchantId), Math.ceil(this.#free() / this.#due.length));
      const claimed = await claimBulkImages(ctx, count, this.#settings.attemptLapsesMs ?? CLAIM_LAPSE_MS);
      for (const [url, images] of Map.groupBy(claimed, ({ url }) => url)) {
        this.#track(merchantId, attemptBulkImage(ctx, url, images, { retryDelaysMs, signal: this.#signal }));
        hasStarted = true;
      }
      if (claimed.length < count) {
        this.#due = this.#due.filter((id) => id !== merchantId);
        await failInterruptedImages(ctx);
      }
    }
    return hasStarted;
  }

  async #readDueMerchants(): Promise<void> {
    const isFresh = performance.now() - this.#dueReadAtMs < DUE_POLL_INTERVAL_MS;
    if (this.#free() === 0 || (isFresh && this.#running.size > 0)) return;
    const merchants = await merchantsWithDueImages(this.#fetcher, MAX_DUE_MERCHANTS);
    const found = new Set(merchants.length > 0 && (await this.#fetcher.storage.isWritable()) ? merchants : []);
    // Known merchants keep their order; new ones come last.
    this.#due = [...new Set(this.#due).intersection(found).union(found)];
    this.#dueReadAtMs = performance.now();
  }

  /** Round robin: the merchant moves to the end. */
  #nextMerchant(): string | undefined {
    const merchantId = this.#due.find((id) => this.#freeFor(id) > 0);
    if (merchantId !== undefined) this.#due = [...this.#due.filter((id) => id !== merchantId), merchantId];
    return merchantId;
  }

  #free(): number {
    return MAX_SLOTS - this.#running.size;
  }

  #freeFor(merchantId: string): number {
    const used = [...this.#running.values()].filter((id) => id === merchantId).length;
    return Math.min(this.#free(), MAX_SLOTS_PER_MERCHANT - used);
  }

  #track(merchantId: string, attempt: Promise<void>): void {
    const done: Promise<void> = attempt
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#running.delete(done));
    this.#running.set(done, merchantId);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }

  async #slotFreeOrTimeout(): Promise<void> {
    const timeout = new AbortController();
    const passed = wait(DUE_POLL_INTERVAL_MS, undefined, { signal: timeout.signal, ref: false }).catch(() => undefined);
    await Promise.race([...this.#running.keys(), passed]);
    timeout.abort();
  }
}

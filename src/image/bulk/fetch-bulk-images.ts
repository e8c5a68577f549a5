import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { ImageDependencies } from '../upload-image.ts';
import { attemptBulkImage, RETRY_DELAYS_MS } from './attempt-bulk-image.ts';
import { claimBulkImages, failInterruptedImages, merchantsWithDueImages } from './claim-bulk-images.ts';

/** Addresses that are fetched at once, as each picture may be 20 MB. */
const SLOTS = 6;
/** One merchant leaves two to the others, so that nobody waits until its slow addresses have answered. */
const SLOTS_PER_MERCHANT = 4;
/** How soon another merchant is noticed while slots are in use. Nothing is read when there is nothing to do. */
const DUE_READ_EVERY_MS = 500;
const DUE_MERCHANTS_MAX = 1_000;
/** Longer than an attempt takes, on a busy machine too. */
const ATTEMPT_LAPSES_MS = 180_000;

export type Fetcher = Pick<Context, 'db' | 'log'> & ImageDependencies;
export type FetchSettings = {
  retryDelaysMs?: readonly [number, number];
  attemptLapsesMs?: number;
  signal?: AbortSignal;
};

/**
 * Fetches the pictures that bulk requests have named and that are due, of all merchants, until there are none. Merchants
 * take turns, and a slot is used again as soon as it is free. Several processes may do it: a row is claimed before its attempt.
 * Nothing is claimed while pictures cannot be stored.
 */
export async function fetchBulkImages(fetcher: Fetcher, settings: FetchSettings = {}): Promise<void> {
  await new BulkFetch(fetcher, settings).run();
}

class BulkFetch {
  readonly #fetcher: Fetcher;
  readonly #settings: FetchSettings;
  readonly #signal: AbortSignal;
  /** Merchants that have due pictures, as far as is known. The one whose turn is next comes first. */
  #due: string[] = [];
  #dueReadAtMs = -Infinity;
  /** The slots in use, and whose they are. */
  readonly #underWay = new Map<Promise<void>, string>();
  #failure: { readonly error: unknown } | null = null;

  constructor(fetcher: Fetcher, settings: FetchSettings) {
    this.#fetcher = fetcher;
    this.#settings = settings;
    this.#signal = settings.signal ?? new AbortController().signal;
  }

  /** After a failure, such as a lost database, what is under way is ended before it is thrown. */
  async run(): Promise<void> {
    while ((await this.#fillSlots()) || this.#underWay.size > 0) {
      if (this.#underWay.size > 0) await this.#slotFreedOrTime();
    }
    if (this.#failure) throw this.#failure.error;
  }

  /** True when something was begun, which may be done again by now. */
  async #fillSlots(): Promise<boolean> {
    if (this.#signal.aborted || this.#failure) return false;
    try {
      await this.#readDue();
      return await this.#claimInTurns();
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #claimInTurns(): Promise<boolean> {
    let hasBegun = false;
    for (let merchantId = this.#nextMerchant(); merchantId !== undefined; merchantId = this.#nextMerchant()) {
      const ctx = { ...this.#fetcher, merchantId };
      const { retryDelaysMs = RETRY_DELAYS_MS } = this.#settings;
      const count = Math.min(this.#freeFor(merchantId), Math.ceil(this.#free() / this.#due.length));
      const claimed = await claimBulkImages(ctx, count, this.#settings.attemptLapsesMs ?? ATTEMPT_LAPSES_MS);
      for (const [url, images] of Map.groupBy(claimed, ({ url }) => url)) {
        this.#follow(merchantId, attemptBulkImage(ctx, url, images, { retryDelaysMs, signal: this.#signal }));
        hasBegun = true;
      }
      if (claimed.length < count) {
        this.#due = this.#due.filter((id) => id !== merchantId);
        await failInterruptedImages(ctx);
      }
    }
    return hasBegun;
  }

  async #readDue(): Promise<void> {
    const isFresh = performance.now() - this.#dueReadAtMs < DUE_READ_EVERY_MS;
    if (this.#free() === 0 || (isFresh && this.#underWay.size > 0)) return;
    const merchants = await merchantsWithDueImages(this.#fetcher, DUE_MERCHANTS_MAX);
    const found = new Set(merchants.length > 0 && (await this.#fetcher.storage.isWritable()) ? merchants : []);
    // Those known keep their turns, others come after them.
    this.#due = [...new Set(this.#due).intersection(found).union(found)];
    this.#dueReadAtMs = performance.now();
  }

  /** Its next turn is after those of the others. */
  #nextMerchant(): string | undefined {
    const merchantId = this.#due.find((id) => this.#freeFor(id) > 0);
    if (merchantId !== undefined) this.#due = [...this.#due.filter((id) => id !== merchantId), merchantId];
    return merchantId;
  }

  #free(): number {
    return SLOTS - this.#underWay.size;
  }

  #freeFor(merchantId: string): number {
    const used = [...this.#underWay.values()].filter((id) => id === merchantId).length;
    return Math.min(this.#free(), SLOTS_PER_MERCHANT - used);
  }

  #follow(merchantId: string, attempt: Promise<void>): void {
    const done: Promise<void> = attempt
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#underWay.delete(done));
    this.#underWay.set(done, merchantId);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }

  async #slotFreedOrTime(): Promise<void> {
    const time = new AbortController();
    const passed = wait(DUE_READ_EVERY_MS, undefined, { signal: time.signal, ref: false }).catch(() => undefined);
    await Promise.race([...this.#underWay.keys(), passed]);
    time.abort();
  }
}

import { setImmediate as nextIteration } from 'node:timers/promises';

/** How long the pieces of all responses together may block the event loop. */
const MAX_SLICE_MS = 10;

/**
 * Divides long work into slices of time, between which the event loop serves other requests. All requests of a service
 * share them: if each had slices of its own, several large responses would block the event loop for the sum of theirs.
 */
export class EventLoopSlices {
  #startedAtMs = 0;
  #next: Promise<void> | null = null;

  /** Whether the work must wait for the next slice. */
  isOver(): boolean {
    return performance.now() - this.#startedAtMs >= MAX_SLICE_MS;
  }

  /** Resolves when the next slice begins. Of several that wait, the first may use up the slice. */
  async next(): Promise<void> {
    this.#next ??= nextIteration().then(() => {
      this.#startedAtMs = performance.now();
      this.#next = null;
    });
    await this.#next;
  }
}

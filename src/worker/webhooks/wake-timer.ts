/** Scheduled times are rounded up to this, so that ten thousand wake-ups need few timers. */
const WAKE_UP_RESOLUTION_MS = 100;
/** Shorter sleeps are extended, so that a loop with a wrong timeout cannot block the event loop. */
const MIN_SLEEP_MS = 1;

/** The sleep of a loop, which can be ended now or at a scheduled time. Uses the monotonic clock only. */
export class WakeTimer {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isWoken = false;
  #endSleep: (() => void) | null = null;

  /** Ends the current sleep, or else the next one at once. */
  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }

  /** Sleeps until `wake`, at most for `timeoutMs`. */
  async sleep(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#isWoken) return void setImmediate(resolve);
      const timer = setTimeout(resolve, timeoutMs > MIN_SLEEP_MS ? timeoutMs : MIN_SLEEP_MS);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endSleep = null;
    this.#isWoken = false;
  }

  /** Runs the action after a delay, then wakes. A second call with the same name and rounded time does nothing. */
  schedule(name: string, inMs: number, action: () => void): void {
    const tick = Math.ceil((performance.now() + inMs) / WAKE_UP_RESOLUTION_MS) + 1;
    const key = `${name} ${tick}`;
    if (this.#timers.has(key)) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(key);
        action();
        this.wake();
      },
      tick * WAKE_UP_RESOLUTION_MS - performance.now(),
    );
    this.#timers.set(key, timer);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

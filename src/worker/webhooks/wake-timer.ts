/** Wake-ups are rounded up to this, so that ten thousand of them are a few timers. */
const WAKE_UP_RESOLUTION_MS = 100;
/** A sleep is never shorter: the event loop runs between two passes of a loop, whatever its caller computes. */
const SLEEP_MIN_MS = 1;

/** Interrupts a loop's sleep, now or later. Uses monotonic clocks only. */
export class WakeTimer {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isWoken = false;
  #endSleep: (() => void) | null = null;

  /** Ends the sleep, or keeps the next one short. */
  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }

  /** Sleeps until it is woken, or for this long. */
  async sleep(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#isWoken) return void setImmediate(resolve);
      const timer = setTimeout(resolve, timeoutMs > SLEEP_MIN_MS ? timeoutMs : SLEEP_MIN_MS);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endSleep = null;
    this.#isWoken = false;
  }

  /** Runs the action in a while and wakes; a second call with the same name for the same moment does nothing. */
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

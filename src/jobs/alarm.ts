/** Reminders are rounded up to this, so that ten thousand of them are a few timers. */
const REMINDED_EVERY_MS = 100;

export type Alarm = {
  /** Ends the sleep, or keeps the next from beginning. */
  ring(): void;
  /** Sleeps until it rings, or for this long. */
  rings(timeoutMs: number): Promise<void>;
  /** Does something in a while and rings; the same thing for the same moment once. */
  set(name: string, inMs: number, action: () => void): void;
  close(): void;
};

export function openAlarm(): Alarm {
  const timers = new Map<string, NodeJS.Timeout>();
  let hasRung = false;
  let wake: (() => void) | null = null;

  function ring(): void {
    hasRung = true;
    wake?.();
  }
  return {
    ring,
    async rings(timeoutMs) {
      if (!hasRung && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      hasRung = false;
    },
    set(name, inMs, action) {
      const slot = Math.ceil((Date.now() + inMs) / REMINDED_EVERY_MS) + 1;
      const key = `${name} ${slot}`;
      if (timers.has(key)) return;
      const timer = setTimeout(() => {
        timers.delete(key);
        action();
        ring();
      }, slot * REMINDED_EVERY_MS - Date.now());
      timers.set(key, timer);
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

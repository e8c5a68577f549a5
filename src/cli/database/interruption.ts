/** The exit code after SIGINT by shell convention: 128 plus the number of the signal. */
export const EXIT_INTERRUPTED = 130;

let running: AbortController | undefined;

/**
 * Runs work that ends by itself after a SIGINT, at a place from which it can go on later. A second SIGINT ends the process
 * at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  running = new AbortController();
  try {
    return await work(running.signal);
  } finally {
    running = undefined;
  }
}

/** Asks the work to end. False if there is none, or if it was asked already. */
export function stopWork(): boolean {
  if (!running || running.signal.aborted) return false;
  running.abort();
  return true;
}

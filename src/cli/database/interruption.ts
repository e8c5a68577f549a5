/** The exit code after SIGINT by shell convention: 128 plus the number of the signal. */
export const EXIT_INTERRUPTED = 130;

/** Lets work end after a SIGINT by itself, at a place from which it can go on later. */
export class Interruption {
  #running: AbortController | undefined;

  /** Runs work that ends soon after its signal. A second SIGINT ends the process at once. */
  async untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#running = new AbortController();
    try {
      return await work(this.#running.signal);
    } finally {
      this.#running = undefined;
    }
  }

  /** Asks the work to end. False if there is none, or if it was asked already. */
  stopWork(): boolean {
    if (!this.#running || this.#running.signal.aborted) return false;
    this.#running.abort();
    return true;
  }
}

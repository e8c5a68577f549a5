import { write, writeSync } from 'node:fs';

const STDOUT = 1;
/** Lines are buffered up to this length and this long: writing each one took a tenth of the time of `{ me { id } }`. */
const MAX_BUFFERED_UTF16_UNITS = 64 * 1024;
const FLUSH_INTERVAL_MS = 100;
/** Lines past this length are lost while a full pipe takes nothing: its reader may have stopped. */
const MAX_WAITING_UTF16_UNITS = 16 * 1024 * 1024;
/** Attempts of the last lines while a full pipe takes nothing: 5 s, then they are lost. */
const BUSY_ATTEMPTS = 100;
const BUSY_WAIT_MS = 50;
const NOTHING = Buffer.alloc(0);

/**
 * Writes to standard output without blocking, and writes the rest at the exit of the process. Lines that cannot be written,
 * as on a full disk, are lost. pino's destination keeps them and tries again for ever in its `flushSync`, so that the
 * process would not end; it also measures its whole buffer again for each line.
 */
export class BufferedOutput {
  #lines = '';
  /** The rest of a write that a pipe has taken in part, or not yet. */
  #rest = NOTHING;
  #isWriting = false;

  constructor() {
    setInterval(() => this.#write(), FLUSH_INTERVAL_MS).unref();
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#lines.length >= MAX_WAITING_UTF16_UNITS) return;
    this.#lines += line;
    if (this.#lines.length >= MAX_BUFFERED_UTF16_UNITS) this.#write();
  }

  /** Called by pino after a fatal line. */
  flushSync(): void {
    let bytes = Buffer.concat([this.#rest, this.#takeLines()]);
    this.#rest = NOTHING;
    for (let attempts = 0; bytes.length > 0 && attempts < BUSY_ATTEMPTS; attempts++) {
      try {
        bytes = bytes.subarray(writeSync(STDOUT, bytes));
        attempts = 0;
      } catch (error) {
        if (!isBusy(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_WAIT_MS);
      }
    }
  }

  #write(): void {
    if (this.#isWriting) return;
    const bytes = this.#rest.length > 0 ? this.#rest : this.#takeLines();
    this.#rest = NOTHING;
    if (bytes.length === 0) return;
    this.#isWriting = true;
    write(STDOUT, bytes, (error, written) => {
      this.#isWriting = false;
      if (error) this.#rest = isBusy(error) ? bytes : NOTHING;
      else this.#rest = bytes.subarray(written);
      if (!error && (this.#rest.length > 0 || this.#lines.length >= MAX_BUFFERED_UTF16_UNITS)) this.#write();
    });
  }

  #takeLines(): Buffer<ArrayBuffer> {
    const bytes = Buffer.from(this.#lines);
    this.#lines = '';
    return bytes;
  }
}

/** The reader of a pipe is slower than the service. */
function isBusy(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EAGAIN' || code === 'EBUSY';
}

import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const STDOUT = 1;
/** Lines are written together, at so many UTF-16 units and so often: one by one they cost a tenth of `me`. */
const WRITTEN_AT_UNITS = 64 * 1024;
const WRITTEN_EVERY_MS = 100;
/** Of an instant as `toISOString` makes it: all but its milliseconds. */
const ISO_SECOND_LENGTH = '2000-01-01T00:00:00.'.length;
const MS_PER_S = 1_000;

/** One line of JSON for each thing that happens; levels by name, instants as ISO 8601. */
export function openLog(level: string, lines: DestinationStream = new BufferedOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: isoTimes(),
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutValues },
  };
  return pino(options, lines);
}

/**
 * Standard output, written without blocking. What still waits at the exit of the process is written then. The
 * destination's own buffer would measure all that it holds again with each line.
 */
class BufferedOutput implements DestinationStream {
  /** Begins to write when it has `minLength`, or when it is flushed and does not write already. */
  readonly #output = pino.destination({
    dest: STDOUT,
    minLength: WRITTEN_AT_UNITS,
    maxWrite: 2 * WRITTEN_AT_UNITS,
    sync: false,
  });
  #lines = '';

  constructor() {
    const timer = setInterval(() => (this.#handOver(), this.#output.flush()), WRITTEN_EVERY_MS).unref();
    // Before the listeners with which the destination writes what it has, and closes itself.
    process.prependListener('beforeExit', () => (clearInterval(timer), this.#handOver()));
    process.prependListener('exit', () => this.#handOver());
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= WRITTEN_AT_UNITS) this.#handOver();
  }

  /** Called by pino after a fatal line. */
  flushSync(): void {
    this.#handOver();
    this.#output.flushSync();
  }

  #handOver(): void {
    if (this.#lines !== '') this.#output.write(this.#lines);
    this.#lines = '';
  }
}

/** Instants as ISO 8601. `toISOString` takes as long as the rest of a line, so it is called once a second. */
function isoTimes(): () => string {
  let second = NaN;
  let text = '';
  return () => {
    const now = Date.now();
    const ms = now % MS_PER_S;
    if (now - ms !== second) {
      second = now - ms;
      text = new Date(second).toISOString().slice(0, ISO_SECOND_LENGTH);
    }
    return `,"time":"${text}${String(ms).padStart(3, '0')}Z"`;
  };
}

/**
 * What went wrong and where, and nothing else of the error: those of the database carry the values that
 * were sent, which are customers' data and hashes of tokens.
 */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint_name: constraint } = error as { code?: unknown; constraint_name?: unknown };
  return {
    type: error.constructor.name,
    message: error.message.split('\nparams: ', 1)[0],
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
    ...(error.cause !== undefined && { cause: withoutValues(error.cause) }),
  };
}

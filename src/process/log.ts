import { type DestinationStream, type Logger, pino } from 'pino';
import { LogText } from './log-text.ts';

export type { Logger };

const STDOUT = 1;
/** Lines are buffered up to this length and this long: writing each one took a tenth of the time of `{ me { id } }`. */
const MAX_BUFFERED_UTF16_UNITS = 64 * 1024;
const FLUSH_INTERVAL_MS = 100;
/** The part of an ISO 8601 time before its milliseconds. */
const ISO_SECOND_LENGTH = '2000-01-01T00:00:00.'.length;
const MS_PER_S = 1_000;

export type LogFormat = 'json' | 'text';

/** The standard output, for lines in this format. */
export function logOutput(format: LogFormat): DestinationStream {
  const output = new BufferedOutput();
  return format === 'text' ? new LogText(output) : output;
}

/** Opens a pino log: JSON lines with level names and ISO 8601 times. */
export function openLog(level: string, lines: DestinationStream = logOutput('json')): Logger {
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
 * Writes to standard output without blocking, and writes the rest at the exit of the process. Has a buffer of its own,
 * because pino's destination measures its whole buffer again for each line.
 */
class BufferedOutput implements DestinationStream {
  /** Starts writing at `minLength`, or when it is flushed while it is not writing. */
  readonly #output = pino.destination({
    dest: STDOUT,
    minLength: MAX_BUFFERED_UTF16_UNITS,
    maxWrite: 2 * MAX_BUFFERED_UTF16_UNITS,
    sync: false,
  });
  #lines = '';

  constructor() {
    const timer = setInterval(() => (this.#passOn(), this.#output.flush()), FLUSH_INTERVAL_MS).unref();
    // Before the destination's own listeners, which write its buffer and close it.
    process.prependListener('beforeExit', () => (clearInterval(timer), this.#passOn()));
    process.prependListener('exit', () => this.#passOn());
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= MAX_BUFFERED_UTF16_UNITS) this.#passOn();
  }

  /** Called by pino after a fatal line. */
  flushSync(): void {
    this.#passOn();
    this.#output.flushSync();
  }

  #passOn(): void {
    if (this.#lines !== '') this.#output.write(this.#lines);
    this.#lines = '';
  }
}

/** ISO 8601 times. `toISOString` takes as long as the rest of a line, so it is called once a second. */
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
 * Logs the message, code and stack of an error, and none of its other members: errors of the database contain the
 * parameters of the statement, such as customer data and hashes of tokens.
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

import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const STDOUT = 1;
/** Lines are written together, this many bytes or this long after the first: one by one they cost a tenth of a request. */
const WRITTEN_AT_BYTES = 4_096;
const WRITTEN_EVERY_MS = 100;

/** One line of JSON for each thing that happens; levels by name, instants as ISO 8601. */
export function openLog(level: string, lines: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutValues },
  };
  return pino(options, lines);
}

/** What waits to be written is written at the exit of the process too. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: STDOUT, minLength: WRITTEN_AT_BYTES, periodicFlush: WRITTEN_EVERY_MS, sync: false });
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
    stack: error.stack?.split('\n').filter((line) => line.startsWith('    at ')).join('\n'),
    ...(error.cause !== undefined && { cause: withoutValues(error.cause) }),
  };
}

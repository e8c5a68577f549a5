import { type Logger, pino } from 'pino';

export type { Logger };

/** One line of JSON on stdout for each thing that happens; levels by name, instants as ISO 8601. */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: withoutValues },
  });
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

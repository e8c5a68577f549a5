import { type DestinationStream, type Logger, pino } from 'pino';
import { BufferedOutput } from './buffered-output.ts';
import { LogText } from './log-text.ts';

export type { Logger };

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
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutValues },
  };
  return pino(options, lines);
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

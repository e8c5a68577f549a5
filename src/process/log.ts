import { type DestinationStream, type Logger, pino } from 'pino';
import { BufferedOutput } from './buffered-output.ts';
import { LogText } from './log-text.ts';

export type { Logger };

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

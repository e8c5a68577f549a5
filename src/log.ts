import { type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

/** One line of JSON on stdout for each thing that happens; levels by name, instants as ISO 8601. */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: withoutParameters },
  });
}

/** The database layer's errors repeat the statement's parameters: customers' data, hashes of tokens. */
function withoutParameters(error: Error): object {
  const { params: _, ...serialized } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  const cut = (text: unknown): unknown => (typeof text === 'string' ? text.replace(/\nparams: [^]*?(?=\n {4}at |\ncaused by|$)/g, '') : text);
  return { ...serialized, message: cut(serialized.message), stack: cut(serialized.stack) };
}

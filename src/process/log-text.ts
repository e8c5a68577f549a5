const LEVEL_WIDTH = 5;
/** The part of an ISO 8601 time that a person at a terminal needs, in UTC as in the JSON. */
const TIME_OF_DAY = [11, 23] as const;
const PLAIN = /^[^\s"=]+$/;

/** What pino writes to. */
type Output = { write(line: string): void; flushSync?: () => void };

type Line = { level?: unknown; time?: unknown; msg?: string; err?: { stack?: unknown; message?: unknown } };

/** Writes the JSON lines of pino as text, for people. A terminal gets few lines, so each is parsed again. */
export class LogText implements Output {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  write(line: string): void {
    this.#output.write(logText(line));
  }

  flushSync(): void {
    this.#output.flushSync?.();
  }
}

/** `16:40:01.234 INFO  ready  url=http://127.0.0.1:4000 role=all`, and the stack of an error on lines of its own. */
export function logText(line: string): string {
  const { level, time, msg, err, ...members } = JSON.parse(line) as Line;
  const pairs = Object.entries(members).map(([name, value]) => `${name}=${valueText(value)}`);
  const first = [
    `${String(time).slice(...TIME_OF_DAY)} ${String(level).toUpperCase().padEnd(LEVEL_WIDTH)} ${withoutControls(msg ?? '')}`,
    ...pairs,
  ];
  return `${first.join(' ')}\n${err === undefined ? '' : errorText(err)}`;
}

function errorText(err: NonNullable<Line['err']>): string {
  const { stack, message, ...members } = err;
  const details = Object.keys(members).length > 0 ? ` ${JSON.stringify(members)}` : '';
  const lines = [`    ${String(message)}${details}`, ...(typeof stack === 'string' ? stack.split('\n') : [])];
  return lines.map((text) => `${withoutControls(text)}\n`).join('');
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
  return withoutControls(text);
}

/** Paths and headers of clients may hold control characters, which a terminal would obey. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD');
}

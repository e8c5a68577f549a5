import { pipeline } from 'node:stream/promises';

/** Prints the result of a command as one line of JSON, for other programs. */
export function printJson(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/**
 * Prints one line of JSON, like `printJson`. The last members of the result are lists of any length, which are read
 * page by page while they are written. Resolves when all is written.
 */
export async function printJsonPages(
  answer: object,
  lists: Readonly<Record<string, AsyncIterable<readonly unknown[]>>>,
): Promise<void> {
  await pipeline(jsonPieces(answer, lists), process.stdout, { end: false });
}

async function* jsonPieces(
  answer: object,
  lists: Readonly<Record<string, AsyncIterable<readonly unknown[]>>>,
): AsyncGenerator<string> {
  yield JSON.stringify(answer).slice(0, -'}'.length);
  for (const [name, pages] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for await (const page of pages) {
      if (page.length === 0) continue;
      yield separator + JSON.stringify(page).slice('['.length, -']'.length);
      separator = ',';
    }
    yield ']';
  }
  yield '}\n';
}

/** Prints a result as plain text, for a shell's `$(…)`. */
export function printRaw(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a message for the user, apart from the result. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

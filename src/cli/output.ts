/** The answer of a command: one line of JSON, for the next program. */
export function printJson(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** The bare text of an answer, for a shell's `$(…)`. */
export function printRaw(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What is said to the person at the terminal, beside the answer. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

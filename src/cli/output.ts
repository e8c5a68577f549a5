/** Prints the result of a command as one line of JSON, for other programs. */
export function printJson(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** Prints a result as plain text, for a shell's `$(…)`. */
export function printRaw(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a message for the user, apart from the result. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Progress goes to stderr, so that stdout holds the results alone. */
export function printProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}

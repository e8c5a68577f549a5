/** Writes to stderr; stdout is for results. */
export function printProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}

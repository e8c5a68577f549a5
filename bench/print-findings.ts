import { isDeepStrictEqual } from 'node:util';

/**
 * Prints each member of a run's result in a line. `exact` has what a run without faults returns: other values are marked
 * as wrong, and the process then exits with code 1.
 */
export function printFindings(result: object, exact: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(result)) {
    const isWrong = name in exact && !isDeepStrictEqual(value, exact[name]);
    if (isWrong) process.exitCode = 1;
    console.log(`${name.padEnd(16)} ${isWrong ? 'WRONG ' : ''}${JSON.stringify(value)}`);
  }
}

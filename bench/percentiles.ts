/** Runs `run` so many times, one after the other, and returns how long each run took. */
export async function timesOf(rounds: number, run: () => Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run();
    timesMs.push(performance.now() - start);
  }
  return timesMs;
}

/** The percentiles of measured times by their share, 0.5 for the median, rounded to so many decimals. */
export function percentilesOf(timesMs: readonly number[], decimals: number): (share: number) => number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return (share) => Number(sorted[Math.floor(sorted.length * share)]!.toFixed(decimals));
}

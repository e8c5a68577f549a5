import type { Sample } from './subject.ts';

/** A true median lies outside the interval in one of fifteen runs at most. Five rounds have an interval of 93.75 %, six one of 97 %. */
const CONFIDENCE_MIN = 0.93;

/** The medians of a subject's rounds, and its rate in each of them. */
export type Result = { workload: string; subject: string; perSecond: number; rates: readonly number[] } & Omit<
  Sample,
  'failure' | 'perSecond'
>;

/** A median with its interval; null where there are too few rounds for one. */
export type Ratio = { median: number; interval: readonly [number, number] | null };

/** How many times as fast one subject was as another that took turns with it, round by round. */
export function ratioOf(one: Result, other: Result): Ratio {
  const ratios = one.rates.map((rate, round) => rate / other.rates[round]!).sort((a, b) => a - b);
  const outside = ranksOutside(ratios.length);
  return {
    median: median(ratios) ?? Number.NaN,
    interval: outside === 0 ? null : [ratios[outside - 1]!, ratios.at(-outside)!],
  };
}

/** The interval goes from the value of this rank to its counterpart from the other end: how many values lie below a median is binomial. */
function ranksOutside(count: number): number {
  let below = 0;
  let probability = 0.5 ** count;
  for (let cumulative = probability; 2 * cumulative <= 1 - CONFIDENCE_MIN; cumulative += probability) {
    below += 1;
    probability *= (count - below + 1) / below;
  }
  return below;
}

export function medians(workload: string, subject: string, samples: readonly Sample[]): Result {
  const of = (member: Exclude<keyof Sample, 'failure' | 'failed'>) => median(samples.map((sample) => sample[member]));
  return {
    workload,
    subject,
    perSecond: of('perSecond') ?? 0,
    rates: samples.map(({ perSecond }) => perSecond),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    nodeCpuMs: of('nodeCpuMs'),
    postgresCpuMs: of('postgresCpuMs'),
    residentMiB: of('residentMiB'),
    failed: samples.reduce((sum, sample) => sum + sample.failed, 0),
  };
}

/** Null where one of the values is not known, or nothing was done of which it could be told. */
function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null && Number.isFinite(value)).sort((a, b) => a! - b!) as number[];
  if (sorted.length < values.length) return null;
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

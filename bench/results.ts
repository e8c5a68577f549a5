import type { Sample } from './subject.ts';

/** Minimum confidence of the interval of a median. Five rounds reach 93.75 %, six 97 %. */
const MIN_CONFIDENCE = 0.93;

/** The medians of all rounds of a subject, and its rate and the CPU time of Postgres in each round. */
export type Result = {
  workload: string;
  subject: string;
  perSecond: number;
  rates: readonly number[];
  postgresCpuMsOfRounds: readonly number[];
} & Omit<Sample, 'failure' | 'perSecond'>;

/** A median with its interval: with fewer than five rounds, from the smallest ratio to the largest. */
export type Ratio = { median: number; interval: readonly [number, number] };

/** The median and interval of the ratios of two subjects: of their rates or CPU times in the same rounds. */
export function ratioOf(one: Result, other: Result, figure: 'rates' | 'postgresCpuMsOfRounds' = 'rates'): Ratio {
  const ratios = one[figure].map((value, round) => value / other[figure][round]!).sort((a, b) => a - b);
  const outside = Math.max(1, ranksOutside(ratios.length));
  return { median: median(ratios) ?? Number.NaN, interval: [ratios[outside - 1]!, ratios.at(-outside)!] };
}

/**
 * The interval is from the value of this rank to the same rank from the end: the number of values below the median is
 * binomial.
 */
function ranksOutside(count: number): number {
  let below = 0;
  let probability = 0.5 ** count;
  for (let cumulative = probability; 2 * cumulative <= 1 - MIN_CONFIDENCE; cumulative += probability) {
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
    postgresCpuMsOfRounds: samples.map(({ postgresCpuMs }) => postgresCpuMs ?? Number.NaN),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    nodeCpuMs: of('nodeCpuMs'),
    postgresCpuMs: of('postgresCpuMs'),
    residentMiB: of('residentMiB'),
    bytes: of('bytes'),
    failed: samples.reduce((sum, sample) => sum + sample.failed, 0),
  };
}

/** CPU time of a request in Node and Postgres together; null if one of them is unknown. */
export function cpuMsOf({ nodeCpuMs, postgresCpuMs }: Result): number | null {
  return nodeCpuMs === null || postgresCpuMs === null ? null : nodeCpuMs + postgresCpuMs;
}

/** Null if a value is unknown or there is none. */
function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null && Number.isFinite(value)).sort((a, b) => a! - b!) as number[];
  if (sorted.length < values.length) return null;
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

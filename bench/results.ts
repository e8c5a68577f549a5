import type { Sample } from './subject.ts';

/** The medians of a subject's rounds. */
export type Result = { workload: string; subject: string; perSecond: number } & Omit<Sample, 'failure' | 'perSecond'>;

export function medians(workload: string, subject: string, samples: readonly Sample[]): Result {
  const of = (member: Exclude<keyof Sample, 'failure' | 'failed'>) => median(samples.map((sample) => sample[member]));
  return {
    workload,
    subject,
    perSecond: of('perSecond') ?? 0,
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

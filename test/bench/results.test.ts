import { describe, expect, it } from 'vitest';
import { medians, ratioOf, type Result } from '../../bench/results.ts';
import type { Sample } from '../../bench/subject.ts';

const sample = (perSecond: number): Sample => ({
  perSecond,
  p50Ms: 1,
  p99Ms: 1,
  nodeCpuMs: 1,
  postgresCpuMs: 1,
  residentMiB: 1,
  bytes: 1,
  failed: 0,
  failure: null,
});
const rated = (...rates: number[]): Result => medians('W1', 'service', rates.map(sample));

describe('the ratio of two subjects', () => {
  it('is the median of the ratios of their rounds, and not the ratio of their medians', () => {
    expect(ratioOf(rated(10, 200, 30), rated(10, 100, 10)).median).toBe(2);
  });

  it('compares the CPU time of Postgres too', () => {
    const used = (...times: number[]): Result =>
      medians(
        'S3',
        'service',
        times.map((postgresCpuMs) => ({ ...sample(1), postgresCpuMs })),
      );
    expect(ratioOf(used(3, 8, 2), used(1, 2, 1), 'postgresCpuMsOfRounds')).toEqual({ median: 3, interval: [2, 4] });
  });

  it('has the second smallest and the second largest of nine rounds as its interval of 95 %', () => {
    const ones = rated(...Array.from({ length: 9 }, () => 1));
    expect(ratioOf(rated(9, 1, 8, 2, 7, 3, 6, 4, 5), ones)).toEqual({ median: 5, interval: [2, 8] });
  });

  it('has all of five rounds or fewer in its interval', () => {
    const ones = (count: number) => rated(...Array.from({ length: count }, () => 1));
    expect(ratioOf(rated(3, 1, 2, 4), ones(4)).interval).toEqual([1, 4]);
    expect(ratioOf(rated(5, 1, 4, 2, 3), ones(5)).interval).toEqual([1, 5]);
  });
});

import { readWorkloads } from './read-workloads.ts';
import { stockWorkloads } from './stock-workloads.ts';
import type { Workload } from './workload.ts';
import { writeWorkloads } from './write-workloads.ts';

/** Writes come last: they change what reads return. */
export const workloads: readonly Workload[] = [...readWorkloads, ...writeWorkloads];

const WRITES_EVERY = 4;

/** The mix of requests of a busy shop. Not one of the compared workloads. */
export const mixed: Workload = {
  name: 'mix',
  title: `W1, and W5 as each ${WRITES_EVERY}th request`,
  distinct: Infinity,
  request: (shop, n) => (n % WRITES_EVERY === 0 ? named('W5') : named('W1')).request(shop, n),
  answer: (data) => data,
};

/** Workloads of other benchmarks, which are not compared with PostGraphile. */
export const otherWorkloads: readonly Workload[] = [mixed, ...stockWorkloads];

function named(wanted: string): Workload {
  return workloads.find(({ name }) => name === wanted)!;
}

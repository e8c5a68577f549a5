import { readWorkloads } from './read-workloads.ts';
import type { Workload } from './workload.ts';
import { writeWorkloads } from './write-workloads.ts';

/** Reads come first: writes change what they would find. */
export const workloads: readonly Workload[] = [...readWorkloads, ...writeWorkloads];

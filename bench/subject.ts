import type { Workload } from './workload.ts';

export type Settings = { seconds: number; connections: number };

/** One measurement of a few seconds. Processor time is for each request; null is not known. */
export type Sample = {
  perSecond: number;
  p50Ms: number | null;
  p99Ms: number | null;
  nodeCpuMs: number | null;
  postgresCpuMs: number | null;
  residentMiB: number | null;
  failed: number;
  failure: string | null;
};

/** Something that does the work of a workload: the service, the peer, or a floor that neither can go below. */
export type Subject = {
  name: string;
  does: (workload: Workload) => boolean;
  /** What it answers to the first request, in the form in which subjects are compared. */
  answer?: (workload: Workload) => Promise<unknown>;
  sample: (workload: Workload, settings: Settings) => Promise<Sample>;
  stop: () => Promise<void>;
};

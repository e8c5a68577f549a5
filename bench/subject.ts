import type { Workload } from './workload.ts';

export type Settings = { seconds: number; connections: number };

/** One measurement of a few seconds. CPU time is per request; null if unknown. */
export type Sample = {
  perSecond: number;
  p50Ms: number | null;
  p99Ms: number | null;
  nodeCpuMs: number | null;
  postgresCpuMs: number | null;
  residentMiB: number | null;
  /** Mean size of a response. */
  bytes: number | null;
  failed: number;
  failure: string | null;
};

/** Runs a workload: the service, a peer, or a lower bound for both. */
export type Subject = {
  name: string;
  does: (workload: Workload) => boolean;
  /** The response to the first request, in the form in which subjects are compared. */
  answer?: (workload: Workload) => Promise<unknown>;
  sample: (workload: Workload, settings: Settings) => Promise<Sample>;
  stop: () => Promise<void>;
};

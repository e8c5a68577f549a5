import type { Report } from './report.ts';
import { cpuMsOf, ratioOf, type Result } from './results.ts';

type Figure = { text: string; isReached: boolean };

/** A goal, and how to read its figure from a report; null if the run did not measure it. */
export type Goal = { workload: string; goal: string; reached: (report: Report) => Figure | null };

const PEER = 'PostGraphile';
const FLOOR = 'statement passed on';
/** The commit with which the goals of CPU time compare. */
const BEFORE = '00246fd';

export const goals: readonly Goal[] = [
  versus('W1N', PEER, 4, 5),
  versus('W2N', PEER, 3.5, 5),
  versus('W9N', PEER, 6, 7),
  versus('W5', PEER, 2.5, 3),
  cpu('W2N', 'nodeCpuMs', { subject: FLOOR, most: 1.6, next: 1.3 }),
  cpu('W6', 'postgresCpuMs', { subject: BEFORE, most: 0.8 }),
  cpu('W7', 'postgresCpuMs', { subject: BEFORE, most: 0.6 }),
  measured('W4', 'p50 at one connection <= 5 ms', ({ p50Ms }) => ({
    text: `${p50Ms!.toFixed(1)} ms`,
    isReached: p50Ms! <= 5,
  })),
  costs('W10C', 'by cursor at most 1.1 x a first page', 1.1),
  costs('W10', 'by page number at most 5 x a first page', 5),
  {
    workload: 'W2L',
    goal: '>= 90 % of the rate with variables',
    reached: (report) =>
      both(result(report, 'W2L'), result(report, 'W2N'), (literal, variable) =>
        atLeastShare(literal.perSecond / variable.perSecond, 0.9),
      ),
  },
  measured('W1N', 'at most 256 MiB resident', ({ residentMiB }) => ({
    text: `${residentMiB!.toFixed(0)} MiB`,
    isReached: residentMiB! <= 256,
  })),
  {
    workload: 'start',
    goal: 'ready within 1 s',
    reached: ({ startMs }) => ({ text: `${(startMs / 1_000).toFixed(2)} s`, isReached: startMs <= 1_000 }),
  },
];

function result({ results }: Report, workload: string, subject = 'service'): Result | undefined {
  return results.find((result) => result.workload === workload && result.subject === subject);
}

/** Compares two results. Returns null if one of them is missing or has no completed request. */
function both(
  one: Result | undefined,
  other: Result | undefined,
  compare: (one: Result, other: Result) => Figure,
): Figure | null {
  return one?.perSecond && other?.perSecond ? compare(one, other) : null;
}

/** `next`: the next goal. */
function versus(workload: string, subject: string, times: number, next?: number): Goal {
  return {
    workload,
    goal: `>= ${times} x ${subject}${next ? `, then ${next} x` : ''}`,
    reached: (report) =>
      both(result(report, workload), result(report, workload, subject), (own, other) => {
        const { median, interval } = ratioOf(own, other);
        const rate = `${median.toFixed(2)} x (${interval.map((bound) => bound.toFixed(2)).join(' to ')})`;
        return { text: `${rate}, ${cpuText(own, other)}`, isReached: median >= times };
      }),
  };
}

/** CPU time of a request in Node and Postgres, and how many times that of the service the other takes. */
function cpuText(own: Result, other: Result): string {
  const [ownMs, otherMs] = [cpuMsOf(own), cpuMsOf(other)];
  if (ownMs === null || otherMs === null) return 'CPU unknown';
  return `CPU ${ownMs.toFixed(2)} and ${otherMs.toFixed(2)} ms: ${(otherMs / ownMs).toFixed(2)} x`;
}

/** CPU time per request, compared with another subject. */
function cpu(
  workload: string,
  member: 'nodeCpuMs' | 'postgresCpuMs',
  { subject, most, next }: { subject: string; most: number; next?: number },
): Goal {
  return {
    workload,
    goal: `CPU in ${member === 'nodeCpuMs' ? 'Node' : 'Postgres'} at most ${most} of ${subject}${next ? `, then ${next}` : ''}`,
    reached: (report) =>
      both(result(report, workload), result(report, workload, subject), (own, other) => {
        if (own[member] === null || other[member] === null) return { text: 'unknown', isReached: false };
        const share = own[member] / other[member];
        const text = `${share.toFixed(2)} (${own[member].toFixed(3)} and ${other[member].toFixed(3)} ms)`;
        return { text, isReached: share <= most };
      }),
  };
}

function atLeastShare(ratio: number, least: number): Figure {
  return { text: `${(ratio * 100).toFixed(0)} %`, isReached: ratio >= least };
}

function measured(workload: string, goal: string, read: (result: Result) => Figure): Goal {
  return { workload, goal, reached: (report) => both(result(report, workload), result(report, workload), read) };
}

function costs(workload: string, goal: string, most: number): Goal {
  return {
    workload,
    goal,
    reached: (report) =>
      both(result(report, 'W1'), result(report, workload), (first, deep) => {
        const ratio = first.perSecond / deep.perSecond;
        return { text: `${ratio.toFixed(2)} x`, isReached: ratio <= most };
      }),
  };
}

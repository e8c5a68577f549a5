import type { Report } from './report.ts';
import type { Result } from './results.ts';
import { workloads } from './workloads.ts';

type Figure = { text: string; isReached: boolean };

/** What the service is to reach, and how far a run came; null where the run did not measure it. */
export type Goal = { workload: string; goal: string; reached: (report: Report) => Figure | null };

const PEER = 'PostGraphile';
const STATEMENT = 'statement';

export const goals: readonly Goal[] = [
  versus('W1', PEER, 8),
  share('W1', STATEMENT, 0.75),
  versus('W1N', PEER, 8),
  share('W1N', STATEMENT, 0.75),
  versus('W2', PEER, 8),
  share('W2', STATEMENT, 0.9),
  versus('W2N', PEER, 8),
  versus('W9', PEER, 10),
  versus('W9N', PEER, 10),
  versus('W5', PEER, 6),
  measured('W4', 'p50 at one connection <= 10 ms', ({ p50Ms }) => ({ text: `${p50Ms!.toFixed(1)} ms`, isReached: p50Ms! <= 10 })),
  units('W6', 25_000),
  units('W7', 100_000),
  measured('W8', '>= 12,000/s', ({ perSecond }) => ({ text: `${perSecond.toFixed(0)}/s`, isReached: perSecond >= 12_000 })),
  share('W8', 'Fastify static', 0.25),
  costs('W10C', 'by cursor at most 1.2 x a first page', 1.2),
  costs('W10', 'by page number at most 5 x a first page', 5),
  {
    workload: 'W2L',
    goal: '>= 80 % of the rate with variables',
    reached: (report) => both(result(report, 'W2L'), result(report, 'W2N'), (literal, variable) => atLeastShare(literal.perSecond / variable.perSecond, 0.8)),
  },
  measured('W1', 'at most 300 MiB resident', ({ residentMiB }) => ({ text: `${residentMiB!.toFixed(0)} MiB`, isReached: residentMiB! <= 300 })),
  {
    workload: 'start',
    goal: 'ready within 1.5 s',
    reached: ({ startMs }) => ({ text: `${(startMs / 1_000).toFixed(2)} s`, isReached: startMs <= 1_500 }),
  },
];

function result({ results }: Report, workload: string, subject = 'service'): Result | undefined {
  return results.find((result) => result.workload === workload && result.subject === subject);
}

/** Null without both, or where one of them finished no request. */
function both(one: Result | undefined, other: Result | undefined, compare: (one: Result, other: Result) => Figure): Figure | null {
  return one?.perSecond && other?.perSecond ? compare(one, other) : null;
}

function versus(workload: string, subject: string, times: number): Goal {
  return {
    workload,
    goal: `>= ${times} x ${subject}`,
    reached: (report) =>
      both(result(report, workload), result(report, workload, subject), (own, other) => {
        const ratio = own.perSecond / other.perSecond;
        return { text: `${ratio.toFixed(1)} x`, isReached: ratio >= times };
      }),
  };
}

function share(workload: string, subject: string, least: number): Goal {
  return {
    workload,
    goal: `>= ${least * 100} % of ${subject}`,
    reached: (report) => both(result(report, workload), result(report, workload, subject), (own, other) => atLeastShare(own.perSecond / other.perSecond, least)),
  };
}

function atLeastShare(ratio: number, least: number): Figure {
  return { text: `${(ratio * 100).toFixed(0)} %`, isReached: ratio >= least };
}

function measured(workload: string, goal: string, read: (result: Result) => Figure): Goal {
  return { workload, goal, reached: (report) => both(result(report, workload), result(report, workload), read) };
}

function units(workload: string, least: number): Goal {
  const { name, perRequest } = workloads.find((one) => one.name === workload)!.unit!;
  return measured(workload, `>= ${least.toLocaleString('en')} ${name}/s`, ({ perSecond }) => {
    const rate = perSecond * perRequest;
    return { text: `${Math.round(rate).toLocaleString('en')} ${name}/s`, isReached: rate >= least };
  });
}

function costs(workload: string, goal: string, most: number): Goal {
  return {
    workload,
    goal,
    reached: (report) =>
      both(result(report, 'W1'), result(report, workload), (first, deep) => {
        const ratio = first.perSecond / deep.perSecond;
        return { text: `${ratio.toFixed(1)} x`, isReached: ratio <= most };
      }),
  };
}

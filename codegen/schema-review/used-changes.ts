import type { ReportedOperation, Use, UsageReport } from '../../src/usage/usage-input.ts';
import { type Change, inOrder } from './changes.ts';
import type { Comparison } from './comparison.ts';
import { USAGE_DAYS } from './usage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An app that used what a change would break. */
export type UsingApp = Pick<Use, 'merchantId' | 'authorizedAppId' | 'appName' | 'requests' | 'lastUsedOn'> & {
  /** The names of its operations that would break. An operation without a name, or whose text is not kept, is null. */
  readonly operations: readonly (string | null)[];
};

/** An operation that would break, and the coordinates by which it breaks. */
export type BrokenOperation = ReportedOperation & Pick<Use, 'appName'> & { readonly coordinates: readonly string[] };

/** The usage that the comparison has taken into account, and the operations that would break. */
export type ReviewedUsage = Pick<UsageReport, 'countedSince' | 'until'> & {
  readonly from: string;
  /** Whether the usage is too old to say what clients use now. Then every part counts as used. */
  readonly isOutdated: boolean;
  /** The number of days between `from` and `until`, both included, for which requests were counted. */
  readonly countedDays: number;
  readonly operations: readonly BrokenOperation[];
};

type Judged = {
  readonly now: Date;
  /** Coordinates for which fewer days with counts are enough. */
  readonly allowed: readonly string[];
};

/**
 * Lowers breaking changes to dangerous ones if nobody used what they break in the last 30 days of the usage. If fewer
 * than 30 days were counted, only those in `allowed` are lowered, because a client that runs once a month may be
 * missing in the counts. Nothing is lowered without counts, or if the usage ended more than 30 days ago.
 */
export function withUsage(comparison: Comparison, report: UsageReport, { now, allowed }: Judged): Comparison {
  const { until, countedSince } = report;
  const from = daysBefore(until, USAGE_DAYS - 1);
  const isOutdated = until < daysBefore(dayOf(now), USAGE_DAYS);
  const countedDays = isOutdated ? 0 : daysWithCounts(report, from);
  const uses = report.uses.filter(({ lastUsedOn }) => lastUsedOn >= from);
  const operations = new Map(report.operations.map((operation) => [keyOf(operation), operation]));
  const changes = comparison.changes.map((change) => {
    if (countedDays === 0) return change;
    const used = usedChange(change, uses, operations);
    const isUnused = used.usedBy?.length === 0 && (countedDays >= USAGE_DAYS || allowed.includes(used.coordinate));
    return isUnused ? { ...used, severity: 'dangerous' as const, isAllowed: true } : used;
  });
  return {
    ...comparison,
    changes: inOrder(changes),
    used: {
      from,
      until,
      countedSince,
      countedDays,
      isOutdated,
      operations: brokenOperations(changes, uses, operations),
    },
  };
}

/** Whether, by the usage, nobody used what a change breaks at this part of the SDL. */
export function isUnused({ changes }: Pick<Comparison, 'changes'>, coordinate: string): boolean {
  return changes.some((change) => change.isAllowed && change.usedBy?.length === 0 && affects(change, coordinate));
}

function daysWithCounts({ from, until, countedSince }: UsageReport, first: string): number {
  if (countedSince === null) return 0;
  const start = [from, countedSince, first].reduce((latest, day) => (day > latest ? day : latest));
  return Math.max((Date.parse(until) - Date.parse(start)) / DAY_MS + 1, 0);
}

/** Operations whose text is kept, by the key of `keyOf`. */
type Operations = ReadonlyMap<string, ReportedOperation>;

function keyOf({ merchantId, authorizedAppId, operation }: Omit<ReportedOperation, 'name' | 'text'>): string {
  return `${merchantId} ${authorizedAppId} ${operation}`;
}

/**
 * Adds to a breaking change the apps that used the broken part of the SDL. A change of a directive is returned
 * unchanged, because the service does not count which apps use a directive.
 */
function usedChange(change: Change, uses: readonly Use[], operations: Operations): Change {
  if (change.isAllowed || change.coordinate.startsWith('@')) return change;
  const byApp = Map.groupBy(
    uses.filter(({ coordinate }) => affects(change, coordinate)),
    ({ merchantId, authorizedAppId }) => `${merchantId} ${authorizedAppId}`,
  );
  const usedBy = [...byApp.values()].map((own) => usingApp(own, operations));
  return { ...change, usedBy };
}

function affects({ affected }: Change, coordinate: string): boolean {
  return affected.some((one) => coordinate === one || (!one.includes('.') && coordinate.startsWith(`${one}.`)));
}

/**
 * Adds up the requests of one app. Counts are stored for each part of the SDL, and a request that uses
 * several parts is counted in each. The largest count of each operation is therefore taken, not the sum.
 */
function usingApp(uses: readonly Use[], operations: Operations): UsingApp {
  const { merchantId, authorizedAppId, appName } = uses[0]!;
  const byOperation = [...Map.groupBy(uses, keyOf)];
  const requests = byOperation.map(([, own]) => Math.max(...own.map(({ requests }) => requests)));
  return {
    merchantId,
    authorizedAppId,
    appName,
    requests: requests.reduce((sum, one) => sum + one, 0),
    lastUsedOn: uses.map(({ lastUsedOn }) => lastUsedOn).reduce((last, day) => (day > last ? day : last)),
    operations: byOperation.map(([key]) => operations.get(key)?.name ?? null),
  };
}

function brokenOperations(changes: readonly Change[], uses: readonly Use[], operations: Operations): BrokenOperation[] {
  const breaking = changes.filter(({ usedBy }) => usedBy && usedBy.length > 0);
  const broken = uses.filter(({ coordinate }) => breaking.some((change) => affects(change, coordinate)));
  return [...Map.groupBy(broken, keyOf)].flatMap(([key, own]) => {
    const operation = operations.get(key);
    const coordinates = own.map(({ coordinate }) => coordinate);
    return operation ? [{ ...operation, appName: own[0]!.appName, coordinates }] : [];
  });
}

function daysBefore(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) - days * DAY_MS));
}

/** The day of a time as YYYY-MM-DD, in UTC. */
function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

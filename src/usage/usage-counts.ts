import type { Session } from '../context.ts';

const MIB = 1024 * 1024;
/**
 * Maximum memory of the counts between two flushes. Uses that do not fit are not counted; see docs/schema-policy.md,
 * "What is used".
 */
const MAX_BYTES = 16 * MIB;
/** Maximum memory per app, so that one app cannot use the memory that the counts of other apps need. */
const MAX_BYTES_PER_APP = MIB;
/** Measured memory of an app, of an operation besides its text, and of a count. */
const APP_BYTES = 500;
const OPERATION_BYTES = 500;
const COUNT_BYTES = 100;
const BYTES_PER_UTF16_UNIT = 2;
/** When the counts take this much memory, they are written earlier than usual. */
const FLUSH_BYTES = MAX_BYTES / 2;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The id under which all operations are counted whose text is not kept. */
export const OTHER_OPERATIONS = '';
const NO_COORDINATES: ReadonlySet<string> = new Set();
const OTHER: UsedOperation = { operation: null, coordinates: NO_COORDINATES };

type App = Pick<Session, 'merchantId' | 'authorizedAppId'>;

/** An operation as src/graphql/usage makes it: `operation` is null if its text is not kept. */
export type UsedOperation = {
  readonly operation: { readonly id: string; readonly name: string | null; readonly text: string } | null;
  /** The coordinates that the document itself uses, whatever its variables are. */
  readonly coordinates: ReadonlySet<string>;
};

/** Requests of an operation, and those of them in which the variables used a coordinate that the document does not. */
export type OperationCounts = UsedOperation & {
  requests: number;
  readonly inVariables: Map<string, number>;
};

/** What an app used in a day. */
export type AppUsage = App & {
  /** The start of the day, UTC, in milliseconds. */
  readonly dayMs: number;
  readonly operations: Map<string, OperationCounts>;
  bytes: number;
};

/**
 * Counts in memory which app used which part of the schema, until the counts are taken to be written. The parts are
 * those of the schema, so the number of apps and operations bounds the memory.
 */
export class UsageCounts {
  /** Called when the counts should be written soon. */
  onFull: () => void = () => {};
  /** The counts by day and app. */
  #apps = new Map<string, AppUsage>();
  #bytes = 0;

  /** Counts an executed request. Introspection is not counted. */
  count(app: App, used: UsedOperation, inVariables: readonly string[]): void {
    if (used.coordinates.size === 0) return;
    const bytesBefore = this.#bytes;
    const usage = this.#appUsage(app, Math.floor(Date.now() / DAY_MS) * DAY_MS);
    if (!usage) return;
    const counts = this.#countRequests(usage, used, 1);
    if (counts) for (const coordinate of inVariables) this.#countCoordinate(usage, counts, coordinate, 1);
    if (bytesBefore < FLUSH_BYTES && this.#bytes >= FLUSH_BYTES) this.onFull();
  }

  /** The counts so far, which start again from zero. */
  take(): AppUsage[] {
    const taken = [...this.#apps.values()];
    this.#apps = new Map();
    this.#bytes = 0;
    return taken;
  }

  /**
   * Adds counts that could not be written. Does not call `onFull`, because the write that just failed would be repeated
   * at once.
   */
  putBack(usages: readonly AppUsage[]): void {
    for (const former of usages) {
      const usage = this.#appUsage(former, former.dayMs);
      if (!usage) continue;
      for (const { requests, inVariables, ...used } of former.operations.values()) {
        const counts = this.#countRequests(usage, used, requests);
        if (counts)
          for (const [coordinate, count] of inVariables) this.#countCoordinate(usage, counts, coordinate, count);
      }
    }
  }

  #appUsage({ merchantId, authorizedAppId }: App, dayMs: number): AppUsage | null {
    const key = `${dayMs} ${authorizedAppId}`;
    const known = this.#apps.get(key);
    if (known) return known;
    const usage = { merchantId, authorizedAppId, dayMs, operations: new Map<string, OperationCounts>(), bytes: 0 };
    if (!this.#reserve(usage, APP_BYTES)) return null;
    this.#apps.set(key, usage);
    return usage;
  }

  /**
   * Counts the requests of an operation. If its text does not fit, they are counted under OTHER_OPERATIONS; null if
   * that does not fit either.
   */
  #countRequests(usage: AppUsage, used: UsedOperation, requests: number): OperationCounts | null {
    const counts = (used.operation && this.#countsOf(usage, used)) ?? this.#countsOf(usage, OTHER);
    if (!counts) return null;
    counts.requests += requests;
    if (!counts.operation)
      for (const coordinate of used.coordinates) this.#countCoordinate(usage, counts, coordinate, requests);
    return counts;
  }

  #countsOf(usage: AppUsage, { operation, coordinates }: UsedOperation): OperationCounts | null {
    const id = operation?.id ?? OTHER_OPERATIONS;
    const known = usage.operations.get(id);
    if (known) return known;
    const textBytes = (operation?.text.length ?? 0) * BYTES_PER_UTF16_UNIT;
    if (!this.#reserve(usage, OPERATION_BYTES + textBytes + coordinates.size * COUNT_BYTES)) return null;
    const counts = { operation, coordinates, requests: 0, inVariables: new Map<string, number>() };
    usage.operations.set(id, counts);
    return counts;
  }

  #countCoordinate(usage: AppUsage, { inVariables }: OperationCounts, coordinate: string, requests: number): void {
    const known = inVariables.get(coordinate);
    if (known === undefined && !this.#reserve(usage, COUNT_BYTES)) return;
    inVariables.set(coordinate, (known ?? 0) + requests);
  }

  #reserve(usage: AppUsage, bytes: number): boolean {
    if (this.#bytes + bytes > MAX_BYTES || usage.bytes + bytes > MAX_BYTES_PER_APP) return false;
    this.#bytes += bytes;
    usage.bytes += bytes;
    return true;
  }
}

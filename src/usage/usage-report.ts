/** Counts are kept for so many days, longer than the 30 days that `schema:check --usage` asks about. */
export const KEPT_DAYS = 40;

/** Days as YYYY-MM-DD, UTC. */
export type UsageReport = {
  /** The part of the schema and the merchant that are asked about; null for all. */
  readonly field: string | null;
  readonly merchantId: string | null;
  /** The first and the last day that are asked about. */
  readonly from: string;
  readonly until: string;
  /** The first day of which there are counts at all; null if there are none. */
  readonly countedSince: string | null;
  readonly uses: readonly Use[];
  /** The operations of these uses whose text is kept. */
  readonly operations: readonly ReportedOperation[];
};

/** The requests of an app in which an operation used a part of the schema. */
export type Use = {
  readonly coordinate: string;
  readonly merchantId: string;
  readonly authorizedAppId: string;
  readonly appName: string | null;
  /** The id of an operation in `operations`; empty for operations whose text is not kept. */
  readonly operation: string;
  readonly requests: number;
  readonly lastUsedOn: string;
};

export type ReportedOperation = {
  readonly merchantId: string;
  readonly authorizedAppId: string;
  readonly operation: string;
  readonly name: string | null;
  readonly text: string;
};

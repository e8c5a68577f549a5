import { z } from 'zod';

/** YYYY-MM-DD, UTC. */
const day = z.iso.date();

/** The requests of an app in which an operation used a part of the schema. */
const use = z.object({
  coordinate: z.string(),
  merchantId: z.string(),
  authorizedAppId: z.string(),
  appName: z.string().nullable(),
  /** The id of an operation in `operations`; empty for operations whose text is not kept. */
  operation: z.string(),
  requests: z.number(),
  lastUsedOn: day,
});

const reportedOperation = z.object({
  merchantId: z.string(),
  authorizedAppId: z.string(),
  operation: z.string(),
  name: z.string().nullable(),
  text: z.string(),
});

const usageReport = z.object({
  /** The part of the schema and the merchant that are asked about; null for all. */
  field: z.string().nullable(),
  merchantId: z.string().nullable(),
  /** The first and the last day that are asked about. */
  from: day,
  until: day,
  /** The first day of which there are counts at all; null if there are none. */
  countedSince: day.nullable(),
  uses: z.array(use).readonly(),
  /** The operations of these uses whose text is kept. */
  operations: z.array(reportedOperation).readonly(),
});

export type Use = z.infer<typeof use>;
export type ReportedOperation = z.infer<typeof reportedOperation>;
export type UsageReport = z.infer<typeof usageReport>;

/** Parses what `commerce usage --json` has printed. Throws if it is something else. */
export function parseUsageReport(text: string): UsageReport {
  return usageReport.parse(JSON.parse(text));
}

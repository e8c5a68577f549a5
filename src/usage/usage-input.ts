import { z } from 'zod';
import type { UsageReport } from './usage-report.ts';

const day = z.iso.date();

const usageReport = z.object({
  field: z.string().nullable(),
  merchantId: z.string().nullable(),
  from: day,
  until: day,
  countedSince: day.nullable(),
  uses: z.array(
    z.object({
      coordinate: z.string(),
      merchantId: z.string(),
      authorizedAppId: z.string(),
      appName: z.string().nullable(),
      operation: z.string(),
      requests: z.number(),
      lastUsedOn: day,
    }),
  ),
  operations: z.array(
    z.object({
      merchantId: z.string(),
      authorizedAppId: z.string(),
      operation: z.string(),
      name: z.string().nullable(),
      text: z.string(),
    }),
  ),
});

/** Parses what `commerce usage --json` has printed. Throws if it is something else. */
export function parseUsageReport(text: string): UsageReport {
  return usageReport.parse(JSON.parse(text));
}

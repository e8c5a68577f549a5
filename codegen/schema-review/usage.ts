import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AcrossMerchants } from '../../src/db/connection/across-merchants.ts';
import { connect } from '../../src/db/connection/connect.ts';
import { readUsage } from '../../src/usage/read-usage.ts';
import { parseUsageReport } from '../../src/usage/usage-input.ts';
import type { UsageReport } from '../../src/usage/usage-input.ts';
import { CLIENTS_FOLDER, pathOf } from './sdl-version.ts';
import { UsageError } from './usage-error.ts';

/** The number of days without use after which a field, argument or value may be removed without a deprecation. */
export const USAGE_DAYS = 30;
const STATEMENT_TIMEOUT_MS = 5 * 60_000;
const DATABASE_URL = /^postgres(?:ql)?:\/\//;
/** The usage that is kept in the repository, beside the documents of clients. */
const KEPT_FILE = `${CLIENTS_FOLDER}/usage.json`;

/**
 * The usage that `npm run check` and the tests take: the one that `SCHEMA_USAGE` names, or else the kept one. Null if
 * there is none.
 */
export function usageOfChecks(): string | null {
  const kept = pathOf(KEPT_FILE);
  return process.env['SCHEMA_USAGE'] || (existsSync(kept) ? kept : null);
}

/** The coordinates of `SCHEMA_ALLOW`: what may go although its use was counted for a few days only. */
export function allowedByChecks(): string[] {
  return (process.env['SCHEMA_ALLOW'] ?? '').split(/[\s,]+/).filter((name) => name !== '');
}

/** Reads the usage of some coordinates from a database, or all usage from a file of `commerce usage --json`. */
export async function readUsageFrom(source: string, coordinates: readonly string[]): Promise<UsageReport> {
  try {
    return DATABASE_URL.test(source)
      ? await readDatabase(source, coordinates)
      : wholeReport(parseUsageReport(await readFile(source, 'utf8')));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const name = DATABASE_URL.test(source) ? `the database at ${new URL(source).host}` : source;
    throw new UsageError(`The usage cannot be read from ${name}: ${(cause as Error).message}`, { cause });
  }
}

async function readDatabase(url: string, coordinates: readonly string[]): Promise<UsageReport> {
  const options = { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, applicationName: 'commerce-schema-check' };
  const connection = connect(url, options);
  try {
    return await readUsage({ across: new AcrossMerchants(connection.db) }, { days: USAGE_DAYS, coordinates });
  } finally {
    await connection.close();
  }
}

/** Refuses a report of one field or merchant: others may use what it does not contain. */
function wholeReport(report: UsageReport): UsageReport {
  if (report.field === null && report.merchantId === null) return report;
  throw new UsageError('The file has the usage of one field or merchant only. Make it without FIELD and --merchant.');
}

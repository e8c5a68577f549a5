import { type SQL, sql } from 'drizzle-orm';
import type { Database, DatabaseContext } from './database.ts';

/**
 * All statements of the service that read or write rows of several merchants. On a cluster each of them fans out over
 * all shards. Every other statement names its merchant beside each table, and fails there if it fans out.
 */
export const CROSS_MERCHANT_STATEMENTS = [
  // Commands, `doctor` and the demo shop.
  'readUsage',
  'listMerchants',
  'findDemoApp',
  'largestMerchants',
  // Upkeep: finds the merchants with work. What is written is written for one merchant at a time.
  'sweepImages',
  'oldestByMerchant',
  'merchantsOverWaitingBytes',
  'merchantsWithFormerSecrets',
  // Claims of the worker over merchants.
  'merchantsWithDueImages',
  'merchantsWithPending',
  'relayDeliveries',
  'queueOverdueDeliveries',
  // /metrics
  'ledgerFigures',
] as const;

export type CrossMerchantStatement = (typeof CROSS_MERCHANT_STATEMENTS)[number];

/** For work over all merchants: `across` finds them, `db` does the work of one at a time. */
export type AcrossContext = DatabaseContext & { readonly across: AcrossMerchants };

/**
 * Runs the statements of the list, on connections that no request uses, as the role of CROSS_MERCHANT_DATABASE_URL. On a
 * cluster only these connections may run a statement on more than one shard.
 */
export class AcrossMerchants {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The name stands in front of the text as a comment, so that logs and pg_stat_activity show it. */
  async execute<Row extends Record<string, unknown>>(name: CrossMerchantStatement, statement: SQL): Promise<Row[]> {
    return (await this.#db.execute(sql`/* ${sql.raw(name)} */ ${statement}`)) as unknown as Row[];
  }
}

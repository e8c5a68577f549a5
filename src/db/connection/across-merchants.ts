import { type SQL, sql } from 'drizzle-orm';
import type { Span } from '../../tracing/span.ts';
import { type Database, type DatabaseContext, withSpan } from './database.ts';
import { type Columns, readRows, type Row } from './read-rows.ts';

/**
 * All statements of the service that read or write rows of several merchants. On a cluster each of them fans out over
 * all shards. Every other statement names its merchant beside each table, and fails there if it fans out.
 */
export const CROSS_MERCHANT_STATEMENTS = [
  // Each process sends this one when it starts.
  'newestSecrets',
  // These are sent by commands, by `doctor`, and when the demo shop is created.
  'readUsage',
  'listMerchants',
  'findDemoApp',
  'largestMerchants',
  'countReceiptsWithoutCopy',
  // Upkeep tasks find the merchants that have work by these. Their writes name one merchant each.
  'allMerchants',
  'oldestByMerchant',
  'pausedWebhooks',
  'merchantsWithFormerSecrets',
  'merchantsWithDueHolds',
  'receiptsWithoutCopy',
  'heldMerchants',
  // The worker finds the work that is due by these, whichever merchant has it.
  'merchantsWithDueImages',
  'merchantsWithReverts',
  'merchantsWithPending',
  'relayDeliveries',
  'merchantsWithPendingDeliveries',
  // /metrics sends this one.
  'ledgerFigures',
] as const;

export type CrossMerchantStatement = (typeof CROSS_MERCHANT_STATEMENTS)[number];

/**
 * The databases of a task for all merchants: `across` finds the merchants, `db` runs the statements of one merchant.
 */
export type AcrossContext = DatabaseContext & { readonly across: AcrossMerchants };

/**
 * Runs CROSS_MERCHANT_STATEMENTS on connections that no request uses, as the role of CROSS_MERCHANT_DATABASE_URL. On a
 * cluster only these connections may run a statement on more than one shard.
 */
export class AcrossMerchants {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Uses the same connections. The statements that it sends become child spans of `span`. */
  withSpan(span: Span | null): AcrossMerchants {
    return span ? new AcrossMerchants(withSpan(this.#db, span)) : this;
  }

  /** The name is sent in front of the statement as a comment, so that logs and pg_stat_activity show it. */
  async rows<Shape extends Columns>(
    name: CrossMerchantStatement,
    columns: Shape,
    statement: SQL,
  ): Promise<Row<Shape>[]> {
    return await readRows({ db: this.#db }, columns, sql`/* ${sql.raw(name)} */ ${statement}`);
  }
}

/** Returns a context for the same databases. The statements that it sends become child spans of `span`. */
export function inSpan({ db, across }: AcrossContext, span: Span | null): AcrossContext {
  return { db: withSpan(db, span), across: across.withSpan(span) };
}

import type { MerchantContext } from '../../context.ts';
import { type Database, ofMerchant, withTimePerStatement } from '../../db/connection/database.ts';
import type { Span } from '../../tracing/span.ts';

/**
 * Accounts statements to their merchant, as those of requests are: the statements of one merchant that wait for locks
 * leave a connection for those of others.
 */
export function merchantContext(db: Database, merchantId: string, span: Span | null = null): MerchantContext {
  return { db: withTimePerStatement(ofMerchant(db, merchantId, null, span)), merchantId };
}

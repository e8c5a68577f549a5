import type { MerchantContext } from '../../context.ts';
import { type Database, ofMerchant, withTimePerStatement } from '../../db/connection/database.ts';
import type { Span } from '../../tracing/span.ts';

/**
 * A context whose statements count for their merchant in the connection pool, like those of requests. The pool limits the
 * connections of one merchant, so statements that wait for its locks cannot occupy all of them.
 */
export function merchantContext(db: Database, merchantId: string, span: Span | null = null): MerchantContext {
  return { db: withTimePerStatement(ofMerchant(db, merchantId, null, span)), merchantId };
}

import type { MerchantContext } from '../../context.ts';
import { type Database, ofMerchant, withSending } from '../../db/connection/database.ts';
import type { Span } from '../../tracing/span.ts';

/**
 * A context for work that the worker does for one merchant. The connection pool limits the connections that one merchant
 * uses, so statements that wait for a merchant's locks cannot occupy all connections.
 */
export function merchantContext(db: Database, merchantId: string, span: Span | null = null): MerchantContext {
  return { db: withSending(ofMerchant(db, merchantId, null, span), { admittedAtMs: null }), merchantId };
}

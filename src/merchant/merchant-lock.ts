import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';

/**
 * The step that locks the merchant until the end of the transaction. It orders writes that could together break a rule
 * about several records, such as two moves that make a cycle. Writes that refer to the merchant do not wait for it.
 */
export function merchantLock(ctx: Tenant): PipelineStep<void> {
  const statement = sql`select from ${merchant} where ${ownedBy(ctx, merchant)} for no key update`;
  return { statement, read: () => {} };
}

import { sql } from 'drizzle-orm';
import { idempotencyKey } from '../../../drizzle/idempotency.ts';
import type { MerchantContext } from '../../context.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';

/** Removes the stored answers that may have values of the customers, and returns their number. The keys stay used. */
export async function eraseAnswers(ctx: MerchantContext, customerIds: readonly string[]): Promise<number> {
  const erased = await ctx.db.execute(sql`
    update ${idempotencyKey} set answer = '', customer_ids = null
    where ${ownedBy(ctx, idempotencyKey)} and ${idempotencyKey.customerIds} && ${idArray(customerIds)}
    returning ${idempotencyKey.key}`);
  return erased.length;
}

import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import type { Context } from '../context.ts';
import { reader, record, type Selection } from '../db/shape.ts';
import { of } from '../db/tenant.ts';
import type { MerchantResponse } from '../graphql/types.generated.ts';
import { merchantShape } from './merchant.ts';

export async function getMerchant(ctx: Context, selection: Selection): Promise<MerchantResponse> {
  const [answer] = await ctx.db.execute<{ data: string }>(sql`
    select ${record(reader(ctx, selection), merchantShape, merchant)} as "data" from ${merchant} where ${of(ctx, merchant)}`);
  return JSON.parse(answer!.data) as MerchantResponse;
}

import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { MutationReleaseHoldArgs } from '../graphql/generated/types.ts';
import { changeHolds } from './hold/change-holds.ts';

export async function releaseHold(ctx: Context, { idList }: MutationReleaseHoldArgs): Promise<boolean> {
  return await changeHolds(ctx, idList, (ids, merchantId) => sql`release_holds(${merchantId}, ${ids})`);
}

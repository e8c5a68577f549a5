import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { MutationCommitHoldArgs } from '../graphql/generated/types.ts';
import { changeHolds } from './hold/change-holds.ts';

export async function commitHold(ctx: Context, { idList }: MutationCommitHoldArgs): Promise<boolean> {
  return await changeHolds(ctx, idList, (ids, merchantId) => sql`commit_holds(${merchantId}, ${ids})`);
}

import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { parseInput, instant } from '../field-input.ts';
import type { MutationExtendHoldArgs } from '../graphql/generated/types.ts';
import { changeHolds } from './hold/change-holds.ts';

export async function extendHold(ctx: Context, args: MutationExtendHoldArgs): Promise<boolean> {
  const expiresMs = Date.parse(parseInput(instant(), args.expiresAt, ['expiresAt']));
  return await changeHolds(
    ctx,
    args.idList,
    (ids, merchantId) => sql`extend_holds(${merchantId}, ${ids}, ${expiresMs}::bigint)`,
  );
}

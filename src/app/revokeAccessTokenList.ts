import { sql } from 'drizzle-orm';
import { accessToken } from '../../drizzle/app.ts';
import type { Context } from '../context.ts';
import { readIds } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { refuseUnknown } from '../errors.ts';
import type { MutationRevokeAccessTokenListArgs } from '../graphql/generated/types.ts';

export async function revokeAccessTokenList(ctx: Context, args: MutationRevokeAccessTokenListArgs): Promise<boolean> {
  const ids = [...new Set(args.idList)];
  await inTransaction(ctx, async (ctx) => {
    const deleted = await readIds(
      ctx,
      sql`
      delete from ${accessToken} where ${ownedBy(ctx, accessToken)} and ${accessToken.id} = any(${idArray(ids)})
      returning ${accessToken.id} as "id"`,
    );
    refuseUnknown('AccessToken', ids, deleted, ['idList']);
  });
  return true;
}

import { sql } from 'drizzle-orm';
import { accessToken } from '../../drizzle/app.ts';
import type { Context } from '../context.ts';
import { idFilter } from '../db/filter/filter.ts';
import { idKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { AccessToken, QueryListAccessTokenArgs } from '../graphql/generated/types.ts';
import { accessTokenProjection } from './app.ts';

/** Sorted by id, because ids are generated in the order of creation. */
const newestFirst = order('-issued', { issued: idKey(accessToken.id) });

export async function listAccessToken(
  ctx: Context,
  args: QueryListAccessTokenArgs,
  selection: Selection,
): Promise<Page<AccessToken>> {
  return await readPage(ctx, accessTokenProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst,
    where: (token) => [
      sql`${token.expiresAt} > now()`,
      ...idFilter(token.id, args.id),
      ...idFilter(token.authorizedAppId, args.authorizedAppId),
    ],
  });
}

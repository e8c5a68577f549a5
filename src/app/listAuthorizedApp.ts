import { authorizedApp } from '../../drizzle/app.ts';
import type { Context } from '../context.ts';
import { idFilter, nameFilter, notDeleted } from '../db/filter/filter.ts';
import { newestFirst } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { readList } from '../db/read/read-page.ts';
import type { AuthorizedApp, QueryListAuthorizedAppArgs } from '../graphql/generated/types.ts';
import { authorizedAppProjection } from './app.ts';

export async function listAuthorizedApp(
  ctx: Context,
  args: QueryListAuthorizedAppArgs,
  selection: Selection,
): Promise<AuthorizedApp[]> {
  return await readList(ctx, authorizedAppProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(authorizedApp),
    where: (app) => [
      ...notDeleted(app.deleted, args.includeDeleted),
      ...idFilter(app.id, args.id),
      ...nameFilter(app.name, args.name),
    ],
  });
}

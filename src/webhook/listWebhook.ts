import type { Context } from '../context.ts';
import { idFilter, textFilter } from '../db/filter/filter.ts';
import { newestFirst } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { readList } from '../db/read/read-page.ts';
import type { QueryListWebhookArgs, Webhook } from '../graphql/generated/types.ts';
import { visibleApps } from './app-visibility.ts';
import { webhookProjection } from './webhook.ts';

export async function listWebhook(ctx: Context, args: QueryListWebhookArgs, selection: Selection): Promise<Webhook[]> {
  return await readList(ctx, webhookProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(webhookProjection.table),
    where: (row) => [
      ...visibleApps(ctx, row.authorizedAppId),
      ...idFilter(row.authorizedAppId, args.authorizedAppId),
      ...textFilter(row.scope, args.scope),
    ],
  });
}

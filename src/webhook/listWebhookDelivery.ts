import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, madeSinceFilter, unindexedIdFilter, unindexedTextFilter } from '../db/filter/filter.ts';
import { idKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import { enumLiteral, textArray } from '../db/sql/parameter.ts';
import type { QueryListWebhookDeliveryArgs, WebhookDelivery } from '../graphql/generated/types.ts';
import { seesAllApps, visibleApps } from './app-visibility.ts';
import { webhookDeliveryProjection } from './webhook-delivery.ts';
import { checkReadable, isWebhookScope, readableScopes } from './webhook-scope.ts';

/** By id: ids are in the order of creation, and an index of the ids is read backwards without a sort. */
const newestFirst = order('-recorded', { recorded: idKey(webhookDelivery.id) });

export async function listWebhookDelivery(
  ctx: Context,
  args: QueryListWebhookDeliveryArgs,
  selection: Selection,
): Promise<Page<WebhookDelivery>> {
  const readable = readableScopes(ctx);
  const listsUnreadable = seesAllApps(ctx);
  if (!listsUnreadable) checkReadable(ctx, [args.scope?.eq ?? [], args.scope?.in ?? []].flat().filter(isWebhookScope));
  return await readPage(ctx, webhookDeliveryProjection(readable), {
    selection,
    pagination: args.pagination,
    order: newestFirst,
    where: (row) => [
      ...visibleApps(ctx, row.authorizedAppId),
      ...(listsUnreadable ? [] : [sql`${row.scope} = any(${textArray(readable)})`]),
      ...idFilter(row.id, args.id),
      ...idFilter(row.recordId, args.recordId),
      ...unindexedIdFilter(row.authorizedAppId, args.authorizedAppId),
      ...unindexedTextFilter(row.endpoint, args.endpoint),
      ...unindexedTextFilter(row.scope, args.scope),
      // A literal, for the partial indexes of undelivered and failed deliveries.
      ...(args.status ? [sql`${row.state} = ${enumLiteral(args.status)}`] : []),
      ...dateFilter(row.createdAt, args.createdAt),
      ...madeSinceFilter(row.id, args.createdAt),
    ],
  });
}

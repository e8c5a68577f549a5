import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { Webhook } from '../graphql/generated/types.ts';
import { webhookProjection } from './webhook.ts';

/** Not paged: an app has at most one webhook per scope. */
export async function listWebhook(ctx: Context, selection: Selection): Promise<Webhook[]> {
  return await readList(ctx, webhookProjection, {
    selection,
    pagination: null,
    order: newestFirst(webhookProjection.table),
    where: (row) => [eq(row.authorizedAppId, ctx.session.authorizedAppId)],
  });
}

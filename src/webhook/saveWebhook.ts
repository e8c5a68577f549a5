import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import { webhook, type WebhookScope } from '../../drizzle/webhook.ts';
import { lockActiveApp } from '../app/credentials/lock-active-app.ts';
import type { Context } from '../context.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecord } from '../db/read/read-records.ts';
import { newId } from '../db/sql/id.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { recordReferenceCheck, referenceWalk } from '../db/write/references.ts';
import { laterThanStored } from '../db/write/touch.ts';
import { invalidAt, loginRequired } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveWebhookArgs, Webhook } from '../graphql/generated/types.ts';
import { checkEndpointHost } from '../outbound/outbound.ts';
import { webhookReferences } from './generated/webhook-references.ts';
import { queueWaiting } from './ledger/queue-deliveries.ts';
import { webhookInput } from './webhook-input.ts';
import { checkReadable, parseWebhookScopes } from './webhook-scope.ts';
import { webhookProjection } from './webhook.ts';

const references = referenceWalk(webhookReferences.WebhookInput);

/** A valid input whose endpoint has a public address. */
export type CheckedWebhook = {
  readonly endpoint: string;
  readonly scopes: WebhookScope[];
  readonly channelIds: string[] | null;
  /** Null: unchanged. */
  readonly includeChanges: boolean | null;
};

/**
 * Inside a transaction the caller passes the result of `checkWebhook`, because no host name is resolved in a
 * transaction.
 */
export async function saveWebhook(
  ctx: Context,
  args: MutationSaveWebhookArgs,
  selection: Selection,
  checked?: CheckedWebhook,
): Promise<Webhook[]> {
  const webhooks = checked ?? (await checkWebhook(ctx, args));
  const { scopes, channelIds } = webhooks;
  const { saved, resumed } = await inTransaction(ctx, async (ctx) => {
    if (!(await lockActiveApp(ctx, ctx.session.authorizedAppId))) throw loginRequired();
    if (channelIds) await pipeline(ctx, await salesChannelCheck(ctx, scopes, channelIds));
    const resumed = await lockWebhooks(ctx, scopes);
    const ids = await upsertWebhooks(ctx, webhooks);
    await queueWaiting(ctx, resumed);
    const read = async (scope: WebhookScope) => (await readRecord(ctx, webhookProjection, ids.get(scope)!, selection))!;
    const saved = await Promise.all(scopes.map(read));
    ctx.beforeCommit?.(saved);
    return { saved, resumed };
  });
  for (const webhookId of resumed) ctx.log.info({ merchantId: ctx.merchantId, webhookId }, 'a webhook was resumed');
  return saved;
}

/** Validates the input and resolves the endpoint's host name, which may take seconds. */
export async function checkWebhook(ctx: Context, args: MutationSaveWebhookArgs): Promise<CheckedWebhook> {
  const { endpoint, scopes: given, salesChannelIds, includeChanges } = parseInput(webhookInput, args.input);
  const scopes = parseWebhookScopes(given, ['input', 'scopes']);
  checkReadable(ctx, scopes);
  const problem = await checkEndpointHost(endpoint, ctx.webhook.outbound);
  if (problem !== null) throw invalidAt(['input', 'endpoint'], problem);
  return {
    endpoint,
    scopes,
    channelIds: salesChannelIds === undefined ? null : [...new Set(salesChannelIds ?? [])],
    includeChanges: includeChanges === undefined ? null : includeChanges === true,
  };
}

async function salesChannelCheck(
  ctx: Context,
  scopes: WebhookScope[],
  channelIds: string[],
): Promise<PipelineStep<void>[]> {
  const stored = await readIds(
    ctx,
    sql`
    select unnest(${webhook.salesChannelIds}) as "id" from ${webhook}
    where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId}
      and ${webhook.scope} = any(${textArray(scopes)})`,
  );
  return recordReferenceCheck(ctx, references, { salesChannelIds: channelIds }, { salesChannelIds: stored });
}

/**
 * Locks the webhooks of these scopes in the order of their ids, as all transactions do, so that they cannot deadlock.
 * Returns the ids of those that are paused, which the save resumes.
 */
async function lockWebhooks(ctx: Context, scopes: WebhookScope[]): Promise<string[]> {
  const rows = await readRows(
    ctx,
    { id: column.text, isPaused: column.boolean },
    sql`
    select ${webhook.id} as "id", ${webhook.status} = 'PAUSED' as "isPaused" from ${webhook}
    where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId}
      and ${webhook.scope} = any(${textArray(scopes)})
    order by ${webhook.id} for no key update`,
  );
  return rows.filter(({ isPaused }) => isPaused).map(({ id }) => id);
}

/**
 * Returns the webhook id of each scope. Without `channelIds` an existing webhook keeps its channels, and a new one has
 * none, which means all. Without `includeChanges` an existing webhook keeps it.
 */
async function upsertWebhooks(
  ctx: Context,
  { endpoint, scopes, channelIds, includeChanges }: CheckedWebhook,
): Promise<Map<string, string>> {
  // `updatedAt` stays if nothing that the type shows changes. All saves insert in this order, so that two saves of the same
  // new scopes cannot deadlock.
  const rows = [...scopes].sort().map((scope) => ({ id: newId(), scope }));
  const channels = channelIds ? sql`sales_channel_ids = excluded.sales_channel_ids,` : sql``;
  const isGiven = includeChanges !== null;
  const changes = isGiven ? sql`include_changes = excluded.include_changes,` : sql``;
  const sameChanges = isGiven ? sql` and ${webhook.includeChanges} = excluded.include_changes` : sql``;
  const saved = await readRows(
    ctx,
    { id: column.text, scope: column.text },
    sql`
    insert into ${webhook} (merchant_id, id, authorized_app_id, scope, endpoint, sales_channel_ids,
      include_changes, updated_at)
    select ${merchant.merchantId}, rows.id, ${ctx.session.authorizedAppId}::uuid, rows.scope, ${endpoint},
      ${idArray(channelIds ?? [])}, ${includeChanges ?? false}::boolean, now()
    from ${merchant}, json_to_recordset(${JSON.stringify(rows)}::json) as rows(id uuid, scope text)
    where ${ownedBy(ctx, merchant)}
    on conflict (merchant_id, authorized_app_id, scope) do update set
      endpoint = excluded.endpoint, ${channels} ${changes} status = 'ACTIVE', paused_at = null, given_up_in_a_row = 0,
        updated_at = case when ${webhook.endpoint} = excluded.endpoint and ${webhook.status} = 'ACTIVE'${sameChanges}
          then ${webhook.updatedAt} else ${laterThanStored(webhook.updatedAt, sql`excluded.updated_at`)} end
    returning ${webhook.id} as "id", ${webhook.scope} as "scope"`,
  );
  return new Map(saved.map(({ id, scope }) => [scope, id]));
}

import { sql } from 'drizzle-orm';
import { appScopes, type AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Webhook } from '../../src/graphql/generated/types.ts';
import { saveWebhook } from '../../src/webhook/saveWebhook.ts';
import { ownerOf } from '../support/database.ts';
import { allFields } from '../support/selection.ts';
import { relayJobs } from './ledger.ts';

const all = allFields('Webhook');

export const endpoint = 'https://receiver.example/hook';

export async function save(ctx: Context, scopes: string[], to = endpoint): Promise<Webhook[]> {
  return await saveWebhook(ctx, { input: { endpoint: to, scopes } }, all);
}

/** All scopes except those for other apps' webhooks. */
export const OWN_SCOPES = appScopes.filter((scope) => !scope.endsWith('_webhooks'));

/** Another app of the same merchant. */
export async function createOtherApp(ctx: Context, scopes: readonly AppScope[] = OWN_SCOPES): Promise<Context> {
  const authorizedAppId = newId();
  await ctx.db.execute(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    values (${ctx.merchantId}, ${authorizedAppId}, 'Other', 'partner', 'store-app', '{}', ${newId()}, 'none', now())`);
  return { ...ctx, session: { ...ctx.session, authorizedAppId, scopes: new Set(scopes) } };
}

/** Creates customers, which makes one event each, and returns the ids of the deliveries in order. */
export async function createEvents(ctx: Context, count: number): Promise<string[]> {
  const before = new Set((await deliveriesOf(ctx)).map(({ id }) => id));
  for (let made = 0; made < count; made += 1)
    await saveCustomer(ctx, { input: { firstName: `Customer ${made}` } }, { id: {} });
  return (await deliveriesOf(ctx)).map(({ id }) => id).filter((id) => !before.has(id));
}

type Stored = {
  id: string;
  scope: string;
  state: string;
  endpoint: string;
  attempts: number;
  isDue: boolean;
  webhookId: string;
};

type Delivery = Stored & { isQueued: boolean };

/** The deliveries of the app, oldest first, and whether the queue has a job for each. */
export async function deliveriesOf({ db, merchantId, session }: Context): Promise<Delivery[]> {
  await relayJobs(db);
  const rows = await db.execute<Stored>(sql`
    select d.id, d.scope, d.state, d.endpoint, d.attempts, d.next_attempt_at <= now() is true as "isDue", d.webhook_id as "webhookId"
    from webhook_delivery d where d.merchant_id = ${merchantId} and d.authorized_app_id = ${session.authorizedAppId} order by d.id`);
  const due = await ownerOf(db).execute<{ id: string }>(sql`
    select id from pgboss.job where name = 'webhook-delivery' and state < 'active' and start_after <= now()
      and id = any(${`{${rows.map(({ id }) => id).join()}}`}::uuid[])`);
  const dueIds = new Set(due.map(({ id }) => id));
  return rows.map((row) => ({ ...row, isQueued: dueIds.has(row.id) }));
}

/** Settles deliveries like the worker: after three failed requests, or after one with status 200. */
export async function settle({ db, merchantId }: Context, ids: string[], state: 'DELIVERED' | 'FAILED'): Promise<void> {
  const attempt = { at: Date.now(), statusCode: state === 'FAILED' ? 500 : 200, error: null, durationMs: 12 };
  const log = JSON.stringify(Array(state === 'FAILED' ? 3 : 1).fill(attempt));
  await db.execute(sql`
    update webhook_delivery set state = ${state}, attempts = json_array_length(${log}::json), attempt_log = ${log}::json, next_attempt_at = null
    where merchant_id = ${merchantId} and id = any(${`{${ids.join(',')}}`}::uuid[])`);
  await ownerOf(db).execute(
    sql`update pgboss.job set state = 'completed', completed_on = now() where name = 'webhook-delivery' and id = any(${`{${ids.join(',')}}`}::uuid[])`,
  );
}

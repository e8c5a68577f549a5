import { buildASTSchema, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connection/database.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { parseSdl, readSources } from '../../src/graphql/schema/sdl.ts';
import { relayDeliveries } from '../../src/webhook/ledger/relay-deliveries.ts';
import { acrossOf, ownerOf } from '../support/database.ts';

export type LedgerRow = {
  id: string;
  appId: string;
  scope: string;
  endpoint: string;
  recordId: string;
  sequence: number;
  state: string;
  attempts: number;
  waits: boolean;
  data: Record<string, unknown>;
};

const schema = buildASTSchema(parseSdl(readSources()));

/** A selection of all fields of a type, also nested ones. */
export function everythingOf(typeName: string): Selection {
  return selectionOf(schema.getType(typeName) as GraphQLOutputType);
}

function selectionOf(type: GraphQLOutputType): Selection {
  const named = getNamedType(type);
  if (!isObjectType(named)) return {};
  return Object.fromEntries(Object.values(named.getFields()).map((field) => [field.name, selectionOf(field.type)]));
}

type Registration = { endpoint?: string; salesChannelIds?: string[]; status?: 'ACTIVE' | 'PAUSED' };

/** Registers webhooks with plain SQL. */
export async function register(
  ctx: Context,
  scopes: string[],
  { endpoint, salesChannelIds, status }: Registration = {},
): Promise<void> {
  for (const scope of scopes) {
    await ctx.db.execute(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint, sales_channel_ids, status)
      values (${ctx.merchantId}, ${ctx.session.authorizedAppId}, ${scope}, ${endpoint ?? 'https://receiver.example/hook'},
        ${`{${(salesChannelIds ?? []).join(',')}}`}::uuid[], ${status ?? 'ACTIVE'})`);
  }
}

/** The events of the merchant, in order. */
export async function eventsOf(ctx: Context): Promise<LedgerRow[]> {
  const rows = await ctx.db.execute<Omit<LedgerRow, 'data'> & { data: string }>(sql`
    select id, authorized_app_id as "appId", scope, endpoint, record_id as "recordId", sequence, state, attempts,
      next_attempt_at is null as "waits", data
    from webhook_delivery where merchant_id = ${ctx.merchantId} order by id`);
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }));
}

/** The events in short form, such as `updated 2`: the end of the scope and the sequence. */
export async function actionsOf(ctx: Context): Promise<string[]> {
  return (await eventsOf(ctx)).map(({ scope, sequence }) => `${scope.split('/')[2]} ${sequence}`);
}

export async function forget(ctx: Context): Promise<void> {
  await ctx.db.execute(sql`delete from webhook_delivery where merchant_id = ${ctx.merchantId}`);
}

/** On a cluster, makes the jobs of all changes so far. The relay of a worker does this within 250 ms. */
export async function relayJobs(db: Database): Promise<void> {
  if (inject('isCluster')) while ((await relayDeliveries({ db, across: acrossOf(db) })) > 0);
}

export async function queuedIds(db: Database): Promise<Set<string>> {
  await relayJobs(db);
  const rows = await ownerOf(db).execute<{ id: string }>(
    sql`select id from pgboss.job where name = 'webhook-delivery'`,
  );
  return new Set(rows.map(({ id }) => id));
}

import { setTimeout as wait } from 'node:timers/promises';
import { getTableName, sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { category } from '../../drizzle/category.ts';
import { listApps } from '../app/list-apps.ts';
import { revokeApp } from '../app/revoke-app.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { keepHistory } from '../merchant/keep-history.ts';
import { deleteCategoryCycles, deleteRows } from './delete-rows.ts';
import { LAST_REMOVED_TABLES, REMOVED_TABLES, type RemovedTable } from './removed-tables.ts';

/**
 * Requests with a token of a revoked app may write for so long: tokens end within a second, and a transaction is undone
 * after a minute.
 */
const REQUESTS_END_MS = 65_000;

/** The part of the pictures' store that is needed. */
export type RemovalStorage = {
  list(prefix: string): AsyncIterable<{ readonly key: string }>;
  delete(key: string): Promise<void>;
};

export type RemovalSettings = {
  readonly requestsEndMs?: number;
  /** Called when rows of a table, or pictures, were deleted, with the number of all so far. */
  readonly onRemoved?: (name: string, count: number) => void;
  /** Called before it waits for the end of requests. */
  readonly onWait?: (ms: number) => void;
};

/** Rows by table, and the objects of the pictures' store. */
export type Removed = { rows: Record<string, number>; objects: number };

/**
 * Deletes a merchant with all of its rows and pictures for good. First the history ends, and its apps with their webhooks, so
 * that nothing of this is recorded or pushed. Each batch is a transaction of its own. After a kill at any place a repetition
 * goes on. The tables are passed until one pass finds nothing, since requests and the worker may still have written; the last
 * time when no request of the revoked apps can be running any more.
 */
export async function removeMerchant(
  ctx: MerchantContext,
  storage: RemovalStorage,
  settings: RemovalSettings = {},
): Promise<Removed> {
  const removed: Removed = { rows: {}, objects: 0 };
  await keepHistory(ctx, false);
  for (const { authorizedAppId } of await listApps(ctx)) await revokeApp(ctx, { authorizedAppId });
  await deleteAll(ctx, removed, settings);
  const waitMs = await untilRequestsEnd(ctx, settings.requestsEndMs ?? REQUESTS_END_MS);
  if (waitMs > 0) {
    settings.onWait?.(waitMs);
    await wait(waitMs);
    await deleteAll(ctx, removed, settings);
  }
  await deleteObjects(ctx, storage, removed, settings);
  for (const table of LAST_REMOVED_TABLES) await deleteFrom(ctx, table, removed, settings);
  return removed;
}

async function deleteAll(ctx: MerchantContext, removed: Removed, settings: RemovalSettings): Promise<void> {
  for (let found = true; found;) {
    found = false;
    for (const table of REMOVED_TABLES) if ((await deleteFrom(ctx, table, removed, settings)) > 0) found = true;
    if (!found) found = count(category, await deleteCategoryCycles(ctx), removed, settings) > 0;
  }
}

async function deleteFrom(
  ctx: MerchantContext,
  table: RemovedTable,
  removed: Removed,
  settings: RemovalSettings,
): Promise<number> {
  return count(table, await deleteRows(ctx, table), removed, settings);
}

function count(table: RemovedTable, deleted: number, { rows }: Removed, { onRemoved }: RemovalSettings): number {
  if (deleted === 0) return 0;
  const name = getTableName(table);
  rows[name] = (rows[name] ?? 0) + deleted;
  onRemoved?.(name, rows[name]);
  return deleted;
}

/** How long requests of the app that was revoked last may still be running. */
async function untilRequestsEnd(ctx: MerchantContext, requestsEndMs: number): Promise<number> {
  const [row] = await readRows(
    ctx,
    { ageMs: column.nullable(column.number) },
    sql`
    select (extract(epoch from now() - max(${authorizedApp.revokedAt})) * 1000)::float8 as "ageMs"
    from ${authorizedApp} where ${ownedBy(ctx, authorizedApp)}`,
  );
  return Math.max(0, requestsEndMs - (row!.ageMs ?? Infinity));
}

async function deleteObjects(
  { merchantId }: MerchantContext,
  storage: RemovalStorage,
  removed: Removed,
  { onRemoved }: RemovalSettings,
): Promise<void> {
  for await (const { key } of storage.list(`${merchantId}/`)) {
    await storage.delete(key);
    removed.objects++;
  }
  if (removed.objects > 0) onRemoved?.('pictures', removed.objects);
}

import { sql } from 'drizzle-orm';
import { image } from '../../drizzle/image.ts';
import type { MerchantContext } from '../context.ts';
import { readIds } from '../db/connection/read-rows.ts';
import { newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { Issue } from '../errors.ts';
import { decodeImage } from './decode.ts';
import type { Decoder } from './decoder.ts';
import { originalKey } from './storage-key.ts';
import type { ImageStorage } from './storage.ts';

type StoreContext = MerchantContext & { readonly storage: ImageStorage; readonly decoder: Decoder };
type Row = Omit<typeof image.$inferInsert, 'merchantId'>;

/** A stored picture. `row`: its database row still to be written; null if the row exists. `isNew`: no row has its id. */
export type StoredUpload = { readonly id: string; readonly row: Row | null; readonly isNew: boolean };

/** A dry run decodes the picture and writes nothing. */
export type StoreOptions = { readonly isDryRun?: boolean };

/**
 * Re-encodes and stores the picture, unless this merchant has sent the same file before. `recordImage` writes its row
 * later, in the transaction that refers to it.
 */
export async function storeImage(
  ctx: StoreContext,
  bytes: Buffer,
  path: Issue['path'],
  { isDryRun = false }: StoreOptions = {},
): Promise<StoredUpload> {
  const contentHash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString(
    'hex',
  );
  const id = isDryRun ? await findKept(ctx, contentHash) : await findDuplicate(ctx, contentHash);
  if (id !== null && (await ctx.storage.exists(originalKey(ctx.merchantId, id))))
    return { id, row: null, isNew: false };
  const original = await decodeImage(ctx, bytes, path);
  const { contentType, width, height } = original;
  const row = { id: id ?? newId(), contentHash, contentType, sizeBytes: original.bytes.length, width, height };
  if (!isDryRun) await ctx.storage.write(originalKey(ctx.merchantId, row.id), original.bytes, contentType);
  return { id: row.id, row, isNew: id === null };
}

/**
 * Writes the row. Returns the id under which the picture is kept, which differs if another request stored the same file
 * meanwhile.
 */
export async function recordImage(ctx: StoreContext, { id, row }: StoredUpload): Promise<string> {
  if (row === null) return id;
  const [kept] = await readIds(
    ctx,
    sql`
    insert into ${image} (merchant_id, id, content_hash, content_type, size_bytes, width, height)
    values (${ctx.merchantId}, ${id}, ${row.contentHash}, ${row.contentType}, ${row.sizeBytes}, ${row.width},
      ${row.height})
    on conflict (merchant_id, content_hash) do update
    set unused_since = null, updated_at = excluded.updated_at
    returning ${image.id}`,
  );
  return kept!;
}

/**
 * Removes the stored object if the picture is kept under another id, or not at all. Called after the transaction, because
 * the storage may be slow. A failure is not reported: `sweepImages` removes the object later.
 */
export async function discardUnrecorded(
  ctx: StoreContext,
  { id, isNew }: StoredUpload,
  recordedIds: ReadonlySet<string>,
): Promise<void> {
  if (isNew && !recordedIds.has(id)) await ctx.storage.delete(originalKey(ctx.merchantId, id)).catch(() => undefined);
}

/** Clears `unused_since`, so that the sweep does not remove the picture before something refers to it. */
async function findDuplicate(ctx: StoreContext, contentHash: string): Promise<string | null> {
  const [kept] = await readIds(
    ctx,
    sql`
    update ${image} set unused_since = null, updated_at = now()
    where ${ownedBy(ctx, image)} and ${image.contentHash} = ${contentHash} returning ${image.id}`,
  );
  return kept ?? null;
}

async function findKept(ctx: StoreContext, contentHash: string): Promise<string | null> {
  const [kept] = await readIds(
    ctx,
    sql`select ${image.id} from ${image} where ${ownedBy(ctx, image)} and ${image.contentHash} = ${contentHash}`,
  );
  return kept ?? null;
}

import { sql } from 'drizzle-orm';
import type { DatabaseContext } from '../db/connection/database.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownCommand } from '../installation/own-command.ts';
import type { ImageStorage } from './storage.ts';

/** Outside of the folders of merchants, so that no sweep removes it. */
const OWNER_KEY = 'owner.json';

/**
 * The database that may remove objects from the storage and write receipts. There is one for a storage, not one for each
 * merchant, which would be a request for each merchant and sweep: databases that share a bucket have a prefix each.
 */
export type StorageOwner = {
  /** The system identifier of the server. Standbys have the same, a server into which a dump was restored has not. */
  readonly server: string;
  /** The oid of the database: a dump can be restored into another database of the same server. */
  readonly database: string;
  readonly name: string;
  /**
   * The next transaction id when the owner last used the storage. A copy of the server's files has the same `server`, but
   * the original goes on, so that its id is higher soon.
   */
  readonly transaction: string;
};

/** `reason` says why this database is not the owner; null if it is. Without an owner both are null. */
export type Ownership = { readonly owner: StorageOwner | null; readonly reason: string | null };

type OwnedStorage = Pick<ImageStorage, 'read' | 'write'>;

/**
 * Throws unless this database owns the storage. Without an owner it becomes the owner. A copy of the database, such as a
 * restored backup, has the same merchants, and would remove the pictures that it does not know.
 */
export async function claimStorage(ctx: DatabaseContext, storage: OwnedStorage): Promise<void> {
  const { own, reason } = await compareOwner(ctx, storage);
  if (reason !== null) throw new ForeignStorageError(reason);
  await writeOwner(storage, own);
}

export async function readOwnership(ctx: DatabaseContext, storage: OwnedStorage): Promise<Ownership> {
  return await compareOwner(ctx, storage);
}

/** Makes this database the owner. Returns the former owner. */
export async function takeOverStorage(ctx: DatabaseContext, storage: OwnedStorage) {
  const { own, owner: former } = await compareOwner(ctx, storage);
  await writeOwner(storage, own);
  return { owner: own, former };
}

export class ForeignStorageError extends Error {
  override readonly name = 'ForeignStorageError';

  constructor(reason: string) {
    super(
      `${reason}. So this database removes no pictures and writes no receipts of erasures. If the other one is no longer ` +
        `used: ${ownCommand('storage take-over')}; otherwise set another STORAGE_URL (docs/running.md, "A copy of the database")`,
    );
  }
}

/** Reads the owner first: its transaction id is then not higher than that of the same database. */
async function compareOwner(ctx: DatabaseContext, storage: OwnedStorage): Promise<Ownership & { own: StorageOwner }> {
  const bytes = await storage.read(OWNER_KEY);
  const owner = bytes && ownerOf(bytes.toString('utf8'));
  const own = await readOwn(ctx);
  return { own, owner, reason: bytes === null ? null : reasonOf(own, owner) };
}

function reasonOf(own: StorageOwner, owner: StorageOwner | null): string | null {
  if (!owner) return `The object ${OWNER_KEY} of the storage cannot be read`;
  if (owner.server !== own.server || owner.database !== own.database)
    return `The storage of the pictures belongs to another database (${owner.name}, server ${owner.server})`;
  if (BigInt(owner.transaction) > BigInt(own.transaction))
    return `The storage of the pictures was used by a later state of this database (transaction ${owner.transaction}, here ${own.transaction})`;
  return null;
}

/** Null if the text is not an owner, for example because somebody has changed it. */
function ownerOf(text: string): StorageOwner | null {
  try {
    const { server, database, name, transaction } = JSON.parse(text) as Record<string, unknown>;
    BigInt(String(transaction));
    return { server: String(server), database: String(database), name: String(name), transaction: String(transaction) };
  } catch {
    return null;
  }
}

async function readOwn({ db }: DatabaseContext): Promise<StorageOwner> {
  const [own] = await readRows(
    { db },
    { server: column.text, database: column.text, name: column.text, transaction: column.text },
    sql`
    select system_identifier::text as "server", d.oid::text as "database", d.datname::text as "name",
      pg_snapshot_xmax(pg_current_snapshot())::text as "transaction"
    from pg_control_system(), pg_database d where d.datname = current_database()`,
  );
  return own!;
}

async function writeOwner(storage: OwnedStorage, owner: StorageOwner): Promise<void> {
  await storage.write(OWNER_KEY, Buffer.from(`${JSON.stringify(owner)}\n`), 'application/json');
}

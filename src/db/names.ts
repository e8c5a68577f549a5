import { getTableName, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Account, type Asker, type Changes, changesOf, type Moment } from './changes.ts';
import type { NamedTable } from './shape.ts';
import { of } from './tenant.ts';

/** Of one table and merchant; where there are more, they are read with the records that have them. */
const NAMES_MAX = 20_000;
const BYTES_MAX = 16 * 1024 * 1024;
const ASKED_MAX = 10_000;
/** Measured: what a name takes besides its own characters. */
const BYTES_PER_NAME = 200;
const BYTES_PER_UNIT = 2;
/** While names go on changing, they are read with the records that have them. */
const READ_AGAIN_AFTER_MS = 1_000;
/** Whoever writes without telling, as with triggers switched off, is noticed after this time. */
const NAMES_LIFETIME_MS = 60_000;
const COUNT_AGAIN_AFTER_MS = 60_000;
/** Statements look through all changes since the snapshot, so it is kept young. */
const SNAPSHOT_AGE_MAX_MS = 100;

/** Names of one table of a merchant by their ids, as JSON texts; null where there are too many. */
type Dictionary = { names: ReadonlyMap<string, string> | null; account: Account; changes: number; readAt: number };

/** What a dictionary of each table says, and the snapshot in which it was so, with its moment. */
export type KnownNames = { names: readonly ReadonlyMap<string, string>[]; snapshot: string; moment: Moment };

/** Names that every page repeats, as those of brands, categories and tags: kept for each merchant, they need no look-up for each record. */
export type Names = {
  /** Null where they are not known; then they are read, for those who come later. */
  known(reader: Asker, tables: readonly NamedTable[]): KnownNames | null;
};

export function openNames(changes: Changes): Names {
  const dictionaries = new LRUCache<string, Dictionary>({ maxSize: BYTES_MAX });
  /** Those that were asked for a moment ago: what is too large to be kept, or pushed out by others, is not read for each page. */
  const asked = new LRUCache<string, true>({ max: ASKED_MAX, ttl: READ_AGAIN_AFTER_MS });

  const readOnce = async (reader: Asker, table: NamedTable): Promise<void> => {
    const key = keyOf(reader, table);
    if (asked.has(key)) return;
    asked.set(key, true);
    const account = await changes.ask(reader);
    const before = changesOf(account, [getTableName(table)]);
    const names = await readNames(reader, table);
    dictionaries.set(key, { names, account, changes: before, readAt: performance.now() }, { size: bytesOf(names) });
  };
  const known = (reader: Asker, table: NamedTable, account: Account | null): ReadonlyMap<string, string> | null => {
    const found = dictionaries.get(keyOf(reader, table));
    const isCurrent = found && found.account === account && ageOf(found) < NAMES_LIFETIME_MS && found.changes === changesOf(account, [getTableName(table)]);
    if (found?.names && isCurrent) return found.names;
    // What goes wrong with it goes wrong with the next statement too, and is told there.
    if (!found || isDue(found)) readOnce(reader, table).catch(() => undefined);
    return null;
  };
  return {
    known: (reader, tables) => {
      const account = changes.known(reader);
      const names = tables.map((table) => known(reader, table, account));
      if (account && performance.now() - account.asOf > SNAPSHOT_AGE_MAX_MS) changes.ask(reader).catch(() => undefined);
      return account && names.every((one) => one !== null) ? { names, snapshot: account.snapshot, moment: account.moment } : null;
    },
  };
}

function isDue(found: Dictionary): boolean {
  return ageOf(found) > (found.names ? READ_AGAIN_AFTER_MS : COUNT_AGAIN_AFTER_MS);
}

function ageOf({ readAt }: Dictionary): number {
  return performance.now() - readAt;
}

function keyOf({ merchantId }: Asker, table: NamedTable): string {
  return `${merchantId} ${getTableName(table)}`;
}

async function readNames(reader: Asker, table: NamedTable): Promise<ReadonlyMap<string, string> | null> {
  const rows = await reader.db.execute<{ id: string; name: string }>(sql`
    select ${table.id} as "id", to_json(${table.name})::text as "name" from ${table} where ${of(reader, table)} limit ${sql.raw(String(NAMES_MAX + 1))}`);
  return rows.length > NAMES_MAX ? null : new Map(rows.map(({ id, name }) => [id, name]));
}

function bytesOf(names: ReadonlyMap<string, string> | null): number {
  return [...(names?.values() ?? [])].reduce((sum, name) => sum + BYTES_PER_NAME + name.length * BYTES_PER_UNIT, 1);
}

import { getTableName, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Account, type Asker, type Changes, changesOf, KEPT_MAX_MS, type Moment } from './changes.ts';
import { withoutClient } from './database.ts';
import type { NamedTable } from './shape.ts';
import { of } from './tenant.ts';

/** Of one table and merchant; where there are more, they are read with the records that have them. */
const NAMES_MAX = 20_000;
const BYTES_MAX = 16 * 1024 * 1024;
const RESTING_MAX = 10_000;
/** Measured: what a name takes besides its own characters. */
const BYTES_PER_NAME = 200;
const BYTES_PER_UNIT = 2;
/** While names go on changing, they are read with the records that have them. */
const READ_AGAIN_AFTER_MS = 1_000;
/** Where there are too many of them. */
const COUNT_AGAIN_AFTER_MS = 60_000;
/** Statements look through all changes since the snapshot, so it is kept young. */
const SNAPSHOT_AGE_MAX_MS = 100;

/** Names of one table of a merchant by their ids, as JSON texts. */
type Dictionary = { names: ReadonlyMap<string, string>; account: Account; changes: number };

/** What a dictionary of each table says, and the snapshot in which it was so, with its moment. */
export type KnownNames = { names: readonly ReadonlyMap<string, string>[]; snapshot: string; moment: Moment };

/** Names that every page repeats, as those of brands, categories and tags: kept for each merchant, they need no look-up for each record. */
export type Names = {
  /** Null where they are not known; then they are read, for those who come later. */
  known(reader: Asker, tables: readonly NamedTable[]): KnownNames | null;
};

export function openNames(changes: Changes): Names {
  const dictionaries = new LRUCache<string, Dictionary>({ maxSize: BYTES_MAX, ttl: KEPT_MAX_MS });
  /** Those that are not to be read again so soon: they are being read, or were a moment ago, or there are too many. */
  const resting = new LRUCache<string, true>({ max: RESTING_MAX });

  const readOnce = async (reader: Asker, table: NamedTable): Promise<void> => {
    const key = keyOf(reader, table);
    if (resting.has(key)) return;
    resting.set(key, true, { ttl: READ_AGAIN_AFTER_MS });
    const account = await changes.ask(reader);
    const before = changesOf(account, [getTableName(table)]);
    const names = await readNames(reader, table);
    const bytes = bytesOf(names);
    if (names.size <= NAMES_MAX && bytes <= BYTES_MAX) dictionaries.set(key, { names, account, changes: before }, { size: bytes });
    else resting.set(key, true, { ttl: COUNT_AGAIN_AFTER_MS });
  };
  const known = (reader: Asker, table: NamedTable, account: Account | null): ReadonlyMap<string, string> | null => {
    const found = dictionaries.get(keyOf(reader, table));
    if (found && found.account === account && found.changes === changesOf(account, [getTableName(table)])) return found.names;
    // What goes wrong with it goes wrong with the next statement too, and is told there.
    readOnce(reader, table).catch(() => undefined);
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

function keyOf({ merchantId }: Asker, table: NamedTable): string {
  return `${merchantId} ${getTableName(table)}`;
}

async function readNames(reader: Asker, table: NamedTable): Promise<ReadonlyMap<string, string>> {
  const rows = await withoutClient(reader.db).execute<{ id: string; name: string }>(sql`
    select ${table.id} as "id", to_json(${table.name})::text as "name" from ${table} where ${of(reader, table)} limit ${sql.raw(String(NAMES_MAX + 1))}`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function bytesOf(names: ReadonlyMap<string, string>): number {
  return [...names.values()].reduce((sum, name) => sum + BYTES_PER_NAME + name.length * BYTES_PER_UNIT, 1);
}

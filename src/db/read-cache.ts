import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Account, type Asker, changesOf, KEPT_MAX_MS, openChanges } from './changes.ts';
import { type Database, withoutClient } from './database.ts';
import { type Names, openNames } from './names.ts';
import type { Statement } from './statement.ts';

/** One answer must not push out all others. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const SEEN_BYTES_MAX = 4 * 1024 * 1024;
const TEXTS_BYTES_MAX = 8 * 1024 * 1024;
const KEY_LENGTH_MAX = 2_000;
const BYTES_PER_UNIT = 2;
/** Measured: what an answer, and a statement that was seen, takes besides its own characters. */
const BYTES_PER_ANSWER = 300;
const BYTES_PER_SEEN = 100;
/** Each table that tells of its changes has one for rows that come, change, go, or go to another merchant, and for all of them going. */
const TRIGGERS = 5;

type Row = Record<string, unknown>;
type Read = () => Promise<readonly Row[]>;

/** Rows of a statement, with what is known of the tables it has read. */
type Remembered = { rows: readonly Row[]; account: Account; tables: readonly string[]; changes: number };
/** A statement's text: a number that stands for it, and its tables if each of them tells of its changes. */
type Text = { id: number; tables: readonly string[] | null };

export type ReadCache = {
  /**
   * The rows of a statement, those it had before where nothing that it reads from has changed. `read` may get at the
   * same rows in another way.
   */
  rows<Found extends Row>(reader: Asker, statement: Statement, read?: () => Promise<readonly Found[]>): Promise<readonly Found[]>;
  readonly names: Names;
};

/**
 * A memory of what was read, never older than the database: before rows are given again it is asked, once for all
 * who wait, whether a transaction has changed one of their tables for this merchant. Statements are remembered
 * when they come a second time. The first parameter of each is the merchant.
 */
export function openReadCache({ maxBytes }: { maxBytes: number }): ReadCache {
  const changes = openChanges();
  const remembered = new LRUCache<string, Remembered>({ maxSize: maxBytes, maxEntrySize: ANSWER_BYTES_MAX, ttl: KEPT_MAX_MS });
  const seen = new LRUCache<string, true>({ maxSize: SEEN_BYTES_MAX, sizeCalculation: (_, key) => BYTES_PER_SEEN + key.length * BYTES_PER_UNIT });
  const textOf = openTexts();

  const known = async (reader: Asker, key: string): Promise<readonly Row[] | null> => {
    const found = remembered.get(key);
    if (!found || changes.known(reader) !== found.account) return null;
    const account = await changes.ask(reader);
    return account === found.account && changesOf(account, found.tables) === found.changes ? found.rows : null;
  };
  const remember = async (reader: Asker, read: Read, key: string, tables: readonly string[]): Promise<readonly Row[]> => {
    const account = changes.known(reader) ?? (await changes.ask(reader));
    const before = changesOf(account, tables);
    const rows = Array.from(await read());
    remembered.set(key, { rows, account, tables, changes: before }, { size: bytesOf(rows) + key.length * BYTES_PER_UNIT });
    return rows;
  };
  const rows = async (reader: Asker, statement: Statement, read: Read = async () => await reader.db.execute<Row>(statement)): Promise<readonly Row[]> => {
    const { id, tables } = await textOf(reader.db, statement.text);
    const key = tables && `${id}${JSON.stringify(statement.parameters)}`;
    if (!key || key.length > KEY_LENGTH_MAX) return await read();
    const again = await known(reader, key);
    if (again) return again;
    if (seen.has(key)) return await remember(reader, read, key, tables);
    seen.set(key, true);
    return await read();
  };
  return { rows: rows as ReadCache['rows'], names: openNames(changes) };
}

function bytesOf(rows: readonly Row[]): number {
  const units = rows.flatMap((row) => Object.values(row)).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 1), 0);
  return BYTES_PER_ANSWER + units * BYTES_PER_UNIT;
}

function openTexts(): (db: Database, text: string) => Promise<Text> {
  const texts = new LRUCache<string, Text>({ maxSize: TEXTS_BYTES_MAX, sizeCalculation: (_, text) => 1 + text.length * BYTES_PER_UNIT });
  let told: Promise<ReadonlyMap<string, boolean>> | null = null;
  let nextId = 1;
  return async (db, text) => {
    const known = texts.get(text);
    if (known) return known;
    told ??= tellingTables(db).catch((error: unknown) => {
      told = null;
      throw error;
    });
    const made = { id: nextId++, tables: tablesIn(text, await told) };
    texts.set(text, made);
    return made;
  };
}

/** The tables of a statement, or null where one of them does not tell, or another time would give other rows. */
function tablesIn(text: string, told: ReadonlyMap<string, boolean>): readonly string[] | null {
  if (/\b(?:now|random|clock_timestamp|current_\w+)\b/i.test(text)) return null;
  const tables = [...new Set(text.match(/\w+/g))].filter((word) => told.has(word));
  return tables.every((table) => told.get(table)) ? tables : null;
}

/** Every table, and whether triggers tell of its changes. */
async function tellingTables(db: Database): Promise<ReadonlyMap<string, boolean>> {
  const rows = await withoutClient(db).execute<{ name: string; triggers: number }>(sql`
    select c.relname as "name", (
      select count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgrelid = c.oid and t.tgenabled in ('O', 'A') and p.proname in ('catalogue_changed', 'catalogue_truncated')
    )::int as "triggers"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
  return new Map(rows.map(({ name, triggers }) => [name, triggers === TRIGGERS]));
}

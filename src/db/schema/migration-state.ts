import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { SQLSTATE, sqlState } from '../errors/database-error.ts';
import { ownCommand } from '../../installation/own-command.ts';

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

const STATES = ['empty', 'earlier', 'behind', 'current', 'newer'] as const;

/** `earlier`: from before the baseline. `newer`: from a later version, whose tables this version can use. */
export type MigrationState = (typeof STATES)[number];

/** Thrown before anything is changed. */
export class EarlierDatabaseError extends Error {
  constructor() {
    super(
      'This database was made by a version from before the first release, from which there is no upgrade: ' +
        `export what you need with that version (${ownCommand('export')}), and import it into a new database ` +
        '(another DATABASE_URL or, for the embedded one, another DATA_DIR).',
    );
  }
}

export async function migrationState(db: Database): Promise<MigrationState> {
  const times = migrationTimes();
  const [first, newest] = [times.at(0)!, times.at(-1)!];
  const statement = sql`
    select case
        when count(*) = 0 then 'empty'
        when not bool_or(created_at = ${first}::bigint) then 'earlier'
        when max(created_at) < ${newest}::bigint then 'behind'
        when max(created_at) = ${newest}::bigint then 'current'
        else 'newer'
      end as state
    from drizzle.__drizzle_migrations`;
  try {
    const [found] = await readRows({ db }, { state: column.oneOf(STATES) }, statement);
    return found!.state;
  } catch (error) {
    if (sqlState(error) === SQLSTATE.undefinedTable) return 'empty';
    throw error;
  }
}

/** The times of the migrations in their order, from drizzle-kit's journal. It has a few lines per migration. */
export function migrationTimes(): number[] {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number }[];
  };
  return journal.entries.map(({ when }) => when);
}

/** Whether the database has the tables of this version or of a later one. */
export async function isMigrated(db: Database): Promise<boolean> {
  return ['current', 'newer'].includes(await migrationState(db));
}

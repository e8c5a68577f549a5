import { sql } from 'drizzle-orm';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { roleOf } from '../../db/schema/roles.ts';
import { asOwner, type Check, identifier, type Warning } from './check.ts';
import type { Subject } from './subject.ts';

/** Without these nothing ends a statement that takes too long, statements are compiled, and stock could be held twice. */
export const settingsCheck: Check = {
  name: 'settings',
  tried: 'compare the settings of a session with those that its connection asks for',
  repair: 'psql "$DATABASE_URL" -c "show all"',
  run: settings,
};

/**
 * Settings of a session: whether a value is wrong, and the one that the role should have. Without `plan_cache_mode`, because
 * the connections of `doctor` ask for another value than those of the service.
 */
const SETTINGS = [
  { name: 'statement_timeout', isWrong: (value: string) => value === '0', advised: '15s' },
  { name: 'idle_in_transaction_session_timeout', isWrong: (value: string) => value === '0', advised: '10s' },
  { name: 'jit', isWrong: (value: string) => value !== 'off', advised: 'off' },
  {
    name: 'default_transaction_isolation',
    isWrong: (value: string) => value !== 'read committed',
    advised: 'read committed',
  },
];

/** A pooler may drop the settings that connections ask for. The role may have them, but no dump has those of roles. */
async function settings(subject: Subject): Promise<string | Warning> {
  const names = SETTINGS.map(({ name }) => name).join(',');
  const rows = await readRows(
    { db: await subject.db() },
    { name: column.text, value: column.text },
    sql`select name, current_setting(name) as value from unnest(string_to_array(${names}, ',')) as name`,
  );
  const found = new Map(rows.map(({ name, value }) => [name, value]));
  const wrong = SETTINGS.filter(({ name, isWrong }) => isWrong(found.get(name)!));
  if (wrong.length === 0) return 'are those of the connection';
  const environment = await subject.environment();
  const role = identifier(roleOf(environment.databaseUrl).name);
  return {
    detail: `${wrong.map(({ name }) => `${name} is ${found.get(name)}`).join(', ')}: a pooler drops them; see "A pooler" in docs/several-machines.md`,
    repair: asOwner(
      environment,
      wrong.map(({ name, advised }) => `alter role ${role} set ${name} = '${advised}';`).join(' '),
    ),
  };
}

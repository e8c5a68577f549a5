import { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { checkClientSecrets } from '../app/credentials/check-client-secrets.ts';
import { areFunctionsApplied } from '../db/schema/apply-functions.ts';
import { EarlierDatabaseError, migrationState } from '../db/schema/migration-state.ts';
import { excessiveRights } from '../db/schema/serving-role.ts';
import { listMerchants } from '../merchant/list-merchants.ts';
import { printJson, printMessage } from './output.ts';
import { examineReferences } from './examine-references.ts';
import { withDatabase, type OpenDatabase } from './with-database.ts';

const MIN_POSTGRES_VERSION = 150_000;
const MAX_CLOCK_SKEW_MS = 2_000;

/** Returns what it found, or throws what is wrong. */
type Check = (database: OpenDatabase) => Promise<string>;

const checks: Record<string, Check> = { postgresVersion, encoding, clock, migrations, servingRole, clientSecrets };

type Options = { references?: boolean; merchant?: string };

export function doctor(): Command {
  return new Command('doctor')
    .description('check configuration and database; exit code 1 when something is wrong')
    .option(
      '--references',
      'check all rows for damage by plain SQL instead: ids without a record of the right kind and merchant, ' +
        'and JSON without the members that the service stores',
    )
    .option('--merchant <id>', 'with --references: the rows of this merchant alone')
    .action(async ({ references, merchant }: Options, command: Command) => {
      if (merchant !== undefined && !references) command.error('error: --merchant needs --references', { exitCode: 2 });
      const answer = references
        ? await withDatabase(async (database) => await examineReferences(database, merchant))
        : await withDatabase(examine, true);
      printJson(answer);
      if (!answer.ok) process.exitCode = 1;
    });
}

async function examine(database: OpenDatabase) {
  const findings = [];
  for (const [name, check] of Object.entries(checks)) {
    const finding = await check(database).then(
      (detail) => ({ name, ok: true, detail }),
      (error: Error) => ({ name, ok: false, detail: error.message }),
    );
    printMessage(`${finding.ok ? 'ok    ' : 'WRONG '} ${name}: ${finding.detail}`);
    findings.push(finding);
  }
  return { ok: findings.every(({ ok }) => ok), checks: findings };
}

async function postgresVersion({ db, isEmbedded }: OpenDatabase): Promise<string> {
  const [row] = await db.execute<{ number: number; version: string }>(sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`);
  const found = `PostgreSQL ${row!.version}${isEmbedded ? ', embedded' : ''}`;
  if (row!.number < MIN_POSTGRES_VERSION) throw new Error(`${found}, but 15 or newer is needed`);
  return found;
}

async function encoding({ db }: OpenDatabase): Promise<string> {
  const [row] = await db.execute<{ encoding: string }>(sql`select current_setting('server_encoding') as encoding`);
  if (row!.encoding !== 'UTF8') throw new Error(`${row!.encoding}, but UTF8 is needed`);
  return row!.encoding;
}

/** The database clock decides when tokens expire; this machine's clock is in webhook signatures. */
async function clock({ db }: OpenDatabase): Promise<string> {
  const before = Date.now();
  const [row] = await db.execute<{ now: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  );
  const skewMs = Math.round(Math.max(before - row!.now, row!.now - Date.now(), 0));
  if (skewMs > MAX_CLOCK_SKEW_MS) throw new Error(`the database's clock is ${skewMs} ms away from this machine's`);
  return `${skewMs} ms away from the database's`;
}

async function migrations({ db }: OpenDatabase): Promise<string> {
  const state = await migrationState(db);
  if (state === 'earlier') throw new EarlierDatabaseError();
  if (state === 'empty' || state === 'behind')
    throw new Error('tables of this version are missing: npm run admin -- migrate');
  if (state === 'current' && !(await areFunctionsApplied(db)))
    throw new Error('functions of this version are missing: npm run admin -- migrate');
  return state === 'newer' ? 'tables of a newer version' : 'up to date';
}

/** Reports excess privileges. They are not an error, because a single role for everything works too. */
async function servingRole({ db }: OpenDatabase): Promise<string> {
  const rights = await excessiveRights(db);
  return rights.length === 0
    ? 'may do what the service needs and no more'
    : `may do more than the service needs: ${rights.join(', ')}; see "Database roles" in README.md`;
}

async function clientSecrets(database: OpenDatabase): Promise<string> {
  const merchants = await listMerchants(database);
  let count = 0;
  for (const { merchantId } of merchants) count += await checkClientSecrets({ ...database, merchantId });
  return `${count} open with the SECRET_KEY`;
}

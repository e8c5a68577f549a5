import { sql } from 'drizzle-orm';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { pendingFunctions } from '../../db/schema/pending-functions.ts';
import { EarlierDatabaseError, isMigrated, migrationState } from '../../db/schema/migration-state.ts';
import { listMerchants } from '../../merchant/list-merchants.ts';
import { hasDeliveryQueue } from '../../webhook/ledger/delivery-queue.ts';
import { asOwner, Broken, type Check, LOCALE_OPTIONS } from './check.ts';
import { collationsCheck } from './collations.ts';
import { erasuresCheck } from './erasures.ts';
import { clientSecretsCheck } from './client-secrets.ts';
import { nodesCheck } from './nodes.ts';
import { rights, servingRole } from './roles.ts';
import { settingsCheck } from './settings.ts';
import type { Subject } from './subject.ts';
import { ownCommand } from '../../installation/own-command.ts';

const MIN_POSTGRES_VERSION = 150_000;
const EXTENSIONS = ['unaccent', 'pg_trgm', 'btree_gin', 'fuzzystrmatch'];
const MIGRATE = ownCommand('migrate');
const MIGRATE_AS_OWNER = `MIGRATION_DATABASE_URL=postgres://OWNER:PASSWORD@host/database ${MIGRATE}`;
/** The statement by which migration 0004_queue.sql creates the queue. */
const CREATE_QUEUE =
  `select pgboss.create_queue('webhook-delivery', '{"policy": "standard", "partition": true, "retryLimit": 1000000, ` +
  `"expireInSeconds": 120, "retentionSeconds": 7776000, "deleteAfterSeconds": 60}')`;
/** Creates a database with the same locale as the embedded one. */
const CREATE_WITH_LOCALE =
  `createdb ${LOCALE_OPTIONS} NEW_NAME` +
  '   # then pg_dump OLD_NAME | psql NEW_NAME, and the new name in DATABASE_URL';

/** What is in the database, from its version to what the service stored in it. */
export const databaseChecks: Check[] = [
  {
    name: 'postgresVersion',
    tried: 'read server_version_num',
    repair: 'pg_upgradecluster',
    run: postgresVersion,
  },
  { name: 'encoding', tried: 'read server_encoding', repair: CREATE_WITH_LOCALE, run: encoding },
  { name: 'rights', tried: 'compare privileges with what the service needs', repair: MIGRATE_AS_OWNER, run: rights },
  {
    name: 'servingRole',
    tried: 'look for privileges that the service does not need',
    repair: MIGRATE,
    run: servingRole,
  },
  { name: 'extensions', tried: `look for ${EXTENSIONS.join(', ')}`, repair: MIGRATE_AS_OWNER, run: extensions },
  { name: 'locale', tried: 'fold and classify letters outside of ASCII', repair: CREATE_WITH_LOCALE, run: locale },
  collationsCheck,
  settingsCheck,
  { name: 'migrations', tried: 'compare tables and functions with this version', repair: MIGRATE, run: migrations },
  nodesCheck,
  clientSecretsCheck,
  { name: 'queue', tried: 'look for the queue of deliveries', repair: MIGRATE, run: queue },
  { name: 'histories', tried: 'look for histories without space', repair: MIGRATE, run: histories },
  { name: 'holds', tried: 'look for merchants with too many holds', repair: MIGRATE, run: holds },
  erasuresCheck,
];

async function postgresVersion(subject: Subject): Promise<string> {
  const [row] = await readRows(
    { db: await subject.db() },
    { number: column.number, version: column.text },
    sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const { isEmbedded } = await subject.environment();
  const found = `PostgreSQL ${row!.version}${isEmbedded ? ', embedded' : ''}`;
  if (row!.number < MIN_POSTGRES_VERSION)
    throw new Broken(
      `${found}, but 15 or newer is needed`,
      `pg_upgradecluster ${Math.floor(row!.number / 10_000)} main   # Debian; elsewhere pg_upgrade`,
    );
  return found;
}

async function encoding(subject: Subject): Promise<string> {
  const [row] = await readRows(
    { db: await subject.db() },
    { encoding: column.text },
    sql`select current_setting('server_encoding') as encoding`,
  );
  if (row!.encoding !== 'UTF8') throw new Error(`${row!.encoding}, but UTF8 is needed`);
  return row!.encoding;
}

/** The first migration creates them, so before it they only have to be available. */
async function extensions(subject: Subject): Promise<string> {
  const db = await subject.db();
  const rows = await readRows(
    { db },
    { name: column.text, installed: column.boolean },
    sql`
    select name, installed_version is not null as installed from pg_available_extensions
    where name = any(${`{${EXTENSIONS.join(',')}}`}::text[])`,
  );
  const unavailable = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
  if (unavailable.length > 0)
    throw new Broken(
      `the server lacks the files of ${unavailable.join(', ')}`,
      'apt-get install postgresql-contrib   # on the machine of the database',
    );
  const missing = rows.filter(({ installed }) => !installed).map(({ name }) => name);
  if (missing.length > 0 && (await isMigrated(db)))
    throw new Broken(
      `${missing.join(', ')} missing`,
      asOwner(await subject.environment(), missing.map((name) => `create extension ${name};`).join(' ')),
    );
  return missing.length > 0 ? 'available; the first migration creates them' : EXTENSIONS.join(', ');
}

/**
 * Sorting and folding use ICU's root collation. pg_trgm classifies letters by LC_CTYPE, so under C misspelt words of
 * other alphabets are not found.
 */
async function locale(subject: Subject): Promise<string> {
  const [row] = await readRows(
    { db: await subject.db() },
    { hasIcu: column.boolean, ctype: column.text },
    sql`
    select exists (select from pg_collation where collname = 'und-x-icu') as "hasIcu", datctype as ctype
    from pg_database where datname = current_database()`,
  );
  if (!row!.hasIcu)
    throw new Broken(
      'this PostgreSQL is built without ICU, so the collation und-x-icu is missing',
      'apt-get install postgresql   # Debian builds it with ICU; elsewhere configure it with --with-icu',
    );
  if (['C', 'POSIX'].includes(row!.ctype))
    throw new Error(
      `LC_CTYPE is ${row!.ctype}, in which only ASCII has letters: searches miss words of other alphabets`,
    );
  return `LC_CTYPE ${row!.ctype}, and ICU`;
}

async function migrations(subject: Subject): Promise<string> {
  const db = await subject.db();
  const state = await migrationState(db);
  if (state === 'earlier')
    throw new Broken(new EarlierDatabaseError().message, `createdb commerce && DATABASE_URL=…/commerce ${MIGRATE}`);
  if (state === 'empty' || state === 'behind') throw new Error('tables of this version are missing');
  if (state === 'current' && (await pendingFunctions(db)) !== 'none')
    throw new Error('functions of this version are missing');
  return state === 'newer' ? 'tables of a newer version' : 'up to date';
}

async function queue(subject: Subject): Promise<string> {
  if (!(await hasDeliveryQueue(await subject.db())))
    throw new Broken('the queue webhook-delivery is missing', asOwner(await subject.environment(), CREATE_QUEUE));
  return 'webhook-delivery';
}

/** Reports full histories. They are not an error: writes go on, but their values are not kept. */
async function histories(subject: Subject): Promise<string> {
  const full = (await listMerchants({ across: await subject.across() })).filter(({ isHistoryFull }) => isHistoryFull);
  if (full.length === 0) return 'none is full';
  return `full, so that changes are recorded without their values: ${full.map(({ merchantId }) => merchantId).join(', ')}; see HISTORY_MAX_BYTES`;
}

/** Names merchants that have the maximum of active holds. The check passes: the number falls when holds end. */
async function holds(subject: Subject): Promise<string> {
  const full = (await listMerchants({ across: await subject.across() })).filter(
    ({ isStockHeldFull }) => isStockHeldFull,
  );
  if (full.length === 0) return 'none has too many';
  return `1,000,000 are active, so that new ones are refused: ${full.map(({ merchantId }) => merchantId).join(', ')}`;
}

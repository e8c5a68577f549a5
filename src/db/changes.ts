import { type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { catalogueChange } from '../../drizzle/catalogue-change.ts';
import { type Database, withoutClient } from './database.ts';
import { render } from './statement.ts';
import { template } from './template.ts';
import { of, ofFirst, type Tenant } from './tenant.ts';

const MERCHANTS_MAX = 10_000;
/** Changes are forgotten when nobody can need them: an account that is older begins anew. */
export const ACCOUNT_LIFETIME_MS = 60_000;

/** Whoever writes without telling, as with triggers switched off, is noticed after this time: what was read is not kept for longer. */
export const KEPT_MAX_MS = 60_000;

/** When a statement ran, as its own server tells it. */
export type Moment = {
  /** Another text after a crash or a failover: what was read before may have been lost, and numbers of transactions come again. */
  readonly server: string;
  /** Seconds. This process's own clocks stand still while its machine sleeps, or tell nothing of when the statement's turn came. */
  readonly clock: number;
};

export const MOMENT = [
  { name: 'server', value: sql.raw('concat(pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())') },
  { name: 'clock', value: sql.raw('extract(epoch from clock_timestamp())::float8') },
] as const;

const MOMENT_COLUMNS = sql.raw(MOMENT.map(({ name, value }) => `${render(value).sql} as "${name}"`).join(', '));

/** Whether a statement can have learned all that has changed since an earlier one. */
export function isSoonAfter(earlier: Moment, { server, clock }: Moment): boolean {
  return server === earlier.server && clock >= earlier.clock && (clock - earlier.clock) * 1_000 < ACCOUNT_LIFETIME_MS;
}

export type Asker = Tenant & { readonly db: Database };

/** What has become of a merchant's catalogue since this process first asked. */
export type Account = {
  /** The transactions that it knows of, as Postgres writes a snapshot. */
  snapshot: string;
  moment: Moment;
  /** When this process asked, by its own clock. */
  asOf: number;
  /** How many times each table was found changed. */
  readonly counts: Map<string, number>;
};

/** The questions about one merchant: those that come while one is under way are asked together when it is answered. */
type Place = { account: Account | null; asked: Promise<Account> | null; next: Promise<Account> | null };

export type Changes = {
  /** What is known without asking. A statement that is sent now sees as much or more. */
  known(ctx: Asker): Account | null;
  /** Knows of all that was committed before the call. */
  ask(ctx: Asker): Promise<Account>;
};

/** As long as it is the same, none of the tables has changed. */
export function changesOf({ counts }: Account, tables: readonly string[]): number {
  return tables.reduce((sum, table) => sum + (counts.get(table) ?? 0), 0);
}

/** Learns from the database what has changed, with one question for all who ask at the same time. */
export function openChanges(): Changes {
  const places = new LRUCache<string, Place>({ max: MERCHANTS_MAX });
  return {
    known: ({ merchantId }) => known(places.get(merchantId)),
    ask: async (ctx) => {
      const place = places.get(ctx.merchantId) ?? { account: null, asked: null, next: null };
      places.set(ctx.merchantId, place);
      return await (place.next ?? askNext(ctx, place));
    },
  };
}

function known(place: Place | undefined): Account | null {
  const account = place?.account;
  return account && performance.now() - account.asOf < ACCOUNT_LIFETIME_MS ? account : null;
}

/** An answer that is under way may have missed what was committed before this question. */
async function askNext(ctx: Asker, place: Place): Promise<Account> {
  if (!place.asked) return await askNow(ctx, place);
  const next = place.asked.then(() => askNow(ctx, place), () => askNow(ctx, place));
  place.next = next;
  return await next;
}

async function askNow(ctx: Asker, place: Place): Promise<Account> {
  place.next = null;
  const asked = bringUpToDate(ctx, place);
  place.asked = asked;
  try {
    return await asked;
  } finally {
    if (place.asked === asked) place.asked = null;
  }
}

async function bringUpToDate(ctx: Asker, place: Place): Promise<Account> {
  const asOf = performance.now();
  const account = known(place);
  const { snapshot, tables, ...moment } = await readChanges(ctx, account);
  if (!account || !isSoonAfter(account.moment, moment)) return (place.account = { snapshot, moment, asOf, counts: new Map() });
  for (const table of tables?.split(',') ?? []) account.counts.set(table, changesOf(account, [table]) + 1);
  return Object.assign(account, { snapshot, moment, asOf });
}

type Found = Moment & { snapshot: string; tables: string | null };

async function readChanges(ctx: Asker, account: Account | null): Promise<Found> {
  const question = account ? changesSince(ctx, account) : sql`select pg_current_snapshot()::text as "snapshot", ${MOMENT_COLUMNS}, null as "tables"`;
  const [found] = await withoutClient(ctx.db).execute<Found>(question);
  return found!;
}

function changesSince(ctx: Asker, { snapshot }: Account): SQL {
  const { tableName } = catalogueChange;
  const rows = (isSince: SQL): SQL => sql`select ${tableName} from ${catalogueChange} where ${of(ctx, catalogueChange)} and ${isSince}`;
  return template('catalogue changes', [ctx.merchantId, snapshot, ctx.merchantId, snapshot], () => sql`
    select pg_current_snapshot()::text as "snapshot", ${MOMENT_COLUMNS}, (
      select string_agg(distinct since.table_name, ',') from (${rows(isAhead(sql`${snapshot}`))} union all ${rows(wasUnderWay(sql`${snapshot}`))}) as since
    ) as "tables"`);
}

/** Whether one of the tables was changed after a snapshot, as a condition of a statement whose first parameter is the merchant. */
export function isChangedSince(snapshot: SQL, tables: readonly string[]): SQL {
  const names = sql.raw(tables.map((table) => `'${table}'`).join(', '));
  const found = (isSince: SQL): SQL => sql`
    exists (select from ${catalogueChange} where ${ofFirst(catalogueChange)} and ${isSince} and ${catalogueChange.tableName} in (${names}))`;
  return sql`(${found(isAhead(snapshot))} or ${found(wasUnderWay(snapshot))})`;
}

// A snapshot does not know of transactions that began after it, nor of those that were under way. Each has a look at the index of its
// own: from the oldest one under way on there may be all that was written during a long transaction.
function isAhead(snapshot: SQL): SQL {
  return sql`${catalogueChange.transactionId} >= pg_snapshot_xmax(${snapshot}::text::pg_snapshot)`;
}

function wasUnderWay(snapshot: SQL): SQL {
  return sql`${catalogueChange.transactionId} = any(array(select pg_snapshot_xip(${snapshot}::text::pg_snapshot)))`;
}

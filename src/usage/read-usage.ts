import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { clientOperation, schemaUsage } from '../../drizzle/usage.ts';
import { column } from '../db/connection/read-rows.ts';
import type { AcrossContext, AcrossMerchants } from '../db/connection/across-merchants.ts';
import { textArray } from '../db/sql/parameter.ts';
import type { ReportedOperation, Use, UsageReport } from './usage-input.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type UsageQuestion = {
  /** Number of days to read, up to and including today. */
  readonly days: number;
  /** Coordinates; a type also means its members, and a field its arguments. Without them, everything. */
  readonly coordinates?: readonly string[];
  /** The merchant whose usage is read. Without it, the usage of all merchants is read. */
  readonly merchantId?: string | undefined;
};

/** The days of a usage, and its uses and operations: a page for each app, so that no reader must hold all of them. */
export type UsagePages = {
  readonly days: Omit<UsageReport, 'uses' | 'operations'>;
  /** Whether there are any uses. */
  readonly isUsed: boolean;
  readonly uses: () => AsyncGenerator<readonly Use[]>;
  readonly operations: () => AsyncGenerator<readonly ReportedOperation[]>;
};

/** The uses of a coordinate by all apps. */
export type CoordinateUsage = Pick<Use, 'coordinate' | 'requests' | 'lastUsedOn'> & { readonly apps: number };

type Across = Pick<AcrossContext, 'across'>;
type App = Pick<Use, 'merchantId' | 'authorizedAppId'>;

/** A row `u` for each coordinate of each row. */
const counts = sql`(
  select s.merchant_id, s.authorized_app_id, s.day, s.operation, c.key as coordinate, c.value::bigint as requests
  from ${schemaUsage} as s, json_each_text(s.requests) as c) as u`;

/** Reads a whole usage. A question without coordinates may have millions of uses: `openUsage` reads them in pages. */
export async function readUsage(ctx: Across, question: UsageQuestion): Promise<UsageReport> {
  const { days, uses, operations } = await openUsage(ctx, question);
  return {
    ...days,
    uses: (await Array.fromAsync(uses())).flat(),
    operations: (await Array.fromAsync(operations())).flat(),
  };
}

/** Opens a usage for the operator's commands. No GraphQL operation calls it. */
export async function openUsage({ across }: Across, question: UsageQuestion): Promise<UsagePages> {
  const { from, until } = daysOf(question);
  const where = asked(question, from);
  const [first] = await across.rows(
    'readUsage',
    { day: column.nullable(column.text) },
    sql`select min(${day(sql`day`)}) as day from ${schemaUsage}`,
  );
  const apps = await across.rows(
    'readUsage',
    { merchantId: column.text, authorizedAppId: column.text },
    sql`
    select distinct u.merchant_id as "merchantId", u.authorized_app_id as "authorizedAppId" from ${counts}
    where ${where} order by 1, 2`,
  );
  const asOf = { from, until, countedSince: first!.day };
  return {
    days: { field: question.coordinates?.join(' ') ?? null, merchantId: question.merchantId ?? null, ...asOf },
    isUsed: apps.length > 0,
    uses: async function* () {
      for (const app of apps) yield await usesOf(across, app, where);
    },
    operations: async function* () {
      for (const app of apps) yield await operationsOf(across, app, where);
    },
  };
}

/** Sums up the uses of each coordinate by all apps, without their arguments, members and operations. */
export async function readCoordinateUsage({ across }: Across, question: UsageQuestion): Promise<CoordinateUsage[]> {
  return await across.rows(
    'readUsage',
    { coordinate: column.text, apps: column.number, requests: column.number, lastUsedOn: column.text },
    sql`
    select u.coordinate, count(distinct (u.merchant_id, u.authorized_app_id))::int as apps,
      sum(u.requests)::float8 as requests, max(${day(sql`u.day`)}) as "lastUsedOn"
    from ${counts} where ${asked(question, daysOf(question).from)}
    group by u.coordinate order by u.coordinate`,
  );
}

async function usesOf(across: AcrossMerchants, app: App, where: SQL): Promise<Use[]> {
  return await across.rows(
    'readUsage',
    {
      coordinate: column.text,
      merchantId: column.text,
      authorizedAppId: column.text,
      appName: column.nullable(column.text),
      operation: column.text,
      requests: column.number,
      lastUsedOn: column.text,
    },
    sql`
    select u.coordinate, u.merchant_id as "merchantId", u.authorized_app_id as "authorizedAppId", a.name as "appName",
      u.operation, sum(u.requests)::float8 as requests, max(${day(sql`u.day`)}) as "lastUsedOn"
    from ${counts} left join ${authorizedApp} as a on a.merchant_id = u.merchant_id and a.id = u.authorized_app_id
    where ${where} and ${isOf(app)}
    group by u.coordinate, u.merchant_id, u.authorized_app_id, a.name, u.operation
    order by u.coordinate, u.operation`,
  );
}

async function operationsOf(across: AcrossMerchants, app: App, where: SQL): Promise<ReportedOperation[]> {
  return await across.rows(
    'readUsage',
    {
      merchantId: column.text,
      authorizedAppId: column.text,
      operation: column.text,
      name: column.nullable(column.text),
      text: column.text,
    },
    sql`
    select o.merchant_id as "merchantId", o.authorized_app_id as "authorizedAppId", o.operation, o.name, o.text
    from ${counts} join ${clientOperation} as o on u.merchant_id = o.merchant_id
      and u.authorized_app_id = o.authorized_app_id and u.operation = o.operation
    where ${where} and ${isOf(app)}
    group by o.merchant_id, o.authorized_app_id, o.operation, o.name, o.text
    order by o.operation`,
  );
}

function isOf({ merchantId, authorizedAppId }: App): SQL {
  return sql`u.merchant_id = ${merchantId}::uuid and u.authorized_app_id = ${authorizedAppId}::uuid`;
}

function daysOf({ days }: UsageQuestion): { from: string; until: string } {
  const now = Date.now();
  return { from: dayText(new Date(now - (days - 1) * DAY_MS)), until: dayText(new Date(now)) };
}

function asked({ coordinates, merchantId }: UsageQuestion, from: string): SQL {
  const conditions = [sql`u.day >= ${`${from}T00:00:00Z`}::timestamptz`];
  if (merchantId !== undefined) conditions.push(sql`u.merchant_id = ${merchantId}::uuid`);
  if (coordinates)
    conditions.push(sql`array[u.coordinate, split_part(u.coordinate, '.', 1), split_part(u.coordinate, '(', 1)]
      && ${textArray(coordinates)}`);
  return sql.join(conditions, sql` and `);
}

function day(time: SQL): SQL {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD')`;
}

function dayText(time: Date): string {
  return time.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { clientOperation, schemaUsage } from '../../drizzle/usage.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { textArray } from '../db/sql/parameter.ts';
import type { ReportedOperation, Use, UsageReport } from './usage-report.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type UsageQuestion = {
  /** Number of days to read, up to and including today. */
  readonly days: number;
  /** Coordinates; a type also means its members, and a field its arguments. Without them, everything. */
  readonly coordinates?: readonly string[];
  /** The merchant whose usage is read. Without it, the usage of all merchants is read. */
  readonly merchantId?: string | undefined;
};

/** Reads the counts for the operator's commands. No GraphQL operation calls it. */
export async function readUsage(
  { across }: Pick<AcrossContext, 'across'>,
  question: UsageQuestion,
): Promise<UsageReport> {
  const until = new Date();
  const from = dayText(new Date(until.getTime() - (question.days - 1) * DAY_MS));
  const where = asked(question, from);
  const uses = await across.execute<Use>(
    'readUsage',
    sql`
    select u.coordinate, u.merchant_id as "merchantId", u.authorized_app_id as "authorizedAppId", a.name as "appName",
      u.operation, sum(u.requests)::float8 as requests, max(${day(sql`u.day`)}) as "lastUsedOn"
    from ${schemaUsage} as u left join ${authorizedApp} as a on a.merchant_id = u.merchant_id and a.id = u.authorized_app_id
    where ${where}
    group by u.coordinate, u.merchant_id, u.authorized_app_id, a.name, u.operation
    order by u.coordinate, u.merchant_id, u.authorized_app_id, u.operation`,
  );
  const operations = await across.execute<ReportedOperation>(
    'readUsage',
    sql`
    select o.merchant_id as "merchantId", o.authorized_app_id as "authorizedAppId", o.operation, o.name, o.text
    from ${clientOperation} as o join ${schemaUsage} as u on u.merchant_id = o.merchant_id
      and u.authorized_app_id = o.authorized_app_id and u.operation = o.operation
    where ${where}
    group by o.merchant_id, o.authorized_app_id, o.operation, o.name, o.text
    order by o.merchant_id, o.authorized_app_id, o.operation`,
  );
  const [first] = await across.execute<{ day: string | null }>(
    'readUsage',
    sql`select min(${day(sql`day`)}) as day from ${schemaUsage}`,
  );
  return {
    field: question.coordinates?.join(' ') ?? null,
    merchantId: question.merchantId ?? null,
    from,
    until: dayText(until),
    countedSince: first!.day,
    uses: [...uses],
    operations: [...operations],
  };
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

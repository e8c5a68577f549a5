import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { invalidAt } from '../errors.ts';
import { timestamptzText } from '../values/timestamp.ts';
import { refused } from './records-as-of.ts';

const MAX_IDS = 200;
/** The arguments that may stand beside `asOf`. */
const ALLOWED = ['id', 'asOf', 'includeDeleted', 'pagination', 'sort'];

type AsOfArgs = { asOf?: number | null; id?: { eq?: string | null; in?: readonly string[] | null } | null };

/** What `asOf` asks for: a time in the form of the database, and the ids of the records. */
export type AsOf = { readonly at: string; readonly ids: readonly string[] };

/** Refuses a time of which nothing is known, and conditions on other members than the id. */
export async function checkedAsOf(ctx: Context, args: AsOfArgs): Promise<AsOf> {
  const other = Object.entries(args).find(([name, value]) => !ALLOWED.includes(name) && isCondition(value));
  if (other) throw invalidAt([other[0]], 'cannot be given together with asOf');
  const members = Object.entries(args.id ?? {}).filter(([, value]) => value != null);
  const unusable = members.find(([name]) => name !== 'eq' && name !== 'in');
  if (members.length === 0 || unusable)
    throw invalidAt(unusable ? ['id', unusable[0]] : ['id'], 'must name the ids with eq or in, beside asOf');
  const { eq, in: among } = args.id!;
  const ids = [...new Set([...(eq == null ? [] : [eq]), ...(among ?? [])])].filter(isId);
  if (ids.length > MAX_IDS) throw invalidAt(['id', 'in'], `must have at most ${MAX_IDS} ids beside asOf`);
  return { at: await checkedTime(ctx, args.asOf!), ids };
}

/** Null members and `{}` are no conditions. */
function isCondition(value: unknown): boolean {
  const isFilter = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isFilter ? Object.values(value).some(isCondition) : value != null;
}

async function checkedTime(ctx: Context, asOf: number): Promise<string> {
  const [own] = await readRows(
    ctx,
    { since: column.nullable(column.number), now: column.number },
    sql`
    select (extract(epoch from ${merchant.historySince}) * 1000)::float8 as "since",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "now"
    from ${merchant} where ${ownedBy(ctx, merchant)}`,
  );
  const since = own?.since ?? null;
  if (since === null) throw refused('cannot be answered, because the merchant has no history');
  const at = timestamptzText(asOf);
  if (at === null || asOf < since)
    throw refused(`must not be before ${new Date(since).toISOString()} (${since}), since when changes are kept`);
  if (asOf > own!.now) throw refused('must not be in the future');
  return at;
}

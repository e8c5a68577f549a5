import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../src/db/connection/database.ts';

/** A stock count as the database has it. */
export type Count = { id: string; variantId: string; stockCount: number };
export type Movement = {
  id: string;
  sequence: number;
  delta: number;
  countAfter: number;
  key: string | null;
  kind: string;
};
type Owner = { db: Database; merchantId: string };

/** Counts have at most 6 decimals. Sums of whole millionths are exact. */
const MILLIONTHS = 1_000_000;

export async function countsOf({ db, merchantId }: Owner): Promise<Count[]> {
  return await rows<Count>(
    db,
    sql`
    select id, variant_id as "variantId", stock_count::float8 as "stockCount" from product_stock_location
    where merchant_id = ${merchantId} order by id`,
  );
}

export async function movementsOf({ db, merchantId }: Owner, countId: string): Promise<Movement[]> {
  return await rows<Movement>(
    db,
    sql`
    select id, sequence, delta::float8 as "delta", count_after::float8 as "countAfter", key, kind from stock_movement
    where merchant_id = ${merchantId} and product_stock_location_id = ${countId} order by sequence`,
  );
}

/** What is wrong with the movements of a count by themselves: gaps, sums, the order of their times, repeated keys. */
export function chainFaults({ id: countId, stockCount }: Count, movements: readonly Movement[]): string[] {
  const faults: string[] = [];
  const keys = new Set<string>();
  let sum = 0;
  for (const [index, { id, sequence, delta, countAfter, key }] of movements.entries()) {
    const name = `${countId} ${sequence}`;
    sum += millionths(delta);
    if (sequence !== index + 1) faults.push(`${name}: number ${index + 1} was expected`);
    if (millionths(countAfter) !== sum) faults.push(`${name}: ${countAfter} afterwards and not ${sum / MILLIONTHS}`);
    if (index > 0 && timeOf(id) <= timeOf(movements[index - 1]!.id)) faults.push(`${name}: not later than the former`);
    if (key !== null && keys.has(key)) faults.push(`${name}: a second movement with the key ${key}`);
    if (key !== null) keys.add(key);
  }
  if (millionths(stockCount) !== sum) faults.push(`${countId}: the count is ${stockCount} and not ${sum / MILLIONTHS}`);
  return faults;
}

/** The milliseconds in a UUID of version 7. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

export function millionths(value: number): number {
  return Math.round(value * MILLIONTHS);
}

export async function rows<Row extends Record<string, unknown>>(db: Database, statement: SQL): Promise<Row[]> {
  return [...(await db.execute<Row>(statement))] as Row[];
}

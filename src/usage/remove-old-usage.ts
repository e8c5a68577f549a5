import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { clientOperation, schemaUsage } from '../../drizzle/usage.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { deleteOldest } from '../db/across/delete-oldest.ts';
import { sumOfParts } from '../db/across/sum-of-parts.ts';
import { KEPT_DAYS } from './kept-days.ts';

/** Removes old counts and operations of all merchants, and returns their number. */
export async function removeOldUsage(ctx: AcrossContext, signal?: AbortSignal): Promise<number> {
  const counts = { table: schemaUsage, time: schemaUsage.day, isDue: isOld(schemaUsage.day) };
  const operations = {
    table: clientOperation,
    time: clientOperation.lastUsedOn,
    isDue: isOld(clientOperation.lastUsedOn),
  };
  return await sumOfParts([() => deleteOldest(ctx, counts, signal), () => deleteOldest(ctx, operations, signal)]);
}

function isOld(time: AnyPgColumn): SQL {
  return sql`${time} < now() - make_interval(days => ${sql.raw(String(KEPT_DAYS))})`;
}

import { sql } from 'drizzle-orm';
import { changeSet, changeTransaction } from '../../../drizzle/change.ts';
import { withoutCase } from '../../../drizzle/columns.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy, textArray } from '../../db/sql/parameter.ts';
import { ERASED, isNamed } from './contacts.ts';
import type { ErasedChanges } from './erase-changes.ts';

/**
 * Replaces the actors of change sets that name the customers, and returns the number of these sets. In a change set that
 * changed one of the customers, the actor names them if it contains one of their contacts, or may name them if values were
 * not kept; in other change sets of these apps, if it is one.
 */
export async function eraseActors(
  ctx: MerchantContext,
  { contacts, changeSetIds, truncatedSetIds }: ErasedChanges,
  apps: ReadonlySet<string>,
): Promise<number> {
  const actor = withoutCase(sql`${changeSet.actor}`);
  const found = await readRows(
    ctx,
    { id: column.text, actor: column.text },
    sql`
    select ${changeSet.id} as "id", ${changeSet.actor} as "actor" from ${changeSet}
    where ${ownedBy(ctx, changeSet)} and ${changeSet.actor} is not null
      and (${changeSet.id} = any(${idArray([...changeSetIds])})
        or ${actor} = any(${textArray([...contacts.wholes])}) and ${changeSet.authorizedAppId} = any(${idArray([...apps])}))`,
  );
  const named = found.filter(({ id, actor }) => truncatedSetIds.has(id) || isNamed(contacts, actor));
  const ids = named.map(({ id }) => id);
  await ctx.db.execute(sql`
    update ${changeSet} set actor = ${ERASED}
    where ${ownedBy(ctx, changeSet)} and ${changeSet.id} = any(${idArray(ids)})`);
  // A person may erase itself in a shop: then the app names it as the actor of the erasure.
  if (isNamed(contacts, ctx.origin?.actor))
    await ctx.db.execute(
      sql`update ${changeTransaction} set actor = ${ERASED} where ${ownedBy(ctx, changeTransaction)}`,
    );
  return ids.length;
}

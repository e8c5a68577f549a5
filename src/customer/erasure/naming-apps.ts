import { sql } from 'drizzle-orm';
import { changeSet } from '../../../drizzle/change.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { isNamed } from './contacts.ts';
import type { ErasedChanges } from './erase-changes.ts';

/**
 * The apps that have named a customer as the actor of a change of a customer, such as a shop in which customers change their
 * own data. Actors of other apps may be staff with the name or address of a customer. An app must not remove their names from
 * the changes of other apps by saving and erasing such a customer.
 */
export async function namingApps(
  ctx: MerchantContext,
  { contacts, changeSetIds }: Pick<ErasedChanges, 'contacts' | 'changeSetIds'>,
): Promise<Set<string>> {
  const named = await readRows(
    ctx,
    { appId: column.text, actor: column.text },
    sql`
    select distinct ${changeSet.authorizedAppId} as "appId", ${changeSet.actor} as "actor" from ${changeSet}
    where ${ownedBy(ctx, changeSet)} and ${changeSet.id} = any(${idArray([...changeSetIds])})
      and ${changeSet.actor} is not null and ${changeSet.authorizedAppId} is not null`,
  );
  return new Set(named.filter(({ actor }) => isNamed(contacts, actor)).map(({ appId }) => appId));
}

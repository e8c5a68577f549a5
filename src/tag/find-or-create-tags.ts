import { productTag } from '../../drizzle/tag.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { findOrCreateByName } from '../db/write/find-or-create.ts';

/** The ids of the tags by name. */
export async function findOrCreateTags(ctx: Context, names: readonly string[]): Promise<Map<string, string>> {
  const { ids } = await findOrCreateByName(ctx, productTag, names, (name) => ({ id: newId(), name }));
  return ids;
}

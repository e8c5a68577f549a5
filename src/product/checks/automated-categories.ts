import { type SQL, sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import type { Context } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { readIds } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import type { ProductInput } from '../input/product-input.ts';
import type { StoredProduct } from '../stored/stored-products.ts';

/**
 * Those of the ids whose categories are automated, deleted ones too. The session knows whether there are any, which saves
 * most merchants a round trip.
 */
export async function automatedCategories(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (!mayBeAutomated(ctx, ids)) return new Set();
  return new Set(await readIds(ctx, automatedAmong(ctx, ids)));
}

/** A product was written in the belief that none of its categories is automated. */
export class AutomatedCategoriesError extends Error {
  readonly ids: ReadonlySet<string>;

  constructor(ids: ReadonlySet<string>) {
    super('The input names automated categories.');
    this.ids = ids;
  }
}

/** The step that throws AutomatedCategoriesError if one of the ids is that of an automated category. */
export function automatedCategoriesCheck(ctx: Context, ids: readonly string[]): PipelineStep<void>[] {
  if (!mayBeAutomated(ctx, ids)) return [];
  const read = (rows: readonly Record<string, unknown>[]): void => {
    if (rows.length > 0) throw new AutomatedCategoriesError(new Set(rows.map(({ id }) => id as string)));
  };
  return [{ statement: automatedAmong(ctx, ids), read }];
}

function mayBeAutomated({ session }: Context, ids: readonly string[]): boolean {
  return ids.length > 0 && session.hasAutomatedCategories !== false;
}

function automatedAmong(ctx: Context, ids: readonly string[]): SQL {
  return sql`
    select ${category.id} as "id" from ${category}
    where ${ownedBy(ctx, category)} and ${category.byConditions} and ${category.id} = any(${idArray([...new Set(ids)])})`;
}

/**
 * The ids of categories of which a save must know whether they are automated: the sent and the stored ones. None if no
 * ids are sent, or those that are stored: then the stored ones stay.
 */
export function concernedCategories({ categoryIds }: ProductInput, stored: StoredProduct | undefined): string[] {
  if (categoryIds === undefined) return [];
  const sent = categoryIds ?? [];
  const former = stored?.row.categoryIds ?? [];
  return sent.join() === former.join() ? [] : [...sent, ...former];
}

/**
 * The input with the ids of categories that will be stored. Those of automated categories are ignored: their products
 * follow from their conditions. Ids that were stored before a category became automated stay in their place, so that a
 * product that is sent back as it was read does not change.
 */
export function withStoredCategories(
  input: ProductInput,
  stored: StoredProduct | undefined,
  automated: ReadonlySet<string>,
): ProductInput {
  if (automated.size === 0 || input.categoryIds === undefined) return input;
  const sent = [...new Set(input.categoryIds ?? [])].filter((id) => !automated.has(id));
  const former = stored?.row.categoryIds ?? [];
  const isSame = sent.join() === former.filter((id) => !automated.has(id)).join();
  return { ...input, categoryIds: isSame ? former : [...sent, ...former.filter((id) => automated.has(id))] };
}

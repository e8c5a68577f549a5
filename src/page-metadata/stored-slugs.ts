import { and, sql } from 'drizzle-orm';
import { pageMetadata } from '../../drizzle/page-metadata.ts';
import type { Context } from '../context.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import { textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import type { StoredRow } from '../db/write/stored-rows.ts';
import { update } from '../db/write/write.ts';
import { isNumberedSlug } from './slug.ts';

export type SavedRow = StoredRow<typeof pageMetadata>;
type RowsByTarget = ReadonlyMap<string, SavedRow>;

/**
 * A record whose stored slug is the sent one with a number keeps it while another record has the sent slug. A slug that a
 * row of the request gives up counts as free. A row that keeps its number gives up nothing, so this is repeated until no
 * further row keeps its number.
 */
export async function keepNumberedSlugs(ctx: Context, rows: SavedRow[], stored: RowsByTarget): Promise<SavedRow[]> {
  // A slug of more than 247 characters is shortened for the comparison, and would be a number of itself.
  const isNumbered = ({ targetId, slug }: SavedRow): boolean => {
    const own = stored.get(targetId)?.slug ?? slug;
    return own !== slug && isNumberedSlug(own, slug);
  };
  const sent = rows.filter(isNumbered).map(({ slug }) => slug);
  if (sent.length === 0) return rows;
  const taken = await takenSlugs(ctx, sent);
  for (let kept = rows; ;) {
    const given = new Set(givenUp(kept, stored).map(({ slug }) => slug));
    const isFree = ({ slug }: SavedRow): boolean => !taken.has(slug) || given.has(slug);
    // One row gets a free slug: the first one without a number to keep, otherwise the first one.
    const inOrder = kept.toSorted((a, b) => Number(isNumbered(a)) - Number(isNumbered(b)));
    const firstOf = new Map(inOrder.toReversed().map((row) => [row.slug, row]));
    const keepsNumber = (row: SavedRow): boolean => isNumbered(row) && !(isFree(row) && firstOf.get(row.slug) === row);
    const next = kept.map((row) => (keepsNumber(row) ? { ...row, slug: stored.get(row.targetId)!.slug } : row));
    if (next.every((row, index) => row === kept[index])) return next;
    kept = next;
  }
}

async function takenSlugs(ctx: Context, slugs: string[]): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ slug: pageMetadata.slug })
    .from(pageMetadata)
    .where(and(ownedBy(ctx, pageMetadata), sql`${pageMetadata.slug} = any(${textArray(slugs)})`));
  return new Set(rows.map(({ slug }) => slug));
}

/**
 * The step that replaces each slug that another row wants by a temporary one. Without it records could not swap their
 * slugs, because the unique index is checked for each row when it is written. No slug that may be sent has a colon.
 */
export function releasedSlugs(ctx: Context, rows: SavedRow[], stored: RowsByTarget): PipelineStep<void>[] {
  const wanted = new Set(rows.map(({ slug }) => slug));
  const released = givenUp(rows, stored).filter(({ slug }) => wanted.has(slug));
  return update(
    ctx,
    pageMetadata,
    released.map(({ id }) => ({ id, slug: `released:${id}` })),
  );
}

/** The stored rows that get another slug. */
function givenUp(rows: SavedRow[], stored: RowsByTarget): SavedRow[] {
  return rows.flatMap(({ targetId, slug }) => {
    const row = stored.get(targetId);
    return row && row.slug !== slug ? [row] : [];
  });
}

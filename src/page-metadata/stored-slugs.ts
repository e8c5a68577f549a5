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
 * row of the request gives up is free, for one row. A row that keeps its number does not give it up.
 */
export async function keepNumberedSlugs(ctx: Context, rows: SavedRow[], stored: RowsByTarget): Promise<SavedRow[]> {
  const numbered = new Set(rows.filter((row) => isNumbered(row, stored)));
  if (numbered.size === 0) return rows;
  const wanting = Map.groupBy(numbered, ({ slug }) => slug);
  const wantedByOthers = new Set(rows.flatMap((row) => (numbered.has(row) ? [] : [row.slug])));
  const taken = await takenSlugs(ctx, [...wanting.keys()]);
  for (const { slug } of givenUp(rows, stored)) taken.delete(slug);
  const keeping = new Set(
    [...wanting].flatMap(([slug, own]) => (taken.has(slug) || wantedByOthers.has(slug) ? own : own.slice(1))),
  );
  // The loop also visits the rows that it adds.
  for (const { targetId } of keeping) for (const row of wanting.get(stored.get(targetId)!.slug) ?? []) keeping.add(row);
  return rows.map((row) => (keeping.has(row) ? { ...row, slug: stored.get(row.targetId)!.slug } : row));
}

/** Whether the stored slug is the sent one with a number. One of more than 247 characters would be a number of itself. */
function isNumbered({ targetId, slug }: SavedRow, stored: RowsByTarget): boolean {
  const own = stored.get(targetId)?.slug ?? slug;
  return own !== slug && isNumberedSlug(own, slug);
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

import { type SQL, sql } from 'drizzle-orm';
import { pageMetadata } from '../../drizzle/page-metadata.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';
import { numberableSlug } from './slug.ts';

/**
 * Finds free slugs: for each wanted slug as many as it occurs in the list. They are the slug itself, if it is free, and
 * slugs with the lowest free numbers, such as `shirt-2`. The database counts up until it has found enough. If not enough
 * of 2 to 1,000 are free, it goes on below the first free multiple of 1,000, so that it takes 40 ms among 1,000,000 pages
 * with one slug. A free number between taken ones above 1,000 may therefore not be used.
 */
export async function freeSlugs(ctx: MerchantContext, wanted: readonly string[]): Promise<Map<string, string[]>> {
  const counts = new Map<string, number>();
  for (const slug of wanted) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  const slugs = [...counts.keys()];
  const rows = await readRows(
    ctx,
    { slug: column.text, free: column.text },
    sql`
    select wanted.slug as "slug", free.candidate as "free"
    from unnest(
      ${textArray(slugs)}, ${textArray(slugs.map(numberableSlug))}, ${`{${[...counts.values()].join(',')}}`}::integer[]
    ) as wanted(slug, base, count)
    cross join lateral (
      select numbered.candidate from (
        select wanted.slug as candidate
        union all
        select wanted.base || '-' || generate_series(2, 1000)
        union all
        select wanted.base || '-' || generate_series(multiple.number - 999, 2147483647) from (
          select multiple.number from (select generate_series(2000, 2147483000, 1000) as number) as multiple
          ${withTaken(ctx, sql`wanted.base || '-' || multiple.number`)}
          where taken.is_taken is null limit 1
        ) as multiple
      ) as numbered
      ${withTaken(ctx, sql`numbered.candidate`)}
      where taken.is_taken is null limit wanted.count
    ) as free`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ slug }) => slug)].map(([slug, found]) => [slug, found.map(({ free }) => free)]),
  );
}

/** With LIMIT, so that the planner looks each slug up and does not read all pages to join them. */
function withTaken(ctx: MerchantContext, slug: SQL): SQL {
  return sql`
    left join lateral (
      select true as is_taken from ${pageMetadata}
      where ${ownedBy(ctx, pageMetadata)} and ${pageMetadata.slug} = ${slug} limit 1
    ) as taken on true`;
}

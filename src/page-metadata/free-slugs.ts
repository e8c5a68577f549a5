import { type SQL, sql } from 'drizzle-orm';
import { pageMetadata } from '../../drizzle/page-metadata.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';
import { numberableSlug } from './slug.ts';

/**
 * Finds free slugs: for each wanted slug as many as it occurs in the list, or fewer if others of the list get them. They are
 * the slug itself, if it is free, and slugs with the lowest free numbers, such as `shirt-2`. The database counts up until it
 * has found enough. If not enough of 2 to 1,000 are free, it goes on below the first free multiple of 1,000, so that it
 * takes 40 ms among 1,000,000 pages with one slug. Above 1,000 it may therefore skip numbers that are free.
 *
 * Long slugs that differ only at the end get their numbers behind the same letters. These numbers are counted once and
 * divided: if each slug counted for itself, 1,000 of them would be offered the same number, and one would get it.
 */
export async function freeSlugs(ctx: MerchantContext, wanted: readonly string[]): Promise<Map<string, string[]>> {
  const byBase = Map.groupBy(wanted, numberableSlug);
  // Only the row of the first slug of each base asks for numbers; they are divided afterwards.
  const asked = [...byBase].flatMap(([base, all]) =>
    [...new Set(all)].map((slug, index) => ({ slug, base, count: index === 0 ? all.length : 0 })),
  );
  const rows = await readRows(
    ctx,
    { base: column.text, free: column.text },
    sql`
    select wanted.base as "base", free.candidate as "free"
    from unnest(
      ${textArray(asked.map(({ slug }) => slug))}, ${textArray(asked.map(({ base }) => base))},
      ${`{${asked.map(({ count }) => count).join(',')}}`}::integer[]
    ) as wanted(slug, base, count)
    cross join lateral (
      select numbered.candidate from (
        select wanted.slug as candidate
        union all
        select wanted.base || '-' || generate_series(2, 1000) where wanted.count > 0
        union all
        select wanted.base || '-' || generate_series(multiple.number - 999, 2147483647) from (
          select multiple.number from (select generate_series(2000, 2147483000, 1000) as number) as multiple
          ${withTaken(ctx, sql`wanted.base || '-' || multiple.number`)}
          where wanted.count > 0 and taken.is_taken is null limit 1
        ) as multiple
      ) as numbered
      ${withTaken(ctx, sql`numbered.candidate`)}
      where taken.is_taken is null limit greatest(wanted.count, 1)
    ) as free`,
  );
  return divided(wanted, rows);
}

/** Gives each wanted slug itself, if it is free, and numbers of its base for the others that want it too. */
function divided(
  wanted: readonly string[],
  found: readonly { readonly base: string; readonly free: string }[],
): Map<string, string[]> {
  const free = new Set(found.map((row) => row.free));
  const itself = new Set(wanted.filter((slug) => free.has(slug)));
  const numbered = Map.groupBy(
    found.filter((row) => !itself.has(row.free)),
    ({ base }) => base,
  );
  return new Map(
    [...Map.groupBy(wanted, (slug) => slug)].map(([slug, all]) => {
      const own = itself.has(slug) ? [slug] : [];
      const numbers = numbered.get(numberableSlug(slug))?.splice(0, all.length - own.length) ?? [];
      return [slug, [...own, ...numbers.map((row) => row.free)]];
    }),
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

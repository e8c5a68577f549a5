import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { productSearch, productSearchWord } from '../../../drizzle/product-search.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import { allMerchants } from '../../db/across/merchants-with-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { plannedForValues } from '../../db/sql/compiled-statement.ts';
import { idArray, ownedBy, type Tenant } from '../../db/sql/parameter.ts';

/** Words that a statement looks up in the documents. */
const SLICE = 500;
/** With it a million words take a tenth of a core of the database for ten minutes, and not all of it for a minute. */
const PAUSE_MS = 300;
/** Longer than any transaction that writes documents. */
const MIN_UNUSED = sql.raw(`interval '1 hour'`);

const WORD = {
  id: column.text,
  word: column.text,
  isUsed: column.boolean,
  isMarked: column.boolean,
  isDue: column.boolean,
};
type Word = Row<typeof WORD>;

/**
 * Removes the words of all merchants that no document has, and returns their number. A transaction may write a document
 * with such a word at the same time, and add no row for it because there is one. So a word is marked first, and removed
 * by a later run: then all transactions have ended that did not see the mark, and others add a row of their own.
 */
export async function removeUnusedWords(
  { db, across }: AcrossContext,
  signal?: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<number> {
  return await forEachMerchant(
    db,
    await allMerchants(across),
    async (ctx) => {
      let removed = 0;
      for (let after: string | undefined = ''; after !== undefined && !signal?.aborted;) {
        const words: Word[] = await nextWords(ctx, after);
        removed += await removeFrom(ctx, words);
        after = words.length < SLICE ? undefined : words.at(-1)!.word;
        if (after !== undefined) await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      }
      return removed;
    },
    signal,
  );
}

/**
 * The documents of a word are found in a CTE, which is planned as if all were read. For the first one alone, the planner would
 * read the table: with 100,000 documents that took 48 ms of CPU for a word, the index takes 0.1 ms.
 */
async function nextWords(ctx: MerchantContext, after: string): Promise<Word[]> {
  const { id, word, recordId, unusedSince } = productSearchWord;
  // Planned for the merchant, as in searchProducts.
  const tenant: Tenant = { merchantId: ctx.merchantId, isLiteral: true };
  return await readRows(
    ctx,
    WORD,
    plannedForValues(sql`
    select slice.id as "id", slice.word as "word", slice.unused_since is not null as "isMarked",
      slice.unused_since is not null and slice.is_due as "isDue",
      exists (
        with found as materialized (
          select from ${productSearch}
          where ${ownedBy(tenant, productSearch)} and ${productSearch.document} @@ format('''%s''', slice.word)::tsquery
        )
        select from found
      ) as "isUsed"
    from (
      select ${id} as id, ${word} as word, ${unusedSince} as unused_since, ${unusedSince} < now() - ${MIN_UNUSED} as is_due
      from ${productSearchWord}
      where ${ownedBy(ctx, productSearchWord)} and ${recordId} is null and ${word} collate "C" > ${after}
      order by ${word} collate "C" limit ${sql.raw(String(SLICE))}
    ) as slice`),
  );
}

/** Marks the unused words. Removes marked ones if they are still unused, or have another row without a mark. */
async function removeFrom(ctx: MerchantContext, words: readonly Word[]): Promise<number> {
  const unmarked = new Set(words.filter(({ isMarked }) => !isMarked).map(({ word }) => word));
  const removed = words.filter(({ isDue, isUsed, word }) => isDue && (!isUsed || unmarked.has(word)));
  const unused = words.filter(({ isMarked, isUsed }) => !isMarked && !isUsed);
  const own = (rows: readonly Word[]) => sql`
    ${ownedBy(ctx, productSearchWord)} and ${productSearchWord.id} = any(${idArray(rows.map(({ id }) => id))})`;
  if (removed.length > 0) await ctx.db.execute(sql`delete from ${productSearchWord} where ${own(removed)}`);
  if (unused.length > 0)
    await ctx.db.execute(sql`update ${productSearchWord} set unused_since = now() where ${own(unused)}`);
  return removed.length;
}

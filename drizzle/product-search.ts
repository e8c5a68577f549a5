import { sql } from 'drizzle-orm';
import { customType, foreignKey, index, pgSequence, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { id, merchantId } from './columns.ts';
import { product } from './product.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * Searches read a pending list, and a write merges it once it is full: the longer, the more words do products have in
 * common by then. Measured, 1,000 new documents: 350 ms at 512 kB, 260 at 2,048, 250 at 4,096, where the merge takes
 * twice as long.
 */
const PENDING_LIST_KB = 2_048;

/**
 * What a product is found by, written by `product_search_catch_up`. The document holds the folded words of name (weight
 * A), description and codes, and apart from these, told by their first letter: `#` the id of the brand and of each tag
 * (weight B), `=` each sku and barcode whole, `+` their words that have digits. A deleted product's document is empty.
 */
export const productSearch = pgTable(
  'product_search',
  { merchantId: merchantId(), productId: uuid('product_id').notNull(), document: tsvector('document').notNull() },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId] }),
    index('product_search_document')
      .using('gin', t.merchantId, t.document)
      .with({ gin_pending_list_limit: PENDING_LIST_KB }),
    foreignKey({
      name: 'product_search_product_fk',
      columns: [t.merchantId, t.productId],
      foreignColumns: [product.merchantId, product.id],
    }).onDelete('cascade'),
  ],
);

/**
 * Marks of products whose documents are to be written: triggers set them in the transaction of a change, so that it
 * waits for no text to be analysed, and 1,000 changed products are analysed together. A product may have several. No
 * two transactions wait for each other's.
 */
export const productSearchPending = pgTable(
  'product_search_pending',
  { merchantId: merchantId(), id: id(), productId: uuid('product_id').notNull() },
  (t) => [primaryKey({ columns: [t.merchantId, t.id] })],
);

/** When, in milliseconds since the epoch, somebody was last notified of marks. */
export const productSearchWakeUp = pgSequence('product_search_wake_up');

/**
 * The words of all documents, and with `recordId` the words of names of brands and tags. A word
 * stays when the last product loses it. It may stand here twice: a unique key would make two imports
 * that bring the same new words wait for each other, and lock up.
 */
export const productSearchWord = pgTable(
  'product_search_word',
  { merchantId: merchantId(), id: id(), word: text('word').notNull(), recordId: uuid('record_id') },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('product_search_word_known')
      .on(t.merchantId, sql`${t.word} collate "C"`)
      .where(sql`record_id is null`),
    index('product_search_word_name')
      .on(t.merchantId, sql`${t.word} collate "C"`, t.recordId)
      .where(sql`record_id is not null`),
    index('product_search_word_record')
      .on(t.merchantId, t.recordId)
      .where(sql`record_id is not null`),
    index('product_search_word_similar').using('gin', t.merchantId, t.word.op('gin_trgm_ops')),
  ],
);

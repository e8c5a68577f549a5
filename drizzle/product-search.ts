import { sql } from 'drizzle-orm';
import { customType, index, pgSequence, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, merchantId, recordForeignKey, SMALL_PENDING_LIST } from './columns.ts';
import { product } from './product.ts';
import { pgTable, recordTable } from './table.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The GIN pending list of new entries. Searches read it, and a write merges it when it is full. A longer list merges
 * more words that products have in common. Measured with 1,000 new documents: 350 ms at 512 kB, 260 at 2,048, 250 at
 * 4,096, where one merge takes twice as long.
 */
const PENDING_LIST_KB = 2_048;

/**
 * The search document of a product, written by `product_search_write_pending`: the folded words of the name and its
 * translations (weight A), and of description, translated descriptions and attribute texts, with their positions. Other
 * lexemes have a prefix: `#` the ids of brand, categories and tags (weight B), of attribute options and variant values
 * (weight C), `=` each whole sku and barcode, and that of `product_search_code_start` each of their words with digits, `~` each whole name.
 * Texts of scripts without spaces are stored as pairs of characters; see `product_search_words`. The document of a deleted product is empty.
 */
export const productSearch = pgTable(
  'product_search',
  { merchantId: merchantId(), productId: uuid('product_id').notNull(), document: tsvector('document').notNull() },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId] }),
    index('product_search_document')
      .using('gin', t.merchantId, t.document)
      .with({ gin_pending_list_limit: PENDING_LIST_KB }),
    recordForeignKey('product_search_product_fk', t, t.productId, product).onDelete('cascade'),
  ],
);

/**
 * Queue of products whose search documents are outdated. Triggers insert a row in the transaction of a change, so that
 * the change does not wait for text analysis and 1,000 changed products are analysed together. A product may have
 * several rows. Transactions do not wait for each other's rows.
 */
export const productSearchPending = recordTable('product_search_pending', { productId: uuid('product_id').notNull() });

/** Time of the last notification of pending products, in milliseconds since the epoch. */
export const productSearchWakeUp = pgSequence('product_search_wake_up');

/**
 * The words of all documents and, with `recordId`, of the names of brands, categories, tags, attribute options and
 * variant values. `removeUnusedWords` removes a word one or two days after no product has it any more. A word can
 * occur twice: with a unique key, two imports of the same new words would wait for each other and could deadlock.
 */
export const productSearchWord = recordTable(
  'product_search_word',
  {
    word: text('word').notNull(),
    recordId: uuid('record_id'),
    /** When `removeUnusedWords` found no document with the word. A document that gets the word later adds another row. */
    unusedSince: instant('unused_since'),
  },
  (t) => [
    index('product_search_word_known')
      .on(t.merchantId, sql`${t.word} collate "C"`)
      .where(sql`record_id is null`),
    index('product_search_word_name')
      .on(t.merchantId, sql`${t.word} collate "C"`, t.recordId)
      .where(sql`record_id is not null`),
    // With the word, a search finds out whether a name has another word too: a name can have thousands.
    index('product_search_word_record')
      .on(t.merchantId, t.recordId, sql`${t.word} collate "C"`)
      .where(sql`record_id is not null`),
    // Not gin_trgm_ops: its operator has the threshold as a setting, which does not reach the nodes of a cluster. In
    // form NFD the letters of Korean syllables are compared.
    index('product_search_word_similar')
      .using('gin', t.merchantId, sql`show_trgm(normalize(${t.word}, NFD))`)
      .with(SMALL_PENDING_LIST),
  ],
);

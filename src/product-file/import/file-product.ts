import type { AttributeEntry, ProductLine, VariantLine } from '../line/product-line-input.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { Imported } from './import-run.ts';
import type { Mistake, Place, Skipped } from './skipped.ts';
import type { PortableProduct, PortableVariant } from '../stored/portable-product.ts';

/** The limit of the body of an API request. A product of a file and a batch of products may not be larger either. */
export const MAX_PRODUCT_BYTES = 10 * 1_048_576;

/** A stored product, and the line that an export writes for it. */
export type KnownProduct = { product: PortableProduct; line: ProductLine; variants: KnownVariant[] };
export type KnownVariant = PortableVariant & { line: VariantLine };

/** A product as the file has it, and the stored one of each of its variants. */
export type ReadProduct = { line: Omit<ProductLine, 'variants'>; variants: ReadVariant[] };
export type ReadVariant = { line: VariantLine; known: KnownVariant | undefined };

/** Names of records that have to exist before the product is written. */
export type WantedRecords = {
  /** Stock locations by label. The empty label is the default location. Missing ones are created. */
  locations: string[];
  /** Stock locations by label that are created only if the shop had none before the import. */
  existingLocations: string[];
  attributes: AttributeEntry[];
};

/** What the report of an import says of the counts in a file. */
export type ImportNotes = Pick<Imported, 'inventoryLocation' | 'unusedCounts'>;

/** A product of a file, at the place where it begins. */
export type FileProduct = Place & {
  lineCount: number;
  /** The size of the product in the file. */
  bytes: number;
  handle: string;
  sourceId: string | null;
  /** Handles in our own exports are slugs first; in other files they are source ids first. */
  isSlugFirst: boolean;
  /**
   * When the product and its stock were last changed before the export; null if the file does not say. Without a time of
   * the stock, that of the product holds for both.
   */
  exportedAt: { product: number | null; stock: number | null };
  wanted: WantedRecords;
  /** Reads what has a mistake as if it were missing. */
  read: (known: KnownProduct | undefined, records: NamedRecords, notes: ImportNotes) => ReadProduct;
  /** The mistakes that were found so far. A product with mistakes is skipped. */
  mistakes: () => Mistake[];
  /** What is probably a slip, and can be seen in the file only. */
  warnings: () => Mistake[];
  /** Where the file has a member of the input. The title is that of a column, and null if the path has to name it. */
  locate: (path: readonly (string | number)[]) => MemberPlace;
};

/** When a line says that its product and the stock were last changed. */
export function exportTimes({ updatedAt, stockUpdatedAt }: Partial<ProductLine>): FileProduct['exportedAt'] {
  const timeOf = (text: string | null | undefined) => (text == null ? null : Date.parse(text));
  return { product: timeOf(updatedAt), stock: timeOf(stockUpdatedAt) };
}

export type MemberPlace = Place & { column?: string; title: string | null };

export type FileEntry = { product: FileProduct; skipped?: undefined } | { product?: undefined; skipped: Skipped };

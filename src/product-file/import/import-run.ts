import type { NamedRecords } from '../line/named-records.ts';
import { Bundles } from './bundles.ts';
import type { ProductDifference } from './differences.ts';
import type { FileProduct } from './file-product.ts';
import { SeenProducts } from './matching-products.ts';
import type { Skipped, Warning } from './skipped.ts';
import { Slips } from './slips.ts';

export type Imported = {
  created: number;
  updated: number;
  unchanged: number;
  /** Stored variants of updated products that the file does not have. Left out if there are none. */
  variantsDeleted?: number;
  /** Products that were left as they are, because the shop has a newer state. */
  kept: Skipped[];
  skipped: Skipped[];
  /** Pictures that the service still fetches in the background. */
  imagesPending: number;
  /** Titles of ignored columns, including those of unknown price lists. */
  ignoredColumns: string[];
  /**
   * What is imported and is probably a slip, such as a sku that two products have; at most 1,000 entries, and how many there
   * are. Left out if there are none.
   */
  warnings?: Warning[];
  warningCount?: number;
  /** The encoding of a sheet that was guessed, because it is neither UTF-8 nor marked. Left out otherwise. */
  encoding?: string;
  /** True if the import was interrupted before the end of the file. Left out otherwise. */
  interrupted?: true;
  /** Price lists and sales channels that products name and the merchant does not have. */
  unknownNames: string[];
  /** The stock location with the counts of sheets that do not name one. Left out if the file has none. */
  inventoryLocation?: string;
  /** Counts without a stock location that differ from the others of their row, which are used. Left out if there are none. */
  unusedCounts?: Skipped[];
};

/**
 * Which state of a product stays if the shop has changed or deleted it since it was exported: the shop's (`newer`) or
 * the file's (`sheet`). Without it such products are skipped.
 */
export type Keep = 'newer' | 'sheet';

export type ImportOptions = {
  /** Requests failed pictures again. */
  retryImages: boolean;
  /**
   * Called with what each batch would change, of which nothing is written then. Products that the shop has changed since
   * the export are among them, with their outcome. Each batch is tried by itself: what two batches would do to each
   * other, such as the same sku twice, is not seen.
   */
  onDifferences?: (differences: ProductDifference[]) => void;
  keep?: Keep | undefined;
  /** Ends the import before the next batch. The same file goes on from there. */
  signal?: AbortSignal;
  onBatch: (imported: Imported) => void;
};

/** Whether the product of the file is written, and if not, the reason. */
export type Decision = Pick<ProductDifference, 'outcome' | 'reason'>;

export type ImportRun = ImportOptions & {
  records: NamedRecords;
  imported: Imported;
  unknown: Set<string>;
  bundles: Bundles;
  seen: SeenProducts;
  slips: Slips;
  /** Whether everything is written in one transaction, which is rolled back. */
  isTrial: boolean;
  /** Called with a product that is not written because the shop has a newer state. */
  onNewer: (product: FileProduct, decision: Decision) => void;
};

export function newRun(options: ImportOptions, records: NamedRecords): ImportRun {
  const imported: Imported = {
    created: 0,
    updated: 0,
    unchanged: 0,
    kept: [],
    skipped: [],
    imagesPending: 0,
    ignoredColumns: [],
    unknownNames: [],
  };
  return {
    ...options,
    records,
    imported,
    unknown: new Set(),
    bundles: new Bundles(),
    seen: new SeenProducts(),
    slips: new Slips(),
    isTrial: options.onDifferences !== undefined,
    onNewer: () => {},
  };
}

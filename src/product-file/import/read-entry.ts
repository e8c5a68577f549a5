import type { NamedRecords } from '../line/named-records.ts';
import { lineOf } from '../line/product-line.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import { changedMembers, type Changes } from './changed-members.ts';
import type { FileProduct, ImportNotes, KnownProduct, ReadProduct } from './file-product.ts';
import { withKnownNames } from './import-input.ts';
import type { ImportRun } from './import-run.ts';
import { placeOf, skippedFor } from './skipped.ts';

type ReadEntry = { read: ReadProduct; known: KnownProduct | undefined; changes: Changes };

/** The product as the file has it, and how it differs from the stored one. */
export function readEntry(product: FileProduct, stored: PortableProduct | undefined, run: ImportRun): ReadEntry {
  const { records, retryImages } = run;
  const known = stored && knownProduct(stored, records);
  const notes = notesOf(product, run);
  const read = withKnownNames(product.read(known, records, notes), records, notes);
  return { read, known, changes: changedMembers(read, known, records.merchantId, retryImages) };
}

function knownProduct(product: PortableProduct, records: NamedRecords): KnownProduct {
  const line = lineOf(product, records);
  return { product, line, variants: product.variants.map((own, index) => ({ ...own, line: line.variants[index]! })) };
}

function notesOf({ handle }: FileProduct, { unknown, imported }: ImportRun): ImportNotes {
  return {
    unknown: (name) => void unknown.add(name),
    inventoryLocation: (name) => void (imported.inventoryLocation = name),
    unusedCount: (place, reason) =>
      void (imported.unusedCounts ??= []).push(skippedFor({ ...placeOf(place), handle }, reason)),
  };
}

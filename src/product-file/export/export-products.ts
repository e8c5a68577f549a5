import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Context } from '../../context.ts';
import { inSnapshot } from '../../db/connection/transaction.ts';
import { handleOf, type PortableProduct } from '../stored/portable-product.ts';
import { countProducts, portableProductPages } from '../stored/portable-products.ts';
import type { Omission } from '../line/omission.ts';
import { lineOf } from '../line/product-line.ts';
import { WrittenTexts } from '../line/written-texts.ts';
import { productsInBundles } from '../line/bundled-products.ts';
import { shopOmissions } from './shop-omissions.ts';
import { readNamedRecords, type NamedRecords } from '../line/named-records.ts';

/** Maximum number of omissions that the result lists. All of them are counted. */
const MAX_LISTED_OMISSIONS = 1_000;

export type Exported = {
  products: number;
  rows: number;
  /** Data of products, brands, categories, variant types and attributes that the file lacks; at most 1,000 entries. */
  omitted: Omission[];
  omittedCount: number;
};

export type ExportOptions = {
  /** The base of the addresses of uploaded pictures. */
  publicUrl: string;
  /** Called with the number of written products and of all products. */
  onProgress: (done: number, total: number) => void;
};

export type Snapshot = {
  ctx: Context;
  records: NamedRecords;
  written: Exported;
  /** Reads the products page by page, and counts them as written. */
  pages: () => AsyncGenerator<ExportedLine[]>;
  /** The same pages before they are written, to find out what they have. */
  preview: () => AsyncGenerator<ExportedLine[]>;
};

export type ExportedLine = ReturnType<typeof lineOf>;

/** Writes a file under another name, and renames it when it is complete. */
export async function writeWholeFile<Result>(
  path: string,
  write: (open: () => Writable) => Promise<Result>,
): Promise<Result> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    const result = await write(() => createWriteStream(unfinished));
    await rename(unfinished, path);
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Calls `write` with the merchant's products, page by page, from one snapshot. */
export async function exportProducts(
  ctx: Context,
  { publicUrl, onProgress }: ExportOptions,
  write: (snapshot: Snapshot) => Promise<void>,
): Promise<Exported> {
  const written: Exported = { products: 0, rows: 0, omitted: [], omittedCount: 0 };
  await inSnapshot(ctx, async (ctx) => {
    const records = await readNamedRecords(ctx, publicUrl);
    const total = await countProducts(ctx);
    written.omitted.push(...(await shopOmissions(ctx)));
    written.omittedCount = written.omitted.length;
    const read = async function* (counted: Exported): AsyncGenerator<ExportedLine[]> {
      const texts = new WrittenTexts();
      for await (const page of portableProductPages(ctx)) {
        const ofPage = { ...records, bundled: await productsInBundles(ctx, page) };
        yield page.map((product) => exportedLine(product, ofPage, texts, counted));
        counted.products += page.length;
        onProgress(written.products, total);
      }
    };
    const preview = () => read({ products: 0, rows: 0, omitted: [], omittedCount: 0 });
    await write({ ctx, records, written, pages: () => read(written), preview });
  });
  return written;
}

function exportedLine(
  product: PortableProduct,
  records: NamedRecords,
  texts: WrittenTexts,
  written: Exported,
): ExportedLine {
  const handle = handleOf(product);
  const omit = (member: string, reason: string): void => {
    written.omittedCount += 1;
    if (written.omitted.length < MAX_LISTED_OMISSIONS) written.omitted.push({ handle, member, reason });
  };
  return lineOf(product, records, { texts, omit });
}

import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { inPausableSnapshot } from '../../db/connection/transaction.ts';
import { replaceFile } from '../../installation/replace-file.ts';
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
/** UTF-16 units written at once, so that there are fewer writes than rows. */
const MIN_CHUNK_LENGTH = 65_536;

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

export type ExportedLine = ReturnType<typeof lineOf>;

/** The products of a merchant as they were at one moment. */
export type Snapshot = {
  ctx: Context;
  records: NamedRecords;
  /** Reads the products page by page. */
  pages: () => AsyncGenerator<ExportedLine[]>;
};

/** How a format writes a file: its beginning, and the text of each product with the number of its rows. */
export type FileFormat = { head: string; print: (line: ExportedLine) => { text: string; rows: number } };

/** The path of a file, or a stream. */
export type ExportTarget = string | Writable;

/** Writes the merchant's products from one snapshot. A file appears when it is complete. */
export async function exportProducts(
  ctx: Context,
  target: ExportTarget,
  options: ExportOptions,
  prepare: (snapshot: Snapshot) => Promise<FileFormat> | FileFormat,
): Promise<Exported> {
  if (typeof target !== 'string') {
    // Without `end`, an error would be one of the stream too.
    return await writeProducts(ctx, (texts) => pipeline(texts, target, { end: false }), options, prepare);
  }
  return await replaceFile(
    target,
    async (unfinished) =>
      await writeProducts(ctx, (texts) => pipeline(texts, createWriteStream(unfinished)), options, prepare),
  );
}

async function writeProducts(
  ctx: Context,
  write: (texts: Readable) => Promise<void>,
  { publicUrl, onProgress }: ExportOptions,
  prepare: (snapshot: Snapshot) => Promise<FileFormat> | FileFormat,
): Promise<Exported> {
  const written: Exported = { products: 0, rows: 0, omitted: [], omittedCount: 0 };
  await inPausableSnapshot(ctx, async (ctx) => {
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
    const format = await prepare({ ctx, records, pages: preview });
    await write(Readable.from(textOf(read(written), format, written)));
  });
  return written;
}

async function* textOf(
  pages: AsyncGenerator<ExportedLine[]>,
  { head, print }: FileFormat,
  written: Exported,
): AsyncGenerator<string> {
  let chunk = head;
  for await (const page of pages)
    for (const line of page) {
      const { text, rows } = print(line);
      written.rows += rows;
      chunk += text;
      if (chunk.length < MIN_CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
  yield chunk;
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

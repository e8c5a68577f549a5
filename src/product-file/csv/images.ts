import type { ImageLine } from '../line/product-line-input.ts';
import { parseImages, parseMeasure, printDecimal, printImages } from './cells.ts';
import type { Column } from './columns.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import type { RowReader } from './row-reader.ts';

type Cells = Partial<Record<Column, string>>;

/**
 * The pictures of the first variant in the product's columns, or in one JSON cell if the columns cannot hold them all.
 */
export function galleryCells(images: readonly ImageLine[]): { rows: Cells[]; variantImage: string } {
  const main = images.filter(({ isMain }) => isMain);
  const isPlain =
    images.length === 0 || (main.length === 1 && images.every((image) => !image.isVideo && isPlainAddress(image)));
  if (!isPlain) return { rows: [], variantImage: printImages(images) };
  const rows = images.map(({ imageUrl, order }) => ({ image: imageUrl, imagePosition: printDecimal(order) }));
  return { rows, variantImage: main[0] && main[0] !== images[0] ? main[0].imageUrl : '' };
}

export function ownImageCell(images: readonly ImageLine[]): string {
  const [image] = images;
  if (!image) return '';
  const isPlain = images.length === 1 && image.isMain && !image.isVideo && image.order === 1 && isPlainAddress(image);
  return isPlain ? image.imageUrl : printImages(images);
}

function isPlainAddress({ imageUrl }: ImageLine): boolean {
  return imageUrl !== '' && imageUrl.trim() === imageUrl && !imageUrl.startsWith('[');
}

/** The product's pictures belong to its first variant. The product's own picture is the main one. */
export function gallery(rows: readonly CsvRow[], { has, read }: RowReader): ImageLine[] | undefined {
  const own = read(rows[0]!, 'variantImage', trimmed) ?? undefined;
  const all = own === undefined ? undefined : parseImages(own);
  if (all) return all;
  if (!has('image')) return undefined;
  const placed = rows.flatMap((row) => {
    const url = read(row, 'image', trimmed);
    return url ? [{ url, position: read(row, 'imagePosition', parseMeasure) ?? null }] : [];
  });
  const pictures = placed.map(({ url, position }, index) => ({ url, order: position ?? index + 1 }));
  if (own && !pictures.some(({ url }) => url === own))
    pictures.push({ url: own, order: Math.max(0, ...pictures.map(({ order }) => order)) + 1 });
  const distinct = [...new Map(pictures.toReversed().map((picture) => [picture.url, picture])).values()].toReversed();
  const inOrder = distinct.toSorted((a, b) => a.order - b.order);
  const main = own ?? inOrder[0]?.url;
  return inOrder.map(({ url, order }) => ({ imageUrl: url, isMain: url === main, order }));
}

export function ownImages(row: CsvRow, { has, read }: RowReader): ImageLine[] | undefined {
  if (!has('variantImage')) return undefined;
  const cell = read(row, 'variantImage', trimmed);
  if (!cell) return [];
  return parseImages(cell) ?? [{ imageUrl: cell, isMain: true, order: 1 }];
}

function trimmed(cell: string): string {
  return cell.trim();
}

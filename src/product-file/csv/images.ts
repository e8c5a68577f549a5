import { withoutHost } from '../../product/stored/image-address.ts';
import type { KnownVariant } from '../import/file-product.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { ImageLine } from '../line/product-line-input.ts';
import { storedImages } from '../line/variant-line.ts';
import { parseImages, parseMeasure, printDecimal, printImages } from './cells.ts';
import type { Column } from './columns.ts';
import type { SheetRow } from './sheet-row.ts';

type Cells = Partial<Record<Column, string>>;
type Placed = Omit<ImageLine, 'imageUrl' | 'isMain' | 'order'> & {
  url: string;
  row: SheetRow;
  place: number | undefined;
  order: number | null | undefined;
};

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

/**
 * The product's pictures belong to its first variant. The product's own picture is the main one. Without a column for the
 * others, those of the shop stay.
 */
export function gallery(
  rows: readonly SheetRow[],
  known: KnownVariant | undefined,
  records: NamedRecords,
): ImageLine[] | undefined {
  const [first] = rows as [SheetRow];
  const { columns } = first.layout;
  const ofOwn = columns.get('variantImage');
  const own = first.read('variantImage', trimmed) ?? undefined;
  const all = own === undefined ? undefined : parseImages(own);
  if (all) return all.map((image) => first.marked(image, ofOwn));
  if (!first.has('image') && !own) return undefined;
  const placed = first.has('image') ? imagesOf(rows) : keptImages(first, known, records);
  const pictures = placed.map((picture, index) => ({ ...picture, order: picture.order ?? index + 1 }));
  const addressOf = ({ url }: { url: string }): string => withoutHost(records.merchantId, url);
  const main = own === undefined ? undefined : addressOf({ url: own });
  if (own !== undefined && !pictures.some((picture) => addressOf(picture) === main)) {
    const order = Math.max(0, ...pictures.map((picture) => picture.order)) + 1;
    pictures.push({ url: own, row: first, place: ofOwn, order });
  }
  const reversed = pictures.toReversed().map((picture) => [addressOf(picture), picture] as const);
  const inOrder = [...new Map(reversed).values()].toReversed().toSorted((a, b) => a.order - b.order);
  return inOrder.map(({ url, row, place, ...image }, index) => {
    const isMain = main === undefined ? index === 0 : addressOf({ url }) === main;
    return row.marked({ ...image, imageUrl: url, isMain }, place);
  });
}

function imagesOf(rows: readonly SheetRow[]): Placed[] {
  return rows.flatMap((row) => {
    const url = row.read('image', trimmed);
    const place = row.layout.columns.get('image');
    return url ? [{ url, row, place, order: row.read('imagePosition', parseMeasure) }] : [];
  });
}

/** The pictures of the shop, without others that could not be fetched: a request that names them would fetch them again. */
function keptImages(row: SheetRow, known: KnownVariant | undefined, { merchantId }: NamedRecords): Placed[] {
  if (!known) return [];
  const own = row.read('variantImage', trimmed);
  const failed = new Set(known.requestedImages.flatMap(({ state, url }) => (state === 'FAILED' ? [url] : [])));
  for (const { url } of storedImages(merchantId, known.row)) failed.delete(url);
  const images = (known.line.images ?? []).filter(({ imageUrl }) => imageUrl === own || !failed.has(imageUrl));
  const place = row.layout.columns.get('variantImage');
  return images.map(({ imageUrl, isMain: _isMain, ...image }) => ({ ...image, url: imageUrl, row, place }));
}

export function ownImages(row: SheetRow): ImageLine[] | undefined {
  if (!row.has('variantImage')) return undefined;
  const cell = row.read('variantImage', trimmed);
  if (!cell) return [];
  const images = parseImages(cell) ?? [{ imageUrl: cell, isMain: true, order: 1 }];
  return images.map((image) => row.marked(image, row.layout.columns.get('variantImage')));
}

function trimmed(cell: string): string {
  return cell.trim();
}

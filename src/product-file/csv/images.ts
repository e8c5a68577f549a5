import type { ImageLine } from '../line/product-line-input.ts';
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
 * others, those that are stored stay.
 */
export function gallery(rows: readonly SheetRow[], stored: readonly ImageLine[]): ImageLine[] | undefined {
  const [first] = rows as [SheetRow];
  const { columns } = first.layout;
  const ofOwn = columns.get('variantImage');
  const own = first.read('variantImage', trimmed) ?? undefined;
  const all = own === undefined ? undefined : parseImages(own);
  if (all) return all.map((image) => first.marked(image, ofOwn));
  if (!first.has('image') && !own) return undefined;
  const placed: Placed[] = first.has('image')
    ? rows.flatMap((row) => {
        const url = row.read('image', trimmed);
        return url ? [{ url, row, place: columns.get('image'), order: row.read('imagePosition', parseMeasure) }] : [];
      })
    : stored.map(({ imageUrl, isMain: _isMain, ...image }) => ({ ...image, url: imageUrl, row: first, place: ofOwn }));
  const pictures = placed.map((picture, index) => ({ ...picture, order: picture.order ?? index + 1 }));
  if (own && !pictures.some(({ url }) => url === own)) {
    const order = Math.max(0, ...pictures.map((picture) => picture.order)) + 1;
    pictures.push({ url: own, row: first, place: ofOwn, order });
  }
  const distinct = [...new Map(pictures.toReversed().map((picture) => [picture.url, picture])).values()].toReversed();
  const inOrder = distinct.toSorted((a, b) => a.order - b.order);
  const main = own ?? inOrder[0]?.url;
  return inOrder.map(({ url, row, place, ...image }) =>
    row.marked({ ...image, imageUrl: url, isMain: url === main }, place),
  );
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

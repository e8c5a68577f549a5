import type { PortableVariant } from '../stored/portable-variant.ts';

export type WrittenImage = { url: string; isMain: boolean; isVideo: boolean; order: number };

/** Stored pictures, and requested ones that are pending or failed; each once. */
export function writtenImages({ images, requestedImages }: PortableVariant, publicUrl: string): WrittenImage[] {
  const hasMain = images.some(({ isMain }) => isMain);
  const missing = requestedImages
    .filter(({ state }) => state !== 'DONE')
    .map((image) => ({ ...image, isMain: image.isMain && !hasMain }));
  const byUrl = new Map([...missing, ...images].map((image) => [image.url, image]));
  const all = [...byUrl].map(([url, { isMain, isVideo, order }]) => ({
    url: url.startsWith('/') ? publicUrl + url : url,
    isMain,
    isVideo: isVideo ?? false,
    order,
  }));
  return all.toSorted((a, b) => a.order - b.order || (a.url < b.url ? -1 : 1));
}

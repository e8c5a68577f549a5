import { Readable } from 'node:stream';
import { CommerceError } from '../errors.ts';
import type { Decoder } from './decoder.ts';
import { isShortRendition, type Size } from './decoding/decode-cost.ts';
import type { RenditionTask } from './decoding/decoder-child.ts';
import { originalKey, renditionKey } from './storage-key.ts';
import type { ImageStorage, OpenedObject } from './storage.ts';

export const RENDITION_WIDTHS = [180, 360, 540, 720, 900, 1080, 1296, 1512, 1728, 1950, 2560, 3840] as const;

export type RenditionWidth = (typeof RENDITION_WIDTHS)[number];
export type StoredImage = Size & { readonly merchantId: string; readonly imageId: string };

/** Null if the original is not stored. */
export type Renditions = { open(image: StoredImage, width: RenditionWidth): Promise<OpenedObject | null> };

export function renditionWidth(text: string): RenditionWidth | null {
  return RENDITION_WIDTHS.find((width) => String(width) === text) ?? null;
}

/** The entity tag needs no hash: an image never changes, so its id and the width identify the rendition. */
export function renditionEtag(image: StoredImage, width: RenditionWidth): string {
  return `"${image.imageId}-${effectiveWidth(image, width)}"`;
}

/** Makes a rendition on the first request and stores it. Concurrent requests share one rendition. */
export function openRenditions(storage: ImageStorage, decoder: Decoder): Renditions {
  const inFlight = new Map<string, Promise<Buffer | null>>();

  function makeOnce(key: string, image: StoredImage, width: number): Promise<Buffer | null> {
    const running = inFlight.get(key);
    if (running) return running;
    const making = readOrMake(storage, decoder, image, width).finally(() => inFlight.delete(key));
    inFlight.set(key, making);
    return making;
  }

  return {
    async open(image, width) {
      const stored = effectiveWidth(image, width);
      const key = renditionKey(image.merchantId, image.imageId, stored);
      const opened = await storage.open(key);
      if (opened) return opened;
      const made = await makeOnce(key, image, stored);
      // From the storage, so that a slow reader does not hold the whole picture, unless the storage is full.
      return made && ((await storage.open(key)) ?? { size: made.length, stream: Readable.from(made) });
    },
  };
}

// No rendition is wider than its original, so all larger widths share one stored picture.
function effectiveWidth(image: StoredImage, width: RenditionWidth): number {
  const enough = RENDITION_WIDTHS.find((candidate) => candidate >= image.width) ?? width;
  return Math.min(width, enough);
}

async function readOrMake(
  storage: ImageStorage,
  decoder: Decoder,
  image: StoredImage,
  width: number,
): Promise<Buffer | null> {
  const key = renditionKey(image.merchantId, image.imageId, width);
  // Another request may have made it since `open` found nothing.
  const cached = await storage.read(key);
  if (cached) return cached;
  if (!(await storage.exists(originalKey(image.merchantId, image.imageId)))) return null;
  const made = await make(storage, decoder, image, width);
  await storage.write(key, made, 'image/webp').catch(ignoreUnavailable);
  return made;
}

/** A full disk does not prevent the response: the rendition is made again for the next request. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof CommerceError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
}

async function make(storage: ImageStorage, decoder: Decoder, image: StoredImage, width: number): Promise<Buffer> {
  const { merchantId, imageId } = image;
  const task = async (): Promise<RenditionTask> => {
    const bytes = await storage.read(originalKey(merchantId, imageId));
    if (!bytes) {
      throw new Error('The original went away');
    }
    return { kind: 'rendition', bytes, width };
  };
  const decoded = await decoder.rendition({ merchantId, isShort: isShortRendition(image, width), task });
  if ('problem' in decoded) {
    throw new Error(`A stored original ${decoded.problem}`);
  }
  return Buffer.from(decoded.result);
}

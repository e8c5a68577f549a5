import { setTimeout as wait } from 'node:timers/promises';
import { uploadPath } from '../../../src/http/upload/upload.ts';
import { noise } from '../../image/pictures.ts';
import { brandOf } from '../../image/shop.ts';
import type { Merchant } from '../../support/own-service.ts';
import type { AttackedService } from './attacked-service.ts';

/** The interval at which the second merchant uploads and loads a picture, and the side of the picture. */
const UPLOADED_EVERY_MS = 250;
const SIDE = 50;

export type Waited = { status: number; body: string; durationMs: number };
export type UploadAnswer = Waited & { imageId: string | null };

/** A merchant that uploads pictures to its brand, and loads them. */
export type Uploader = Merchant & {
  brandId: string;
  upload(picture: Buffer): Promise<UploadAnswer>;
  show(imageId: string, width: number): Promise<Waited>;
};

export async function createUploader(service: AttackedService, own?: Merchant): Promise<Uploader> {
  const merchant = own ?? (await service.createMerchant());
  const brandId = await brandOf(merchant.ctx);
  return {
    ...merchant,
    brandId,
    upload: async (picture) => {
      const body = new FormData();
      body.append('input', JSON.stringify({ brandImage: { brandIds: [brandId] } }));
      body.append('file', new Blob([picture as Uint8Array<ArrayBuffer>]));
      return await timed(`${service.url}${uploadPath}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.token}` },
        body,
      });
    },
    show: async (imageId, width) =>
      await timed(`${service.url}/images/${merchant.ctx.merchantId}/${imageId}/image_${width}.webp`, {}),
  };
}

/** Starts the three decoder processes, of which a merchant has at most two at a time, and waits until all decode. */
export async function startDecoders(one: Uploader, other: Uploader): Promise<void> {
  await Promise.all([one, one, other].map(async (uploader) => await uploadMeanwhile(uploader, Promise.resolve())));
}

export type Waits = { uploadsMs: number[]; shownMs: number[] };

/** Uploads a new small picture four times a second until `work` is done, and loads each. */
export async function uploadMeanwhile(uploader: Uploader, work: Promise<unknown>): Promise<Waits> {
  const steps: Promise<Waited[]>[] = [];
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  do {
    steps.push(uploadAndShow(uploader, await noise(SIDE, SIDE).png().toBuffer()));
    await wait(UPLOADED_EVERY_MS);
  } while (!isDone);
  await ended;
  const answers = await Promise.all(steps);
  return {
    uploadsMs: answers.map(([upload]) => upload!.durationMs),
    shownMs: answers.map(([, shown]) => shown!.durationMs),
  };
}

async function uploadAndShow(uploader: Uploader, picture: Buffer): Promise<Waited[]> {
  const upload = await uploader.upload(picture);
  const shown = upload.imageId === null ? upload : await uploader.show(upload.imageId, 180);
  if (upload.status !== 200 || shown.status !== 200)
    throw new Error(`The second merchant's picture was refused: ${upload.status} ${upload.body}, ${shown.status}`);
  return [upload, shown];
}

async function timed(address: string, init: RequestInit): Promise<UploadAnswer> {
  const startedAtMs = performance.now();
  const response = await fetch(address, init);
  const body = await response.text();
  return {
    status: response.status,
    body,
    imageId: response.headers.get('x-image-id'),
    durationMs: performance.now() - startedAtMs,
  };
}

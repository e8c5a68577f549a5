import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { imageRoutes } from '../../../src/http/server/images.ts';
import { openRenditions, RENDITION_WIDTHS } from '../../../src/image/rendition.ts';
import { renditionKey } from '../../../src/image/storage-key.ts';
import { uploadImage } from '../../../src/image/upload-image.ts';
import { noise } from '../../image/pictures.ts';
import { brandOf, openImageDependencies } from '../../image/shop.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let server: TestServer;
let ctx: Context;
let imageId: string;
let decoded = 0;
/** Pictures whose files are open. */
let opened = 0;

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  ctx = await createContext(database.db);
  const decoder = {
    ...parts.decoder,
    rendition: (...task: Parameters<typeof parts.decoder.rendition>) =>
      parts.decoder.rendition(...task).finally(() => (decoded += 1)),
  };
  const storage = {
    ...parts.storage,
    open: async (key: string) => {
      const found = await parts.storage.open(key);
      if (found) opened += 1;
      found?.stream.once('close', () => (opened -= 1));
      return found;
    },
  };
  const renditions = openRenditions(storage, decoder);
  server = await startServer({
    db: database.db,
    publicRoutes: [async (app) => imageRoutes(app, { db: database.db, renditions })],
  });
  imageId = await uploaded(await noise(1_000, 600).jpeg().toBuffer());
});
afterAll(async () => {
  await server.drain();
  await parts.close();
  await database.drop();
});

async function uploaded(file: Buffer, owner = ctx): Promise<string> {
  const brand = await brandOf(owner, randomBytes(8).toString('hex'));
  return await uploadImage(
    { ...owner, ...parts },
    { target: { kind: 'brand', ids: [brand], idsPath: [] }, source: { kind: 'file', path: ['file'] }, file },
  );
}

const addressOf = (size: number | string, id = imageId, merchantId = ctx.merchantId) =>
  `${server.url}/images/${merchantId}/${id}/image_${size}.webp`;

describe('an image', () => {
  it.each(RENDITION_WIDTHS)(
    'is served to everyone as WebP %i pixels wide, or in its own width if it is smaller',
    async (width) => {
      const response = await fetch(addressOf(width));
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        etag: expect.stringMatching(/^"[\w-]{39,41}"$/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: Math.min(width, 1_000) });
    },
  );

  it('has no body in the response to HEAD', async () => {
    const whole = await fetch(addressOf(360));
    const length = (await whole.arrayBuffer()).byteLength;
    const head = await rawHead(addressOf(360));
    expect(head).toMatchObject({
      status: 200,
      bytes: 0,
      headers: { 'content-length': String(length), 'content-type': 'image/webp', etag: whole.headers.get('etag') },
    });
  });

  it.each([
    ['its entity tag', (etag: string) => etag],
    ['its entity tag as a weak one', (etag: string) => `W/${etag}`],
    ['a list with its entity tag', (etag: string) => `"other", ${etag}`],
    ['any tag', () => '*'],
  ])('is not sent again to a client that sends %s', async (_, header) => {
    const { headers } = await fetch(addressOf(180));
    const response = await fetch(addressOf(180), { headers: { 'if-none-match': header(headers.get('etag')!) } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(headers.get('etag'));
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it('is sent to clients that have another version', async () => {
    const response = await fetch(addressOf(180), { headers: { 'if-none-match': '"other"' } });
    expect(response.status).toBe(200);
  });

  it('is found with a double slash in the path', async () => {
    expect((await fetch(addressOf(180).replace('/images/', '//images//'))).status).toBe(200);
  });

  it('is made once for a hundred concurrent requests', async () => {
    const id = await uploaded(await noise(1_200, 900).jpeg().toBuffer());
    const before = decoded;
    const responses = await Promise.all(Array.from({ length: 100 }, async () => await fetch(addressOf(540, id))));
    const bodies = await Promise.all(
      responses.map(async (response) => Buffer.from(await response.arrayBuffer()).toString('base64')),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(new Set(bodies).size).toBe(1);
    expect(decoded - before).toBe(1);
  });
});

describe('readers that do not read', () => {
  const BYTES = 20_000_000;
  const READERS = 20;

  it('hold only a small part of the picture in memory', async () => {
    const id = await uploaded(await noise(300, 200).jpeg().toBuffer());
    await parts.storage.write(renditionKey(ctx.merchantId, id, 180), Buffer.alloc(BYTES), 'image/webp');
    const before = bufferedBytes();
    const clients: Socket[] = [];
    onTestFinished(() => clients.forEach((client) => client.destroy()));
    for (let reader = 0; reader < READERS; reader += 1) {
      const client = connect(Number(new URL(server.url).port), '127.0.0.1');
      clients.push(client);
      client.write(`GET ${new URL(addressOf(180, id)).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(client, 'readable');
    }
    expect(bufferedBytes() - before).toBeLessThan(2 * BYTES);
  });

  it('get at most 192 pictures of a merchant at once, and those of another merchant are sent meanwhile', async () => {
    const id = await uploaded(await noise(300, 200).jpeg().toBuffer());
    await parts.storage.write(renditionKey(ctx.merchantId, id, 180), Buffer.alloc(BYTES), 'image/webp');
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => void client.destroy());
    client.write(`GET ${new URL(addressOf(180, id)).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(300));
    await once(client, 'readable');
    await expect.poll(() => opened).toBe(192);
    const other = await createContext(database.db);
    const otherId = await uploaded(await noise(300, 200).jpeg().toBuffer(), other);
    const answer = await fetch(addressOf(180, otherId, other.merchantId));
    expect((await answer.bytes()).length).toBeGreaterThan(0);
    expect(answer.status).toBe(200);
    await expect.poll(() => opened).toBe(192);
    client.destroy();
    await expect.poll(() => opened).toBe(0);
  });
});

const NOTHING = { status: 404, code: 'NOT_FOUND', cacheControl: null };

describe('no image is found', () => {
  it.each(['1', '179', '181', '0180', '180.0', '+180', '-180', '1e3', '3841', '99999', '', 'x', '180%00', '٣٦٠'])(
    'in the size %j',
    async (size) => {
      expect(await answerAt(addressOf(encodeURI(size)))).toEqual(NOTHING);
    },
  );

  it.each(['original', 'image_180.png', 'image_180.webp.', 'image_180', '..%2f..%2foriginal', '..', '.unfinished', ''])(
    'under the name %j',
    async (name) => {
      expect(await answerAt(`${server.url}/images/${ctx.merchantId}/${imageId}/${name}`)).toEqual(NOTHING);
    },
  );

  it('for an unknown id', async () => {
    expect(await answerAt(addressOf(180, newId()))).toEqual(NOTHING);
    expect(await answerAt(addressOf(180, 'no-id'))).toEqual(NOTHING);
    expect(await answerAt(addressOf(180, imageId.toUpperCase()))).toEqual(NOTHING);
    expect(await answerAt(addressOf(180, imageId, newId()))).toEqual(NOTHING);
    expect(await answerAt(addressOf(180, '..'))).toEqual(NOTHING);
  });

  it("under another merchant's id", async () => {
    const other = await createContext(database.db);
    expect(await answerAt(addressOf(180, imageId, other.merchantId))).toEqual(NOTHING);
  });

  it('if the original was lost', async () => {
    const id = await uploaded(await noise(300, 200).jpeg().toBuffer());
    await rm(join(parts.folder, ctx.merchantId, id), { recursive: true });
    expect(await answerAt(addressOf(180, id))).toEqual(NOTHING);
  });
});

function bufferedBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

async function answerAt(address: string): Promise<object> {
  const response = await fetch(address);
  const { code } = response.headers.get('content-type')?.startsWith('application/problem+json')
    ? ((await response.json()) as { code?: string })
    : { code: undefined };
  return { status: response.status, code, cacheControl: response.headers.get('cache-control') };
}

async function rawHead(address: string): Promise<{ status: number | undefined; headers: object; bytes: number }> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(address, { method: 'HEAD' }, (response) => {
      let bytes = 0;
      response
        .on('data', (chunk: Buffer) => (bytes += chunk.length))
        .on('end', () => resolve({ status: response.statusCode, headers: response.headers, bytes }));
    });
    request.on('error', reject).end();
  });
}

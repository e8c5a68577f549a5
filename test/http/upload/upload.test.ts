import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listProductBrand } from '../../../src/brand/listProductBrand.ts';
import { listCategory } from '../../../src/category/listCategory.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { BlockingWorkQueue } from '../../../src/http/admission/blocking-work-queue.ts';
import { imageRoutes } from '../../../src/http/server/images.ts';
import { uploadPath, uploadRoutes } from '../../../src/http/upload/upload.ts';
import { MAX_IMAGE_BYTES } from '../../../src/image/decode.ts';
import { openRenditions } from '../../../src/image/rendition.ts';
import { noise } from '../../image/pictures.ts';
import { brandOf, categoryOf, imageRows, imagesOf, openImageDependencies, variantsOf } from '../../image/shop.ts';
import { createContext, webhook } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { open, sendRaw } from '../../support/raw.ts';
import { inSingleBytes } from '../../support/single-bytes.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** A session older than this is looked up again, because the token may be revoked. The tests do not cache sessions. */
const REVOKED_BEFORE_MS = 200;
/** Within this time the fetch of a picture begins that need not wait. */
const BEGUN_WITHIN_MS = 500;

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let server: TestServer;
let pictures: HttpServer;
let ctx: Context;
let shop: { productId: string; variantIds: string[]; category: string; brand: string };

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  const { db } = database;
  const renditions = openRenditions(parts.storage, parts.decoder);
  server = await startServer({
    db,
    routes: [async (app, options) => await uploadRoutes(app, { db, webhook, ...options, ...parts })],
    publicRoutes: [async (app) => imageRoutes(app, { db, renditions })],
  });
  pictures = createServer(
    (request, response) =>
      void noise(Number(request.url!.slice(1)), 10)
        .png()
        .toBuffer()
        .then((bytes) => response.end(bytes)),
  );
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  ctx = await createContext(db);
  shop = { ...(await variantsOf(ctx, 2)), category: await categoryOf(ctx), brand: await brandOf(ctx) };
  for (const [token, scopes] of [
    ['full', ['write_products']],
    ['reader', ['read_products']],
    ['customers', ['write_customers']],
  ] as const) {
    server.sessions.set(token, { ...ctx.session, scopes: new Set(scopes) });
  }
});
afterAll(async () => {
  await server.drain();
  pictures.close();
  await parts.close();
  await database.drop();
});

let width = 20;
const freshFile = async () =>
  await noise((width += 1), 10)
    .png()
    .toBuffer();
const pictureUrl = () => `http://127.0.0.1:${(pictures.address() as AddressInfo).port}/${(width += 1)}`;
const address = (path = uploadPath) => `${server.url}${path}`;
const authorized = (token: string | null = 'full'): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

async function send(
  body: unknown,
  { token = 'full', path = uploadPath }: { token?: string | null; path?: string } = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return await fetch(address(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorized(token) },
    body: text,
  });
}

async function sendForm(fields: [name: string, value: string | Blob, fileName?: string][]): Promise<Response> {
  const form = new FormData();
  for (const [name, value, fileName] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName ?? 'a.png');
  }
  return await fetch(address(), { method: 'POST', headers: authorized(), body: form });
}

type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  issues?: { path: string[]; message: string }[];
  ids?: string[];
};

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({ type: 'about:blank', status: response.status, detail: expect.any(String) });
  return problem;
}

const targets = {
  productImage: () => ({ variantIds: shop.variantIds, order: '3', isMain: 'true' }),
  categoryImage: () => ({ categoryIds: [shop.category] }),
  brandImage: () => ({ brandIds: [shop.brand], unknown: [1] }),
};
const forms: Record<string, (kind: string, target: object) => Promise<Response>> = {
  url: async (kind, target) => await send({ [kind]: { ...target, url: pictureUrl() } }),
  base64: async (kind, target) => await send({ [kind]: { ...target, base64: (await freshFile()).toString('base64') } }),
  'data URI': async (kind, target) =>
    await send({ [kind]: { ...target, base64: `data:image/png;base64,${(await freshFile()).toString('base64')}` } }),
  file: async (kind, target) =>
    await sendForm([
      ['input', JSON.stringify({ [kind]: target })],
      ['file', new Blob([await freshFile()])],
    ]),
  'file before its input': async (kind, target) =>
    await sendForm([
      ['file', new Blob([await freshFile()]), '../../etc/passwd'],
      ['input', JSON.stringify({ [kind]: target })],
    ]),
  'file in chunks of one byte': async (kind, target) => {
    const form = new FormData();
    form.append('input', JSON.stringify({ [kind]: target }));
    form.append('file', new Blob([await freshFile()]), 'a.png');
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type')!, ...authorized() };
    return await fetch(address(), { method: 'POST', headers, ...inSingleBytes(await encoded.bytes()) });
  },
  'url in a form': async (kind, target) =>
    await sendForm([['input', JSON.stringify({ [kind]: { ...target, url: pictureUrl() } })]]),
};

async function imageIdsOf(kind: string): Promise<(string | null | undefined)[]> {
  if (kind === 'categoryImage') return (await listCategory(ctx, {}, { imageId: {} })).map(({ imageId }) => imageId);
  if (kind === 'brandImage') return (await listProductBrand(ctx, {}, { imageId: {} })).map(({ imageId }) => imageId);
  const images = await imagesOf(ctx, shop.productId);
  return images.map((list) => list.find(({ isMain, order }) => isMain && order === 3)?.imageId);
}

describe.each(Object.entries(targets))('%s', (kind, target) => {
  it.each(Object.entries(forms))('accepts a picture as %s, answers "OK" and its id, and serves it', async (_, form) => {
    const response = await form(kind, target());
    expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
      200,
      'application/json; charset=utf-8',
      'OK',
    ]);
    const imageId = response.headers.get('x-image-id')!;
    expect(new Set(await imageIdsOf(kind))).toEqual(new Set([imageId]));
    const served = await fetch(`${server.url}/images/${ctx.merchantId}/${imageId}/image_180.webp`);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });
});

describe('the route', () => {
  it.each([
    '//api/v1/admin/product/upload/image',
    '/api/v1/admin//product/upload/image',
    '/api/v1/admin/product/upload/image/',
  ])('is found at %s too', async (path) => {
    const response = await send(
      { brandImage: { categoryIds: [shop.brand], base64: (await freshFile()).toString('base64') } },
      { path },
    );
    expect(response.status).toBe(200);
  });

  it.each([null, 'unknown'])('answers 401 to the token %s', async (token) => {
    const response = await send({ brandImage: { brandIds: [shop.brand], base64: 'aGVsbG8=' } }, { token });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({ status: 401, code: 'LOGIN_REQUIRED' });
  });

  it.each(['reader', 'customers'])('answers 403 to the token of the app "%s", naming the scope', async (token) => {
    expect(
      await problemOf(await send({ brandImage: { brandIds: [shop.brand], base64: 'aGVsbG8=' } }, { token })),
    ).toMatchObject({
      status: 403,
      code: 'UNAUTHORIZED',
      requiredScope: 'write_products',
    });
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers 405 to %s', async (method) => {
    const response = await fetch(address(), { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses a caller without the scope before the body is sent', async () => {
    const head = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20000000\r\n\r\n`;
    expect(await sendRaw(server.url, head)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'image/png'])('does not read %s', async (type) => {
    const response = await fetch(address(), {
      method: 'POST',
      headers: { ...authorized(), 'content-type': type },
      body: 'x',
    });
    expect(await problemOf(response)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

const oneBrand = (more: object) => ({ brandImage: { brandIds: [shop.brand], ...more } });
const oneVariant = (more: object) => ({
  productImage: { variantIds: shop.variantIds, order: 0, base64: 'aGVsbG8=', ...more },
});

// docs/reliability-tests.md: 58, 65
describe('a wrong body names the member', () => {
  it.each<[string, () => unknown, string[]]>([
    ['none of the three members', () => ({}), ['productImage', 'categoryImage', 'brandImage']],
    ['a list', () => [], ['body']],
    ['a text', () => '"productImage"', ['body']],
    [
      'two kinds',
      () => ({
        ...oneBrand({ base64: 'aGVsbG8=' }),
        categoryImage: { categoryIds: [shop.category], base64: 'aGVsbG8=' },
      }),
      ['categoryImage', 'brandImage'],
    ],
    ['neither url nor base64', () => oneBrand({}), ['brandImage.url']],
    [
      'both url and base64',
      () => oneBrand({ url: 'https://example.com/a.png', base64: 'aGVsbG8=' }),
      ['brandImage.base64'],
    ],
    [
      'both names of the ids',
      () => oneBrand({ categoryIds: [shop.brand], base64: 'aGVsbG8=' }),
      ['brandImage.brandIds'],
    ],
    ['no ids', () => oneBrand({ brandIds: [], base64: 'aGVsbG8=' }), ['brandImage.brandIds']],
    [
      '251 ids',
      () => oneBrand({ brandIds: Array.from({ length: 251 }, newId), base64: 'aGVsbG8=' }),
      ['brandImage.brandIds'],
    ],
    ['ids that are numbers', () => oneBrand({ brandIds: [1], base64: 'aGVsbG8=' }), ['brandImage.brandIds.0']],
    ['no order', () => oneVariant({ order: undefined }), ['productImage.order']],
    ['an order that is no number', () => oneVariant({ order: 'first' }), ['productImage.order']],
    ['isMain that is neither true nor false', () => oneVariant({ isMain: 'yes' }), ['productImage.isMain']],
    ['base64 with another alphabet', () => oneBrand({ base64: '-_-_' }), ['brandImage.base64']],
    ['base64 with spaces', () => oneBrand({ base64: 'aGVs bG8=' }), ['brandImage.base64']],
    ['base64 with NUL', () => oneBrand({ base64: 'aGVs\0bG8=' }), ['brandImage.base64']],
    [
      'base64 that is not a picture',
      () => oneBrand({ base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }),
      ['brandImage.base64'],
    ],
    [
      'base64 of more than 20 MB',
      () => oneBrand({ base64: 'A'.repeat(Math.ceil((MAX_IMAGE_BYTES + 3) / 3) * 4) }),
      ['brandImage.base64'],
    ],
    ['a url of another scheme', () => oneBrand({ url: 'file:///etc/passwd' }), ['brandImage.url']],
    ['a url where nothing listens', () => oneBrand({ url: 'http://127.0.0.1:1/a.png' }), ['brandImage.url']],
  ])('%s', async (_, body, members) => {
    const problem = await problemOf(await send(body()));
    expect(problem).toMatchObject({ status: 400, code: 'ARGUMENT_VALIDATION_ERROR' });
    expect(problem.issues!.map(({ path }) => path.join('.'))).toEqual(members);
  });

  it('if it is not JSON', async () => {
    expect(await problemOf(await send('{"brandImage":'))).toMatchObject({
      status: 400,
      code: 'ARGUMENT_VALIDATION_ERROR',
    });
    expect(await problemOf(await send(''))).toMatchObject({ status: 400, code: 'ARGUMENT_VALIDATION_ERROR' });
  });

  // docs/reliability-tests.md: 12
  it('if it has unknown ids', async () => {
    const [missing, foreign] = [newId(), await brandOf(await createContext(database.db))];
    const problem = await problemOf(
      await send({ brandImage: { categoryIds: [shop.brand, missing, foreign, 'x'], base64: 'aGVsbG8=' } }),
    );
    expect(problem).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      recordType: 'ProductBrand',
      ids: [missing, foreign, 'x'],
      path: ['brandImage', 'categoryIds'],
    });
  });

  it('if it is longer than any picture', async () => {
    const head = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: application/json\r\ncontent-length: 200000000\r\n\r\n{"`;
    const answer = await sendRaw(server.url, head, { untilClosed: true });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"');
  });
});

// docs/reliability-tests.md: 58
describe('a wrong form names the field', () => {
  const file = new Blob(['no picture']);
  const input = () => JSON.stringify(oneBrand({}));

  it.each<[string, () => Parameters<typeof sendForm>[0], string[]]>([
    ['without an input', () => [['file', file]], ['input']],
    [
      'with two inputs',
      () => [
        ['input', input()],
        ['input', input()],
      ],
      ['input'],
    ],
    [
      'with an input that is not JSON',
      () => [
        ['input', '{'],
        ['file', file],
      ],
      ['input'],
    ],
    [
      'with an input that is a list',
      () => [
        ['input', '[]'],
        ['file', file],
      ],
      ['input'],
    ],
    [
      'with an input of 2 MB',
      () => [['input', JSON.stringify(oneBrand({ base64: 'A'.repeat(2_000_000) }))]],
      ['input'],
    ],
    [
      'with a file that is not a picture',
      () => [
        ['input', input()],
        ['file', file],
      ],
      ['file'],
    ],
    [
      'with an empty file',
      () => [
        ['input', input()],
        ['file', new Blob([])],
      ],
      ['file'],
    ],
    [
      'with the file as text',
      () => [
        ['input', input()],
        ['file', 'text'],
      ],
      ['file'],
    ],
    [
      'with the file in another field',
      () => [
        ['input', input()],
        ['picture', file],
      ],
      ['file'],
    ],
    [
      'with two files',
      () => [
        ['input', input()],
        ['file', file],
        ['file', file],
      ],
      ['file'],
    ],
    [
      'with a file of more than 20 MB',
      () => [
        ['input', input()],
        ['file', new Blob([Buffer.alloc(MAX_IMAGE_BYTES + 1)])],
      ],
      ['file'],
    ],
    [
      'with a file and a url',
      () => [
        ['input', JSON.stringify(oneBrand({ url: 'https://example.com/a.png' }))],
        ['file', file],
      ],
      ['brandImage.url'],
    ],
    ['with neither file nor url', () => [['input', input()]], ['brandImage.url']],
  ])('%s', async (_, fields, members) => {
    const problem = await problemOf(await sendForm(fields()));
    expect(problem).toMatchObject({ status: 400, code: 'ARGUMENT_VALIDATION_ERROR' });
    expect(problem.issues!.map(({ path }) => path.join('.'))).toEqual(members);
  });

  const part = (head: string, body = 'x') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
  const field = 'content-disposition: form-data; name="more"';

  // docs/reliability-tests.md: 40, 42, 63
  it.each<[string, string, string, number]>([
    ['no boundary', 'multipart/form-data', part(field), 400],
    ['an empty boundary', 'multipart/form-data; boundary=', part(field), 400],
    ['another boundary than it has', 'multipart/form-data; boundary=c', `${part(field)}--b--`, 400],
    ['no end', 'multipart/form-data; boundary=b', part(field), 400],
    [
      'a file without end',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    ['no content', 'multipart/form-data; boundary=b', '', 400],
    ['10,000 parts', 'multipart/form-data; boundary=b', `${part(field).repeat(10_000)}--b--\r\n`, 413],
    [
      'a name of 1 MB',
      'multipart/form-data; boundary=b',
      `${part(`content-disposition: form-data; name="${'n'.repeat(1_000_000)}"`)}--b--\r\n`,
      400,
    ],
    [
      'a part without a name',
      'multipart/form-data; boundary=b',
      `${part('content-disposition: form-data')}--b--\r\n`,
      400,
    ],
    ['a part without a head', 'multipart/form-data; boundary=b', `${part('')}--b--\r\n`, 400],
    [
      'a thousand headers',
      'multipart/form-data; boundary=b',
      `${part(`${'x: y\r\n'.repeat(1_000)}${field}`)}--b--\r\n`,
      400,
    ],
    [
      'a nested form',
      'multipart/form-data; boundary=b',
      `${part(`${field}\r\ncontent-type: multipart/mixed; boundary=c`, `--c\r\n${field}\r\n\r\ny\r\n--c--`)}--b--\r\n`,
      400,
    ],
    [
      'a name of the prototype',
      'multipart/form-data; boundary=b',
      `${part('content-disposition: form-data; name="__proto__"')}--b--\r\n`,
      400,
    ],
    [
      'an extended file name',
      'multipart/form-data; boundary=b',
      `${part('content-disposition: form-data; name="file"; filename*=UTF-8\'\'..%2f..%2fx')}--b--\r\n`,
      400,
    ],
    [
      'an input that says it is JSON and is not',
      'multipart/form-data; boundary=b',
      `${part('content-disposition: form-data; name="input"\r\ncontent-type: application/json', '{')}--b--\r\n`,
      400,
    ],
  ])('or is refused if it has %s', async (_, type, body, status) => {
    const response = await fetch(address(), {
      method: 'POST',
      headers: { ...authorized(), 'content-type': type },
      body,
    });
    expect(await problemOf(response)).toMatchObject({
      status,
      code: status === 413 ? 'PAYLOAD_TOO_LARGE' : 'ARGUMENT_VALIDATION_ERROR',
    });
  });

  const jsonPart = (name: string, json: string) =>
    part(`content-disposition: form-data; name="${name}"\r\ncontent-type: application/json`, json);
  const plainPart = (name: string, json: string) => part(`content-disposition: form-data; name="${name}"`, json);
  const sendParts = async (parts: string): Promise<Response> =>
    await fetch(address(), {
      method: 'POST',
      headers: { ...authorized(), 'content-type': 'multipart/form-data; boundary=b' },
      body: `${parts}--b--\r\n`,
    });

  it('not another field, even if it says that it is JSON and is not', async () => {
    const input = JSON.stringify(oneBrand({ url: pictureUrl() }));
    expect((await sendParts(jsonPart('meta', '{') + jsonPart('input', input))).status).toBe(200);
  });

  it('not the file name of an input that is sent as a file', async () => {
    const input = new Blob([JSON.stringify(oneBrand({ url: pictureUrl() }))], { type: 'application/json' });
    expect((await sendForm([['input', input]])).status).toBe(200);
  });

  it.each([
    ['JSON', jsonPart],
    ['text', plainPart],
  ])('and is refused if a number of an input sent as %s would be read as 0', async (_, inputPart) => {
    const input = JSON.stringify(oneVariant({ order: '?' })).replace('"?"', '1e-400');
    const problem = await problemOf(await sendParts(inputPart('input', input)));
    expect(problem.issues).toMatchObject([{ path: ['productImage', 'order'] }]);
  });

  it.each([
    ['JSON', jsonPart],
    ['text', plainPart],
  ])('and is refused if an input sent as %s has more names than a body may have', async (_, inputPart) => {
    const names = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`name${index}`, 0]));
    const problem = await problemOf(await sendParts(inputPart('input', JSON.stringify(names))));
    expect(problem).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it('and waits in the queue for blocking work if its input is long', async () => {
    const run = vi.spyOn(BlockingWorkQueue.prototype, 'run');
    const input = (length: number) => JSON.stringify(oneBrand({ url: pictureUrl(), more: 'x'.repeat(length) }));
    expect((await sendParts(plainPart('input', input(100)))).status).toBe(200);
    expect(run).not.toHaveBeenCalled();
    expect((await sendParts(plainPart('input', input(40_000)))).status).toBe(200);
    expect(run).toHaveBeenCalled();
    run.mockRestore();
  });

  it('and is refused if its input is not UTF-8', async () => {
    const body = Buffer.from(`${plainPart('input', '{"\xe9":1}')}--b--\r\n`, 'latin1');
    const headers = { ...authorized(), 'content-type': 'multipart/form-data; boundary=b' };
    const problem = await problemOf(await fetch(address(), { method: 'POST', headers, body }));
    expect(problem.issues).toMatchObject([{ path: ['input'], message: 'must be JSON in UTF-8' }]);
  });

  const bytes = (length: number) => 'x'.repeat(length);
  const inputPart = (value = '{}') => part('content-disposition: form-data; name="input"', value);
  const filePart = (name: string, length: number) =>
    part(`content-disposition: form-data; name="${name}"; filename="a.png"`, bytes(length));
  it.each<[string, string, string]>([
    ['a picture in another field', 'multipart/form-data; boundary=b', filePart('picture', 3_000_000)],
    [
      'a wrong input before the picture',
      'multipart/form-data; boundary=b',
      inputPart('{') + filePart('file', 3_000_000),
    ],
    ['two pictures', 'multipart/form-data; boundary=b', filePart('file', 3_000_000).repeat(2)],
    ['a picture of more than 20 MB', 'multipart/form-data; boundary=b', filePart('file', 25_000_000)],
    [
      '17 parts before a picture',
      'multipart/form-data; boundary=b',
      part(field).repeat(17) + filePart('file', 3_000_000),
    ],
    ['another type', 'text/plain', bytes(3_000_000)],
  ])('and the next request on its connection is answered, after %s', async (_, type, parts) => {
    const body = `${parts}--b--\r\n`;
    const head = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\n`;
    const form = `${head}content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const next = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    const answers = await sendRaw(server.url, form + next, { untilClosed: true });
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.stringMatching(/ (400|413|415)$/), 'HTTP/1.1 200']);
  });

  // docs/reliability-tests.md: 38
  it('and is disconnected if it does not end', async () => {
    const socket = open(server.url);
    let sent = 0;
    let answer = '';
    const chunk = `100000\r\n${'a'.repeat(0x100000)}\r\n`;
    const head = part('content-disposition: form-data; name="file"; filename="a.png"', '');
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    socket.write(`${head.length.toString(16)}\r\n${head}\r\n`);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    socket.on('drain', pour);
    pour();
    await new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
    expect(sent).toBeLessThan(2 * MAX_IMAGE_BYTES);
    expect(answer === '' || answer.startsWith('HTTP/1.1 400 ')).toBe(true);
  });
});

// docs/reliability-tests.md: 4
it('changes nothing with a token that is revoked while the picture is received', async () => {
  const before = await imageRows(ctx);
  const body = JSON.stringify({
    brandImage: { ...targets.brandImage(), base64: (await freshFile()).toString('base64') },
  });
  server.sessions.set('leaked', server.sessions.get('full')!);
  const socket = open(server.url);
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer leaked\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  await wait(REVOKED_BEFORE_MS);
  server.sessions.delete('leaked');
  socket.write(body);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 .*"code":"LOGIN_REQUIRED"/s);
  expect(await imageRows(ctx)).toEqual(before);
});

it('refuses X-Preflight, which is for GraphQL, instead of storing the picture', async () => {
  const body = JSON.stringify({
    brandImage: { brandIds: [shop.brand], base64: (await freshFile()).toString('base64') },
  });
  const headers = { 'content-type': 'application/json', 'x-preflight': 'true', ...authorized() };
  const answer = await fetch(address(), { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([400, { issues: [{ path: ['X-Preflight'] }] }]);
});

it('keeps nothing of a dry run', async () => {
  const before = await imageRows(ctx);
  const body = JSON.stringify({
    brandImage: { categoryIds: [shop.brand], base64: (await freshFile()).toString('base64') },
  });
  const headers = { 'content-type': 'application/json', 'x-dry-run': 'true', ...authorized() };
  const response = await fetch(address(), { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([200, 'OK']);
  expect(await imageRows(ctx)).toEqual(before);
});

describe('an Idempotency-Key', () => {
  const keyed = async (body: BodyInit, key: string, type?: string) =>
    await fetch(address(), {
      method: 'POST',
      headers: { ...authorized(), 'idempotency-key': key, ...(type && { 'content-type': type }) },
      body,
    });

  it('gives a repeated upload the response of the first, and refuses another picture', async () => {
    const body = JSON.stringify(oneBrand({ url: pictureUrl() }));
    const [first, repeat] = [
      await keyed(body, 'url', 'application/json'),
      await keyed(body, 'url', 'application/json'),
    ];
    expect([first.status, first.headers.get('idempotency-replayed'), await first.json()]).toEqual([200, null, 'OK']);
    expect([repeat.status, repeat.headers.get('idempotency-replayed'), await repeat.json()]).toEqual([
      200,
      'true',
      'OK',
    ]);
    expect(repeat.headers.get('x-image-id')).toBe(first.headers.get('x-image-id'));
    expect(
      await problemOf(await keyed(JSON.stringify(oneBrand({ url: pictureUrl() })), 'url', 'application/json')),
    ).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  it('recognises a repeat whose ignored members differ', async () => {
    const upload = oneBrand({ url: pictureUrl() });
    const sent = async (sentAt: number) =>
      await keyed(JSON.stringify({ ...upload, sentAt }), 'ignored', 'application/json');
    expect((await sent(1)).status).toBe(200);
    expect((await sent(2)).headers.get('idempotency-replayed')).toBe('true');
  });

  it('distinguishes another file from the first', async () => {
    const form = (file: Awaited<ReturnType<typeof freshFile>>): FormData => {
      const fields = new FormData();
      fields.append('input', JSON.stringify(oneBrand({})));
      fields.append('file', new Blob([file]));
      return fields;
    };
    const file = await freshFile();
    expect((await keyed(form(file), 'form')).status).toBe(200);
    expect((await keyed(form(file), 'form')).headers.get('idempotency-replayed')).toBe('true');
    expect((await keyed(form(await freshFile()), 'form')).status).toBe(409);
  });
});

describe('aborted uploads', () => {
  it('release their memory for uploads that wait', async () => {
    const head = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: application/json\r\ncontent-length: 29000000\r\n\r\n{"`;
    const sockets = Array.from({ length: 8 }, () => open(server.url));
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.on('error', () => {}).write(head, resolve))),
    );
    const waiting = Promise.all(
      Array.from({ length: 4 }, async () => await forms.base64!('brandImage', targets.brandImage())),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const socket of sockets) socket.destroy();
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('uploads whose clients have disconnected', () => {
  const limits = [
    ['fetches at once', 6, 0],
    ['bytes of bodies', 2, 27_000_000],
  ] as const;

  it.each(limits)('count until their end in the limit of a merchant: %s', async (_, limit, bytes) => {
    const held: (() => void)[] = [];
    const host = createServer((_, response) => void held.push(() => response.writeHead(404).end()));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
    const body = JSON.stringify(oneBrand({ url })).padEnd(bytes);
    const request = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const sockets = Array.from({ length: limit }, () => open(server.url).on('error', () => {}));
    for (const socket of sockets) socket.write(request);
    await vi.waitUntil(() => held.length === limit, { timeout: 10_000 });
    const loggedBefore = server.lines.length;
    for (const socket of sockets) socket.destroy();
    await vi.waitUntil(() => server.lines.length >= loggedBefore + limit, { timeout: 10_000 });
    const another = sendRaw(server.url, request);
    await wait(BEGUN_WITHIN_MS);
    expect(held).toHaveLength(limit);
    held[0]!();
    await vi.waitUntil(() => held.length === limit + 1, { timeout: 10_000 });
    for (const end of held.slice(1)) end();
    expect(await another).toMatch(/^HTTP\/1\.1 400 [^]*status 404/);
    host.close();
  });
});

it.concurrent.each([
  ['application/json', '{'],
  ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\na'],
])('is answered with a problem if its body of %s does not arrive in time', async (type, begun) => {
  const { db } = database;
  const strict = await startServer({
    db,
    timeouts: { headersMs: 500, requestMs: 800 },
    routes: [async (app, options) => await uploadRoutes(app, { db, webhook, ...options, ...parts })],
  });
  strict.sessions.set('full', server.sessions.get('full')!);
  const request = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n\r\n${begun}`;
  expect(await sendRaw(strict.url, request, { untilClosed: true })).toMatch(
    /^HTTP\/1\.1 408 [^]*application\/problem\+json[^]*"detail":"The body was not received within 0\.8 seconds\.","code":"TIMEOUT"/,
  );
  await strict.drain();
});

it('is refused with a problem before it is read, and counted, if too many wait', async () => {
  const { db } = database;
  const busy = await startServer({
    db,
    routes: [
      async (app, options) =>
        await uploadRoutes(app, {
          db,
          webhook,
          ...options,
          ...parts,
          waitLimits: { maxWaiting: 1, maxWaitMs: 60_000 },
        }),
    ],
  });
  const head = `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: application/json\r\ncontent-length: 29000000\r\n\r\n`;
  const sockets = Array.from({ length: 4 }, () => open(busy.url));
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => socket.on('error', () => {}).once('data', (bytes) => resolve(String(bytes)))),
  );
  for (const socket of sockets) socket.write(head);
  expect(await Promise.race(answers)).toMatch(
    /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*application\/problem\+json[^]*"code":"SERVICE_UNAVAILABLE"/,
  );
  // The alert CommerceUnavailable reads this metric.
  const counted = `http_request_duration_seconds_count{method="POST",route="${uploadPath}",status="503"} 1`;
  await expect.poll(async () => await (await fetch(`${busy.url}/metrics`)).text()).toContain(counted);
  for (const socket of sockets) socket.destroy();
  await busy.drain();
});

it('keeps no row of an upload that failed', async () => {
  const before = (await imageRows(ctx)).length;
  const file = (await freshFile()).toString('base64');
  expect((await send({ brandImage: { brandIds: [newId()], base64: file } })).status).toBe(404);
  expect((await send(oneBrand({ base64: file.slice(0, file.length / 2 - ((file.length / 2) % 4)) }))).status).toBe(400);
  expect(await imageRows(ctx)).toHaveLength(before);
});

it('reveals no internal names', () => {
  expect(server.lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import type { Context } from '../../../src/context.ts';
import { uploadPath } from '../../../src/http/upload/upload.ts';
import { noise } from '../../image/pictures.ts';
import { brandOf, imageRows } from '../../image/shop.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createDataDir, type DataDir, logLines, type RunningService, startMain } from '../../support/process.ts';

let database: TestDatabase;
let dataDir: DataDir;
let folder: string;
let service: RunningService;
let ctx: Context;
let token: string;

beforeAll(async () => {
  [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
  folder = join(dataDir.path, 'pictures');
  await mkdir(folder);
  service = await startMain({
    DATABASE_URL: database.url,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: dataDir.path,
    STORAGE_URL: pathToFileURL(folder).href,
  });
  ctx = await createContext(database.db);
  token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: ['write_products'] });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await dataDir.remove();
});

let width = 20;

async function upload(brandId: string, key?: string): Promise<Response> {
  const form = new FormData();
  form.append('input', JSON.stringify({ brandImage: { brandIds: [brandId] } }));
  form.append('file', new Blob([await noise(width, 10).png().toBuffer()]));
  return await fetch(`${service.url}${uploadPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
    body: form,
  });
}

async function readiness(): Promise<unknown[]> {
  const response = await fetch(`${service.url}/readyz`);
  return [response.status, ((await response.json()) as { checks: Record<string, string> }).checks];
}

/**
 * Errors in the log, except those of periodic tasks: on a cluster they may remove pictures of other tests' merchants.
 */
const failures = () =>
  logLines(service.stdout())
    .filter(({ level, work }) => level === 'error' && work === undefined)
    .map(({ msg }) => msg);

it('answers 503 while pictures cannot be stored, reports it in /readyz, and recovers', async () => {
  const brandId = await brandOf(ctx);
  expect((await upload(brandId)).status).toBe(200);
  const before = await imageRows(ctx);
  width += 1;
  // Replaces the folder by a file, so that writing fails for root too.
  await rename(folder, `${folder}-away`);
  await writeFile(folder, '');

  const refused = await upload(brandId);
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect((await upload(brandId, 'a-key')).status).toBe(503);
  expect(await imageRows(ctx)).toEqual(before);
  expect(await readiness()).toEqual([503, expect.objectContaining({ database: 'ok', storage: 'failed' })]);
  await expect.poll(failures).toEqual(['the image storage has failed']);

  await rm(folder);
  await rename(`${folder}-away`, folder);
  expect((await upload(brandId, 'a-key')).status).toBe(200);
  expect(await readiness()).toEqual([200, expect.objectContaining({ storage: 'ok' })]);
  expect(await readdir(join(folder, '.unfinished'))).toEqual([]);
  expect(await imageRows(ctx)).toHaveLength(before.length + 1);
});

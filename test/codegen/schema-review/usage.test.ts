import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lastRelease } from '../../../codegen/schema-review/sdl-version.ts';
import type { Context } from '../../../src/context.ts';
import { readUsage } from '../../../src/usage/read-usage.ts';
import { UsageCounts } from '../../../src/usage/usage-counts.ts';
import { writeUsage } from '../../../src/usage/write-usage.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { post } from '../../support/post.ts';
import { BREAKING_EDITS, editSdl, OTHER_EDITS, run } from './ten-changes.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const DAY_MS = 86_400_000;
const EXPECTED = 'expected/ten-changes';

let database: TestDatabase;
let folder: string;
let sdl: string;
let file: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'usage-'));
  [sdl, file] = [join(folder, 'schema'), join(folder, 'usage.json')];
  await cp(`docs/releases/${lastRelease()}`, sdl, { recursive: true });
  await editSdl(sdl, ...BREAKING_EDITS, ...OTHER_EDITS);
  await useSchema();
  await writeFile(file, JSON.stringify(await readUsage(database, { days: 40 })));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

/**
 * Counts requests of two apps, so that three of the five breaking changes would break an operation: tags were listed
 * more than 30 days ago, and nobody filters customers by phone.
 */
async function useSchema(): Promise<void> {
  const counts = new UsageCounts();
  const api = await startOperations(database.db, { usageCounts: counts });
  const [warehouse, till] = [await createNamed('Warehouse sync'), await createNamed('Till | <7>`')];
  for (const app of [warehouse, till]) await api.call(app, 'me', {});
  counts.take();
  const send = async (app: Context, query: string, variables = {}) => {
    const { body } = await post(`${api.url}/api/v1/admin/graphql`, { query, variables }, { token: app.merchantId });
    expect(body.errors).toBeUndefined();
  };
  const stock =
    'query Stock($ids: StringFilterInput) { listProduct(id: $ids) { data { ...Stocked } } } fragment Stocked on Product { id totalStock }';
  for (let times = 0; times < 3; times++) await send(warehouse, stock, { ids: { eq: 'x' } });
  await send(till, '{ listProduct(name: { like: "Ada Lovelace" }) { data { name totalStock } } }');
  const create = 'mutation Create($input: ProductInput!) { saveProduct(input: $input) { id } }';
  await send(till, create, { input: { name: 'Card', type: 'MEMBERSHIP', variants: [{ prices: [{ sellPrice: 1 }] }] } });
  await send(till, 'query ByChannel($in: SalesChannelFilterInput) { listProduct(salesChannelIds: $in) { count } }');
  await api.stop();
  await writeUsage(database, counts);
  const day = new Date(Date.now() - 35 * DAY_MS).toISOString().slice(0, 10);
  await database.db.execute(sql`
    insert into schema_usage (merchant_id, authorized_app_id, day, operation, requests)
    values (${till.merchantId}, ${till.session.authorizedAppId}, ${`${day}T00:00:00Z`}, '', '{"Query.listProductTag": 7}')`);
}

async function createNamed(name: string): Promise<Context> {
  const app = await createContext(database.db);
  await database.db.execute(sql`
    update authorized_app set name = ${name} where merchant_id = ${app.merchantId} and id = ${app.session.authorizedAppId}`);
  return app;
}

type RunArguments = Parameters<typeof run> extends [string, ...infer Args] ? Args : never;

async function check(...args: RunArguments): Promise<{ code: number; text: string; stderr: string }> {
  const { code, stdout, stderr } = await run('check', '--sdl', sdl, ...args);
  return { code, text: normalized(stdout), stderr };
}

/** Replaces the dates and the folder by those of a run on 2026-11-22 with the SDL in `schema/`. */
function normalized(text: string): string {
  const [until, from] = [0, 29].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
  return `${text
    .replaceAll(sdl, 'schema')
    .replaceAll(`from ${from} until ${until}`, 'from 2026-10-24 until 2026-11-22')
    .replaceAll(`last on ${until}`, 'last on 2026-11-22')}\n`;
}

describe('schema:check of ten changes', () => {
  it('without usage refuses the five that break documents', async () => {
    const { code, text } = await check('--no-usage', { env: { SCHEMA_USAGE: file } });
    expect(code).toBe(1);
    await expect(text).toMatchFileSnapshot(`${EXPECTED}.txt`);
  });

  it('with usage refuses the three that would break an operation of an app, and prints the operations', async () => {
    const { code, text } = await check('--usage', database.url);
    expect(code).toBe(1);
    await expect(text).toMatchFileSnapshot(`${EXPECTED}-with-usage.txt`);
    expect(await check('--usage', file)).toEqual({ code, text, stderr: '' });
    // CI names the file by the variable.
    expect(await check({ env: { SCHEMA_USAGE: file } })).toEqual({ code, text, stderr: '' });
  });

  it('with usage is a comment for a review', async () => {
    const { text } = await check('--usage', file, '--format', 'markdown');
    await expect(text).toMatchFileSnapshot(`${EXPECTED}-with-usage.md`);
  });

  it('with usage is JSON, with the apps of each change and the operations', async () => {
    const report = JSON.parse((await check('--usage', file, '--format', 'json')).text) as object;
    expect(report).toMatchObject({
      refused: 3,
      breaking: 3,
      dangerous: 4,
      used: {
        countedDays: 30,
        operations: expect.arrayContaining([expect.objectContaining({ name: 'Stock' })]),
      },
      changes: expect.arrayContaining([
        expect.objectContaining({
          coordinate: 'Product.totalStock',
          usedBy: expect.arrayContaining([
            expect.objectContaining({ appName: 'Warehouse sync', requests: 3, operations: ['Stock'] }),
          ]),
        }),
        expect.objectContaining({ coordinate: 'Query.listProductTag', severity: 'dangerous', usedBy: [] }),
      ]),
    });
  });

  it('refuses a usage of one field, a file that is no usage, and a database that does not answer', async () => {
    await writeFile(
      join(folder, 'part.json'),
      JSON.stringify(await readUsage(database, { days: 30, coordinates: ['Product'] })),
    );
    await writeFile(join(folder, 'other.json'), '[]');
    for (const [source, message] of [
      [join(folder, 'part.json'), /Make it without FIELD/],
      [join(folder, 'other.json'), /other\.json: /],
      [join(folder, 'none.json'), /ENOENT/],
      [
        'postgres://user:secret@127.0.0.1:1/none',
        /^The usage cannot be read from the database at 127\.0\.0\.1:1: (?!.*secret)/,
      ],
    ] as const) {
      const { code, stderr } = await check('--usage', source);
      expect([source, code, stderr]).toEqual([source, 2, expect.stringMatching(message)]);
    }
  });

  it('counts every part as used if the usage ended more than 30 days ago', async () => {
    const [until, lastUse] = [31, 61].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
    const outdated = { ...(await readUsage(database, { days: 30 })), until, from: lastUse, countedSince: lastUse };
    await writeFile(join(folder, 'outdated.json'), JSON.stringify({ ...outdated, uses: [], operations: [] }));
    const { code, text } = await check('--usage', join(folder, 'outdated.json'));
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^5 breaking[^]*The usage ends on ${until}, more than 30 days ago, .* used\\.\\n$`),
      ),
    ]);
  });

  it('counts every part as used if there are no counts', async () => {
    const empty = { ...(await readUsage(database, { days: 30 })), countedSince: null, uses: [], operations: [] };
    await writeFile(join(folder, 'empty.json'), JSON.stringify(empty));
    const { code, text } = await check('--usage', join(folder, 'empty.json'));
    expect([code, text]).toEqual([1, expect.stringMatching(/^5 breaking[^]*every part counts as used\.\n$/)]);
  });

  it('keeps breaking what nobody used in fewer than 30 days, unless it is named', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const oneDay = { ...(await readUsage(database, { days: 30 })), from: today, countedSince: today };
    const source = join(folder, 'one-day.json');
    await writeFile(source, JSON.stringify({ ...oneDay, uses: [], operations: [] }));
    const { code, text } = await check('--usage', source);
    expect([code, text]).toEqual([1, expect.stringMatching(/^5 breaking[^]*: 1 of 30 days\. What nobody used/)]);
    const tag = 'Query.listProductTag';
    const allowed = await check('--usage', source, '--allow', 'Product.totalStock', tag);
    expect([allowed.code, allowed.text]).toEqual([1, expect.stringMatching(/^3 breaking, 4 dangerous/)]);
    const inCi = await check('--usage', source, { env: { SCHEMA_ALLOW: `Product.totalStock,${tag}` } });
    expect(inCi.text).toBe(allowed.text);
  });
});

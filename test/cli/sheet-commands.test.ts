import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run, type RunningProcess } from '../support/process.ts';
import { catalogue, exportText, generatedSheet, importText, sheetOf, untimed } from '../product-file/csv/sheets.ts';

/** More than two batches. */
const KILLED_PRODUCTS = 2_050;
const KILL_TIMEOUT_MS = 180_000;
const POLL_MS = 5;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commerce-import-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('npm run admin -- import', () => {
  it('prints only one line of JSON, and exits with 3 if something was skipped', async () => {
    const ctx = await createContext(database.db);
    const good = { Handle: 'a', Title: 'A', 'Variant Price': '1' };
    const file = await sheetFile('mixed.csv', sheetOf(good, { ...good, Handle: 'b', 'Variant Price': 'x' }));
    const first = await start('import', file, '--merchant', ctx.merchantId).finished;
    expect([first.code, first.stderr, first.stdout.split('\n').length]).toEqual([3, '', 2]);
    const reason = 'Variant Price must be a number such as 19.90, not "x"';
    expect(JSON.parse(first.stdout)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      imagesPending: 0,
      imagesRunning: 0,
      imagesFailed: 0,
      ignoredColumns: [],
      unknownNames: [],
      kept: [],
      skipped: [{ line: 3, row: 3, handle: 'b', reason, mistakes: [{ line: 3, row: 3, column: 'C', reason }] }],
    });
    const second = await admin('import', await sheetFile('good.csv', sheetOf(good)), '--merchant', ctx.merchantId);
    expect([second.code, JSON.parse(second.stdout)]).toMatchObject([0, { created: 0, unchanged: 1, skipped: [] }]);
  });

  it('exits with 1 and the reason if the file is not a sheet or does not exist, and with 2 without a file', async () => {
    const { merchantId } = await createContext(database.db);
    expect(await admin('import', await sheetFile('none.csv', 'a,b\n1,2\n'), '--merchant', merchantId)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no column Handle'),
    });
    expect(await admin('import', join(folder, 'absent.csv'), '--merchant', merchantId)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\S+absent\.csv cannot be opened: ENOENT.*\n$/),
    });
    expect(await admin('import')).toMatchObject({ code: 2, stdout: '' });
  });

  it(
    'can be repeated with the same result after it was killed, in a batch and between batches',
    { timeout: KILL_TIMEOUT_MS },
    async () => {
      const [ctx, whole] = [await createContext(database.db), await createContext(database.db)];
      const sheet = generatedSheet(KILLED_PRODUCTS);
      const file = await sheetFile('large.csv', sheet);
      await killed(start('import', file, '--merchant', ctx.merchantId), async () => await isWriting());
      await killed(
        start('import', file, '--merchant', ctx.merchantId),
        async () => (await countProducts(ctx)) >= 1_000,
      );
      const there = await countProducts(ctx);
      expect(there % 1_000).toBe(0);
      const { code, stdout } = await admin('import', file, '--merchant', ctx.merchantId);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { created: KILLED_PRODUCTS - there, updated: 0, unchanged: there, skipped: [] },
      ]);
      await importText(whole, sheet);
      expect(untimed(await exportText(ctx)) === untimed(await exportText(whole))).toBe(true);
      expect(JSON.stringify(await catalogue(ctx)) === JSON.stringify(await catalogue(whole))).toBe(true);
    },
  );
});

describe('npm run admin -- export', () => {
  it('writes the file, prints the number of products, and replaces an existing file', async () => {
    const ctx = await createContext(database.db);
    await importText(
      ctx,
      sheetOf({ Handle: 'a', Title: 'A', 'Variant Price': '1' }, { Handle: 'b', Title: 'B', 'Variant Price': '2' }),
    );
    const file = await sheetFile('out.csv', 'old');
    const { code, stdout, stderr } = await start('export', file, '--merchant', ctx.merchantId).finished;
    const answer = { products: 2, rows: 2, omitted: [], omittedCount: 0 };
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', { file, ...answer }]);
    expect(await readFile(file, 'utf8')).toBe(await exportText(ctx));
  });

  it('writes and reads JSON lines, and shows the differences without writing them', async () => {
    const ctx = await createContext(database.db);
    await importText(ctx, sheetOf({ Handle: 'a', Title: 'A', 'Variant Price': '1' }));
    const file = join(folder, 'out.jsonl');
    expect(await admin('export', file, '--merchant', ctx.merchantId)).toMatchObject({ code: 0 });
    const changed = await sheetFile('new.jsonl', (await readFile(file, 'utf8')).replace('"name":"A"', '"name":"B"'));
    const shown = await admin('import', changed, '--dry-run', '--merchant', ctx.merchantId);
    const [difference, counts] = shown.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(difference).toMatchObject({ handle: 'a', members: [{ member: 'name', old: 'A', new: 'B' }] });
    expect([shown.code, counts]).toMatchObject([0, { updated: 1, dryRun: true }]);
    const [product] = (await catalogue(ctx)) as { name: string }[];
    expect(product!.name).toBe('A');
    expect(await admin('import', changed, '--keep', 'oldest')).toMatchObject({ code: 2 });
    await database.db.execute(
      sql`update product set updated_at = clock_timestamp() where merchant_id = ${ctx.merchantId}`,
    );
    const newer = await admin('import', changed, '--dry-run', '--merchant', ctx.merchantId);
    expect(newer.code).toBe(3);
    expect(JSON.parse(newer.stdout.split('\n')[0]!)).toMatchObject({
      handle: 'a',
      outcome: 'SKIPPED',
      reason: expect.stringContaining('has been changed in the shop'),
      members: [{ member: 'name', old: 'A', new: 'B' }],
    });
  });
});

async function sheetFile(name: string, sheet: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, sheet);
  return path;
}

function start(...args: string[]): RunningProcess {
  return run('src/cli/admin.ts', args, environment());
}

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, SECRET_KEY: '00'.repeat(32) };
}

async function admin(...args: string[]): Promise<Finished> {
  return await runCommand(args, environment());
}

/** Kills the process with SIGKILL as soon as the condition holds. */
async function killed({ child, finished }: RunningProcess, isFarEnough: () => Promise<boolean>): Promise<void> {
  while (child.exitCode === null && !(await isFarEnough())) await sleep(POLL_MS);
  child.kill('SIGKILL');
  expect(await finished).toMatchObject({ signal: 'SIGKILL' });
}

/** True while the command's connection is writing a batch. */
async function isWriting(): Promise<boolean> {
  const rows = await database.db.execute(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'commerce-administration-admin' and xact_start is not null and query ilike '%insert into%'`);
  return rows.length > 0;
}

async function countProducts({ merchantId }: Context): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from product where merchant_id = ${merchantId}`,
  );
  return row!.count;
}

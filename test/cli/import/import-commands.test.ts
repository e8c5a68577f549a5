import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { noise } from '../../image/pictures.ts';
import { exportText, generatedSheet, importText, sheetOf } from '../../product-file/csv/sheets.ts';
import { runCommand } from '../../support/command.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Finished, programFile, run, type RunningProcess } from '../../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const POLL_MS = 5;
/** Their sheet does not fit into the buffers of a pipe. On average each has two variants. */
const PRODUCTS = 1_002;
/** More than two batches. */
const INTERRUPTED_PRODUCTS = 2_100;
const STATEMENT_TIMEOUT_MS = 2_400;
/** Longer than a statement may take, with the time for its answer. */
const PAUSE_MS = 9_000;

let database: TestDatabase;
let folder: string;
let ctx: Context;
/** Has many products. */
let exporting: Context;
/** An export whose reader pauses while the commands of other tests run. */
let paused: RunningProcess;
let pauseEnded: Promise<void>;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commerce-import-'));
  ctx = exporting = await createContext(database.db);
  await importText(ctx, generatedSheet(PRODUCTS));
  paused = start(['export', '-'], { STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS) });
  await vi.waitUntil(() => paused.stdout() !== '', { timeout: 30_000 });
  paused.child.stdout!.pause();
  pauseEnded = sleep(PAUSE_MS);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function start(args: string[], settings: Record<string, string> = {}): RunningProcess {
  return run('src/cli/admin.ts', commandLine(args), environment(settings));
}

function commandLine(args: string[]): string[] {
  return [...args, '--merchant', ctx.merchantId];
}

function environment(settings: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    SECRET_KEY: '00'.repeat(32),
    STORAGE_URL: `file://${folder}/images`,
    ...settings,
  };
}

async function commerce(...args: string[]): Promise<Finished> {
  return await runCommand(commandLine(args), environment());
}

async function file(name: string, text: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function countProducts(): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from product where merchant_id = ${ctx.merchantId}`,
  );
  return row!.count;
}

const tee = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1' };

describe('commerce import', () => {
  it('ends after a batch when it is interrupted, says how many products are written, and goes on later', async () => {
    ctx = await createContext(database.db);
    const path = await file('large.csv', generatedSheet(INTERRUPTED_PRODUCTS));
    const running = start(['import', path]);
    while ((await countProducts()) < 1_000) await sleep(POLL_MS);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.finished;
    const written = await countProducts();
    expect(written).toBeLessThan(INTERRUPTED_PRODUCTS);
    expect([code, stderr]).toEqual([
      130,
      `Interrupted: ${written} products written. Run the same command again to go on.\n`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ created: written, skipped: [], interrupted: true });
    const again = await commerce('import', path);
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
      0,
      { created: INTERRUPTED_PRODUCTS - written, unchanged: written, updated: 0, skipped: [] },
    ]);
    expect(again.stdout).not.toContain('interrupted');
  });

  it('fails if the reader of a dry run goes away', async () => {
    ctx = await createContext(database.db);
    const { child, finished } = start(['import', await file('large.csv', generatedSheet(PRODUCTS)), '--dry-run']);
    child.stdout!.once('data', () => child.stdout!.destroy());
    expect((await finished).code).toBe(1);
  });

  it('does not take the end of its input after an interruption for the end of the sheet', async () => {
    ctx = await createContext(database.db);
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, SECRET_KEY: '00'.repeat(32) };
    const args = [programFile('src/cli/admin.ts'), 'import', '-', '--merchant', ctx.merchantId];
    const importing = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    importing.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    importing.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => importing.once('close', resolve));
    // A batch of 1,000 is written when the next product is complete. The last one may go on.
    importing.stdin.write(sheetOf(...Array.from({ length: 1_010 }, (_, index) => ({ ...tee, Handle: `p-${index}` }))));
    while ((await countProducts()) < 1_000) await sleep(POLL_MS);
    importing.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(output.stderr).toContain('Interrupted: 1000 products written.');
    expect(JSON.parse(output.stdout)).toMatchObject({ created: 1_000, interrupted: true });
    expect(await countProducts()).toBe(1_000);
  });

  it('reads a file once before, and skips both parts of a product whose rows are in different batches', async () => {
    ctx = await createContext(database.db);
    const path = join(folder, 'torn.csv');
    const row = (handle: string) => ({ Handle: handle, Title: handle, 'Variant Price': '1' });
    const between = Array.from({ length: 1_000 }, (_, index) => row(`p${index}`));
    await writeFile(path, sheetOf(row('tee'), ...between, row('tee')));
    const { code, stdout } = await commerce('import', path, '--json');
    const skipped = [2, 1_003].map((line) => ({ line, handle: 'tee' }));
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { created: 1_000, skipped }]);
  });

  it('refuses an encoding and a folder of pictures that there are not, before it imports anything', async () => {
    ctx = await createContext(database.db);
    const path = await file('good.csv', sheetOf(tee));
    expect(await commerce('import', path, '--encoding', 'nonsense')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: option '--encoding <name>' argument 'nonsense' is invalid. .*\n$/),
    });
    expect(await commerce('import', path, '--pictures', join(folder, 'typo'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\S+typo cannot be opened: ENOENT.*\n$/),
    });
    expect(await countProducts()).toBe(0);
  });

  it('prints what it has imported although the pictures cannot be stored', async () => {
    ctx = await createContext(database.db);
    const pictures = join(folder, 'unstored');
    await mkdir(pictures);
    await writeFile(join(pictures, 'tee.png'), await noise(20, 10).png().toBuffer());
    const path = await file('stored.csv', sheetOf(tee));
    const args = commandLine(['import', path, '--pictures', pictures]);
    const { code, stdout, stderr } = await runCommand(args, environment({ STORAGE_URL: `file://${path}` }));
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { created: 1, skipped: [] }]);
    expect(stderr).toMatch(/^The pictures could not be added: /m);
  });

  it('prints counts instead of the products with --summary', async () => {
    ctx = await createContext(database.db);
    await importText(ctx, sheetOf(tee, { ...tee, Handle: 'mug' }));
    const path = await file('changed.csv', sheetOf({ ...tee, Title: 'T' }, { ...tee, Handle: 'mug', Title: 'M' }));
    const { code, stdout } = await commerce('import', path, '--dry-run', '--summary');
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
    expect(JSON.parse(stdout)).toMatchObject({
      updated: 2,
      dryRun: true,
      changedMembers: [{ member: 'name', products: 2, example: 'tee' }],
    });
  });

  it('adds the good pictures of a folder, names the others, and exits with 3', async () => {
    ctx = await createContext(database.db);
    const pictures = join(folder, 'pictures');
    await mkdir(pictures);
    await writeFile(join(pictures, 'mug.png'), 'no picture');
    await writeFile(join(pictures, 'tee.png'), await noise(20, 10).png().toBuffer());
    await writeFile(join(pictures, 'nobody.png'), 'no picture');
    const path = await file('two.csv', sheetOf(tee, { ...tee, Handle: 'mug' }));
    const { code, stdout, stderr } = await start(['import', path, '--pictures', pictures]).finished;
    expect([code, stderr]).toEqual([3, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      created: 2,
      picturesAdded: 1,
      picturesFailed: [{ file: 'mug.png', reason: expect.stringContaining('must be a JPEG') }],
      picturesWithoutProduct: ['nobody.png'],
      picturesRepeated: [],
    });
  });
});

describe('commerce import status', () => {
  it('lists the failed and the running downloads of the merchant, and so does the next import', async () => {
    ctx = await createContext(database.db);
    const sheet = sheetOf(
      { ...tee, 'Image Src': 'https://pictures.example/1.jpg' },
      { ...tee, Handle: 'mug', 'Image Src': 'https://pictures.example/2.jpg' },
    );
    const path = await file('images.csv', sheet);
    const first = await commerce('import', path);
    expect(JSON.parse(first.stdout)).toMatchObject({ imagesPending: 2, imagesRunning: 2, imagesFailed: 0 });
    await database.db.execute(sql`
      update bulk_operation_image set state = 'FAILED', error = 'gone'
      where merchant_id = ${ctx.merchantId} and url like '%1.jpg'`);
    const { code, stdout } = await commerce('import', 'status', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        running: 1,
        failed: 1,
        workers: 0,
        pictures: [{ state: 'FAILED', handle: 'tee', error: 'gone' }, { handle: 'mug' }],
      },
    ]);
    const limited = await commerce('import', 'status', '--limit', '1');
    expect((JSON.parse(limited.stdout) as { pictures: object[] }).pictures).toHaveLength(1);
    const again = await commerce('import', path);
    expect(JSON.parse(again.stdout)).toMatchObject({ imagesPending: 0, imagesRunning: 1, imagesFailed: 1 });
  });

  it('refuses an unknown merchant', async () => {
    const { code, stderr } = await runCommand(['import', 'status', '--merchant', 'nobody'], environment());
    expect([code, stderr]).toEqual([1, expect.stringContaining('Merchant not found')]);
  });
});

describe('commerce export', () => {
  it('writes a sheet for Excel with --excel, and the same bytes as before without it', async () => {
    ctx = await createContext(database.db);
    await importText(ctx, sheetOf(tee));
    const path = join(folder, 'out.csv');
    expect((await commerce('export', path)).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(await exportText(ctx));
    expect((await commerce('export', path, '--excel')).code).toBe(0);
    const sheet = await readFile(path, 'utf8');
    expect(sheet.startsWith('\ufeffHandle,Title,')).toBe(true);
    expect(sheet).not.toContain('Vendor');
    expect(JSON.parse((await commerce('import', path)).stdout)).toMatchObject({ unchanged: 1, skipped: [] });
    expect((await commerce('export', '-', '--excel')).stdout).toBe(sheet);
    expect(await commerce('export', join(folder, 'out.jsonl'), '--excel')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--excel is for CSV'),
    });
  });

  it('refuses --semicolons without --excel', async () => {
    const { code, stderr } = await commerce('export', join(folder, 'none.csv'), '--semicolons');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--semicolons is given together with --excel')]);
  });

  it('waits for a reader that pauses for longer than a transaction of a request may be idle', async () => {
    await pauseEnded;
    paused.child.stdout!.resume();
    const { code, stderr } = await paused.finished;
    expect([code, stderr]).toEqual([0, `${PRODUCTS} products, ${PRODUCTS * 2} rows\n`]);
  });

  it('says in one line that the database has closed the connection', async () => {
    ctx = exporting;
    const running = start(['export', '-']);
    await vi.waitFor(() => expect(running.stdout()).not.toBe(''), { timeout: 30_000 });
    running.child.stdout!.pause();
    await database.owner.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'commerce-administration-admin'`);
    running.child.stdout!.resume();
    const { code, stderr } = await running.finished;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database cannot be reached: .*\n$/)]);
  });

  it('leaves nothing behind when it is interrupted, and says so', async () => {
    ctx = exporting;
    const path = await file('kept.csv', 'before');
    const running = start(['export', path]);
    while (!(await readdir(folder)).some((name) => name.endsWith('.unfinished'))) await sleep(POLL_MS);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.finished;
    expect([code, stdout, stderr]).toEqual([
      130,
      '',
      `Interrupted: nothing is written, and ${path} is as it was before.\n`,
    ]);
    expect(await readFile(path, 'utf8')).toBe('before');
    expect((await readdir(folder)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });
});

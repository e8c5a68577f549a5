import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { copyReceipts, countUncopied } from '../../../src/customer/erasure/copy-receipts.ts';
import { eraseCustomerList } from '../../../src/customer/eraseCustomerList.ts';
import { openErasureLog } from '../../../src/customer/erasure/erasure-log.ts';
import { repeatErasures } from '../../../src/customer/erasure/repeat-erasures.ts';
import { listErasure } from '../../../src/customer/listErasure.ts';
import { saveCustomer } from '../../../src/customer/saveCustomer.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { openFolderStorage } from '../../../src/image/folder-storage.ts';
import { runCommand } from '../../support/command.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, createEmptyDatabase, openDatabase, type TestDatabase } from '../../support/database.ts';
import { type Finished, run } from '../../support/process.ts';
import { person } from './person.ts';
import { tablesWith } from './tables-with.ts';

vi.setConfig({ testTimeout: 180_000 });

const MARK = 'kwzq1';
const RECEIPT = { data: { id: {}, customerIds: {}, createdAt: {} }, count: {} };

let folder: string;
let older: TestDatabase;
let live: TestDatabase;
let ctx: Context;
let ids: string[];

const save = async (in_: Context, input: object) => (await saveCustomer(in_, { input: input as never }, { id: {} })).id;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-erasures-'));
  const first = await createDatabase();
  const before = await createContext(first.db);
  ids = [await save(before, person(MARK)), await save(before, { firstName: 'Stays' })];
  await first.close();
  // A copy needs that nobody is connected; it is what a dump of this moment would bring back.
  live = openDatabase(await createEmptyDatabase(new URL(first.url).pathname.slice(1)));
  older = openDatabase(first);
  ctx = { ...before, db: live.db };
});
afterAll(async () => {
  await live.drop();
  await older.drop();
  await rm(folder, { recursive: true });
});

async function commerce(database: TestDatabase, ...args: string[]) {
  return answerIn(await runCommand(['customer', ...args], environment(database)));
}

function environment({ url }: TestDatabase): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    STORAGE_URL: `file://${folder}/pictures`,
  };
}

function answerIn({ code, stdout, stderr }: Finished) {
  return { code, stderr, answer: stdout.startsWith('{') || stdout.startsWith('[') ? JSON.parse(stdout) : stdout };
}

it('a restored database forgets again whom the receipts name', async () => {
  const since = await save(ctx, person(MARK));
  await eraseCustomerList(ctx, { idList: [ids[0]!, since] }, { id: {} });
  const { data: receipts } = await listErasure(ctx, {}, RECEIPT);
  const file = join(folder, 'erasures.log');
  const work = { db: live.db, across: live.across };
  expect(await copyReceipts(work, openErasureLog(file, openFolderStorage(folder)))).toBe(1);
  expect(await copyReceipts(work, openErasureLog(file, openFolderStorage(folder)))).toBe(0);
  expect(await countUncopied(work)).toBe(0);
  expect(await readFile(file, 'utf8')).not.toContain(MARK);
  expect(await tablesWith(older.owner, [MARK])).not.toEqual([]);

  await writeFile(
    file,
    `${JSON.stringify({ merchantId: newId(), id: newId(), customerIds: [newId()], createdAt: 1 })}\n`,
    { flag: 'a' },
  );
  const shown = await commerce(older, 'erase', '--from', file, '--dry-run');
  expect(shown).toMatchObject({ code: 0, answer: { erased: 1, dryRun: true, receiptIds: [] } });
  expect(await tablesWith(older.owner, [MARK])).not.toEqual([]);
  const running = run('src/cli/admin.ts', ['customer', 'erase', '--from', file], environment(older));
  expect(answerIn(await running.finished)).toMatchObject({
    code: 0,
    answer: { erased: 1, alreadyErased: 0, unknownIds: [since], blockedIds: [], receiptIds: [receipts[0]!.id] },
  });
  expect(await tablesWith(older.owner, [MARK])).toEqual([]);
  const { data: restored } = await listErasure({ ...ctx, db: older.db }, {}, RECEIPT);
  expect(restored).toEqual([{ ...receipts[0], customerIds: [ids[0]] }]);
  expect(await commerce(older, 'erase', '--from', file)).toMatchObject({ answer: { erased: 0, alreadyErased: 1 } });
  expect((await commerce(older, 'erasures', '--since', '2020-01-01', '--json')).answer).toMatchObject([
    { id: receipts[0]!.id, customerIds: [ids[0]] },
  ]);
});

it('a dry run rolls back each slice, so that it locks few customers at a time', async () => {
  const rows = await live.db.execute<{ id: string }>(sql`
    insert into customer (merchant_id, first_name)
    select ${ctx.merchantId}, 'Kept ' || n from generate_series(1, 150) as n returning id`);
  const { statements } = live;
  statements.length = 0;
  const done = await repeatErasures(
    ctx,
    rows.map(({ id }) => id),
    { isDryRun: true },
  );
  expect(done).toMatchObject({ erased: 150, receiptIds: [] });
  const ends = statements.filter((text) => /^(begin|savepoint|commit|rollback)/.test(text));
  expect(ends.map((text) => text.split(' ')[0])).toEqual(['begin', 'rollback', 'begin', 'rollback']);
  const kept = await live.db.execute(sql`
    select from customer where merchant_id = ${ctx.merchantId} and first_name like 'Kept %'`);
  expect(kept).toHaveLength(150);
});

it('names lines of the receipts that cannot be read, and repeats the others', async () => {
  const id = await save(ctx, { firstName: 'Behind a torn line' });
  const file = join(folder, 'torn.log');
  const receipt = JSON.stringify({ merchantId: ctx.merchantId, id: newId(), customerIds: [id], createdAt: 1 });
  await writeFile(file, `${receipt.slice(0, 60)}\n\n${receipt}\n{"id":1}\nTee\n`);
  const shown = await commerce(live, 'erase', '--from', file, '--dry-run');
  expect(shown).toMatchObject({ code: 1, answer: { erased: 1, unreadableLines: ['line 1', 'line 4', 'line 5'] } });
  const repeated = await commerce(live, 'erase', '--from', file);
  expect(repeated).toMatchObject({ code: 1, answer: { erased: 1, unreadableLines: ['line 1', 'line 4', 'line 5'] } });
  expect(repeated.stderr).toBe(
    `Not erased: 3 lines of ${file} are no receipt and no id of a customer: line 1, line 4, line 5\n`,
  );
});

it('counts the receipts that it leaves out, and refuses a merchant that is not there', async () => {
  const file = join(folder, 'others.log');
  const receipt = (merchantId: string) =>
    `${JSON.stringify({ merchantId, id: newId(), customerIds: [newId()], createdAt: 1 })}\n`;
  await writeFile(file, receipt(newId()) + receipt(ctx.merchantId));
  expect(await commerce(live, 'erase', '--from', file, '--dry-run')).toMatchObject({
    code: 0,
    answer: { otherReceipts: 1 },
    stderr: `Receipts of ${file} that were left out, because the database does not have their merchants: 1\n`,
  });
  const [mistyped, own] = [newId(), ['--merchant', ctx.merchantId]];
  expect(await commerce(live, 'erase', '--from', file, '--merchant', mistyped)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(mistyped),
  });
  expect((await commerce(live, 'erase', '--from', file, '--dry-run', ...own)).stderr).toBe(
    `Receipts of ${file} that were left out, because they are of other merchants: 1\n`,
  );
});

it('receipts in the store of the pictures are repeated too', async () => {
  const id = await save(ctx, { firstName: 'Stored' });
  await eraseCustomerList(ctx, { idList: [id, ids[1]!] }, { id: {} });
  const log = openErasureLog('storage', openFolderStorage(join(folder, 'pictures')));
  await copyReceipts({ db: live.db, across: live.across }, log);
  expect(await commerce(older, 'erase', '--from', 'storage')).toMatchObject({ code: 0, answer: { erased: 1 } });
});

it('the command writes all that is held of a person, and erases by ids', async () => {
  const id = await save(ctx, person('kwzq2'));
  const merchant = ['--merchant', ctx.merchantId];
  const file = join(folder, 'person.json');
  expect(await commerce(live, 'export', id, file, ...merchant)).toMatchObject({ code: 0 });
  const exported = JSON.parse(await readFile(file, 'utf8'));
  expect(exported).toMatchObject({
    customer: { id, email: 'mail-kwzq2@example.com' },
    erasure: null,
    webhookDeliveries: [],
  });
  expect(exported.changes).toMatchObject([{ kind: 'CREATED', number: 1 }]);
  expect((await commerce(live, 'export', newId(), file, ...merchant)).code).toBe(1);
  const held = await save(ctx, { firstName: 'Held', erasureBlockedUntil: Date.now() + 60_000 });
  const unknown = newId();
  expect(await commerce(live, 'erase', id, held, unknown, ...merchant)).toMatchObject({
    code: 1,
    answer: { erased: 1, blockedIds: [held], unknownIds: [unknown] },
  });
  expect(await commerce(live, 'erase', ...merchant)).toMatchObject({ code: 2 });
  expect(await tablesWith(live.owner, ['kwzq2'])).toEqual([]);
});

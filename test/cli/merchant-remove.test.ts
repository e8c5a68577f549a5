import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import { listMerchants } from '../../src/merchant/list-merchants.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { run } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let folder: string;
let log: string;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commerce-removal-'));
  log = join(folder, 'erasures.log');
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} });
  // A removal waits for the requests of apps that were revoked a minute ago or later.
  await database.db.execute(sql`
    update authorized_app set revoked_at = now() - interval '2 minutes', deleted = true
    where merchant_id = ${ctx.merchantId}`);
  await rm(log, { force: true });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function commerce(args: string[], erasureLog: string | undefined = log) {
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    STORAGE_URL: `file://${folder}/pictures`,
    ERASURE_LOG: erasureLog,
  };
  const { code, stdout, stderr } = await run('src/cli/admin.ts', args, env).finished;
  return { code, stderr, answer: stdout === '' ? null : JSON.parse(stdout) };
}

async function isThere(): Promise<boolean> {
  return (await listMerchants(database)).some(({ merchantId }) => merchantId === ctx.merchantId);
}

const receipt = () => JSON.stringify({ merchantId: ctx.merchantId, removedAt: 1 });

describe('commerce merchant remove', () => {
  it('removes a merchant, says what, and leaves a receipt', async () => {
    const { code, answer } = await commerce(['merchant', 'remove', ctx.merchantId, '--yes']);
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: { merchantId: ctx.merchantId, rows: { customer: 1, authorized_app: 1, merchant: 1 }, objects: 0 },
    });
    expect(await isThere()).toBe(false);
    expect(JSON.parse(await readFile(log, 'utf8'))).toEqual({
      merchantId: ctx.merchantId,
      removedAt: expect.any(Number),
    });
    expect(await commerce(['merchant', 'remove', ctx.merchantId, '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_FOUND'),
    });
  });

  it('removes what a request has written after the row of the merchant was gone', async () => {
    await commerce(['merchant', 'remove', ctx.merchantId, '--yes']);
    await database.db.execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'Late')`);
    const repeated = await commerce(['merchant', 'remove', ctx.merchantId]);
    expect(repeated).toMatchObject({ code: 0, answer: { rows: { customer: 1 } } });
  });

  it('removes nothing without --yes if nobody can be asked', async () => {
    expect(await commerce(['merchant', 'remove', ctx.merchantId])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Without a terminal this needs --yes.'),
    });
    expect(await isThere()).toBe(true);
  });

  it('removes nothing if the receipt cannot be written', async () => {
    const { code } = await commerce(['merchant', 'remove', ctx.merchantId, '--yes'], join(folder, 'missing/log'));
    expect(code).toBe(1);
    expect(await isThere()).toBe(true);
  });

  it('removes nothing if the storage of the pictures belongs to another database', async () => {
    const owner = { server: '1', database: '1', name: 'original', transaction: '1' };
    await mkdir(join(folder, 'pictures'), { recursive: true });
    await writeFile(join(folder, 'pictures/owner.json'), JSON.stringify(owner));
    const { code, stderr } = await commerce(['merchant', 'remove', ctx.merchantId, '--yes']);
    await rm(join(folder, 'pictures'), { recursive: true });
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another database (original')]);
    expect(await isThere()).toBe(true);
  });

  it('knows no merchant with another id', async () => {
    expect(await commerce(['merchant', 'remove', newId(), '--yes'])).toMatchObject({ code: 1, answer: null });
    expect(await commerce(['merchant', 'remove', 'x', '--yes'])).toMatchObject({ code: 1, answer: null });
  });
});

describe('after a restore, commerce customer erase --from', () => {
  it.each(['a file', 'storage'])('removes the merchant again that a receipt in %s names', async (place) => {
    const target = place === 'storage' ? place : log;
    if (place === 'storage') {
      // The receipt of a removal, and the merchant again.
      const [row] = await database.db.execute<{ copy: string }>(sql`
        select row_to_json(m)::text as copy from merchant m where merchant_id = ${ctx.merchantId}`);
      await commerce(['merchant', 'remove', ctx.merchantId, '--yes'], 'storage');
      await database.db.execute(sql`
        insert into merchant select * from json_populate_record(null::merchant, ${row!.copy}::json)`);
    } else await writeFile(log, `${receipt()}\n`);
    const shown = await commerce(['customer', 'erase', '--from', target, '--dry-run']);
    expect(shown).toMatchObject({ code: 0, answer: { removedMerchants: [ctx.merchantId], unreadableLines: [] } });
    expect(await isThere()).toBe(true);
    const repeated = await commerce(['customer', 'erase', '--from', target]);
    expect(repeated).toMatchObject({ code: 0, answer: { removedMerchants: [ctx.merchantId] } });
    expect(await isThere()).toBe(false);
    const again = await commerce(['customer', 'erase', '--from', target]);
    expect(again).toMatchObject({ code: 0, answer: { removedMerchants: [], otherReceipts: 0 } });
  });

  it('does not erase the customers of a removed merchant one by one', async () => {
    const erased = JSON.stringify({ merchantId: ctx.merchantId, id: newId(), customerIds: [newId()], createdAt: 1 });
    await writeFile(log, `${erased}\n${receipt()}\n`);
    const { answer } = await commerce(['customer', 'erase', '--from', log]);
    expect(answer).toMatchObject({ unknownIds: [], otherReceipts: 0, removedMerchants: [ctx.merchantId] });
  });
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { conflictsText, revertText } from '../../src/cli/history/revert-text.ts';
import type { Context } from '../../src/context.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run, type RunningProcess } from '../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const RECORDS = 1_200;
/** More than two slices. */
const INTERRUPTED_RECORDS = 2_200;

let database: TestDatabase;
let env: Record<string, string>;
let own: Context;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  own = await createContext(database.db);
});
afterAll(() => database.drop());

function start(...args: string[]): RunningProcess {
  return run('src/cli/admin.ts', commandLine(args), env);
}

function commandLine(args: string[]): string[] {
  return [...args, '--merchant', own.merchantId];
}

async function commerce(...args: string[]): Promise<Finished> {
  return await runCommand(commandLine(args), env);
}

const ownRows = () => sql`merchant_id = ${own.merchantId}`;

async function names(): Promise<string[]> {
  const rows = await database.owner.execute<{ name: string }>(
    sql`select distinct name from product_tag where ${ownRows()} order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe('commerce revert', () => {
  it('takes a transaction of any size back, after a dry run, and refuses what was changed since', async () => {
    await database.owner.execute(
      sql`insert into product_tag (merchant_id, name) select ${own.merchantId}, 'tag ' || n from generate_series(1, ${RECORDS}::integer) n`,
    );
    const before = await names();
    await database.owner.execute(sql`update product_tag set name = 'bad ' || name where ${ownRows()}`);
    const history = await commerce('history', 'tag', 'bad tag 7');
    const [{ changeSet }] = JSON.parse(history.stdout);

    const planned = await commerce('revert', changeSet.id, '--dry-run');
    expect(planned).toMatchObject({ code: 0 });
    // What a bulk operation would take back is only counted, and the operation is rolled back.
    expect(JSON.parse(planned.stdout)).toEqual({
      recordCount: RECORDS,
      records: [],
      erasedCustomerIds: [],
      dryRun: true,
    });
    expect((await names())[0]).toContain('bad');

    const done = await start('revert', changeSet.id).finished;
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ recordCount: RECORDS, errors: [] });
    expect(await names()).toEqual(before);

    const again = await commerce('revert', changeSet.id);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ recordCount: 0 });

    await database.owner.execute(sql`update product_tag set name = 'later' where ${ownRows()} and name = 'tag 7'`);
    const refused = await commerce('revert', JSON.parse(done.stdout).changeSetId);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('name: "tag 7" was expected, "later" was found');
  });

  it('is a wrong call unless it names exactly one of a change set, a bulk operation and changes', async () => {
    for (const args of [[], ['A', '--change', 'B'], ['--bulk-operation', 'A', '--change', 'B']])
      expect(await commerce('revert', ...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: 'error: give a change set, or --bulk-operation, or --change\n',
      });
  });

  it('takes an import back, and leaves what else was changed in its products', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'commerce-revert-'));
    const imported = async (count: number, name: string, price: number): Promise<void> => {
      const rows = Array.from({ length: count }, (_, n) => `h-${n},${name} ${n},sku-${n},${price}`);
      const file = join(folder, `${name}.csv`);
      await writeFile(file, ['Handle,Title,Variant SKU,Variant Price', ...rows].join('\n'));
      expect(await commerce('import', file)).toMatchObject({ code: 0 });
    };
    const shop = async () =>
      await database.owner.execute(sql`
        select p.id, p.name, v.sku, v.prices from product p
        join variant v on v.merchant_id = p.merchant_id and v.product_id = p.id
        where p.merchant_id = ${own.merchantId} and not p.deleted order by p.id`);
    await imported(RECORDS / 2, 'Good', 10);
    const before = await shop();
    await imported(RECORDS, 'Bad', 99);
    await database.owner.execute(
      sql`update product set description = 'later' where ${ownRows()} and name in ('Bad 7', ${`Bad ${RECORDS - 1}`})`,
    );
    const [{ changeSet }] = JSON.parse((await commerce('history', 'product', 'Bad 8')).stdout);
    expect(changeSet.operation).toBe('commerce import');
    expect(JSON.parse((await commerce('revert', changeSet.id)).stdout)).toMatchObject({
      recordCount: RECORDS,
      errors: [],
    });
    expect(await shop()).toEqual(before);
    const later = await database.owner.execute(
      sql`select name, deleted from product where ${ownRows()} and description = 'later' order by name`,
    );
    expect([...later]).toEqual([
      { name: `Bad ${RECORDS - 1}`, deleted: true },
      { name: 'Good 7', deleted: false },
    ]);
    await rm(folder, { recursive: true });
  });

  it('ends after a slice when it is interrupted, says what is left, and goes on later', async () => {
    own = await createContext(database.db);
    await database.owner.execute(
      sql`insert into product_tag (merchant_id, name) select ${own.merchantId}, 'tag ' || n from generate_series(1, ${INTERRUPTED_RECORDS}::integer) n`,
    );
    await database.owner.execute(sql`update product_tag set name = 'bad ' || name where ${ownRows()}`);
    const [{ changeSet }] = JSON.parse((await commerce('history', 'tag', 'bad tag 7')).stdout);
    const running = start('revert', changeSet.id);
    await vi.waitUntil(() => running.stderr().includes(`1000 of ${INTERRUPTED_RECORDS} records`), 60_000);
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.finished;
    const { recordCount, bulkOperationId, changeSetId, interrupted } = JSON.parse(stdout);
    expect({ code, interrupted }).toEqual({ code: 130, interrupted: true });
    expect(recordCount).toBeLessThan(INTERRUPTED_RECORDS);
    expect(stderr).toContain(
      `Interrupted: ${recordCount} of ${INTERRUPTED_RECORDS} records are taken back. A running service goes on with the others (bulk operation ${bulkOperationId}), as the same command does. Afterwards take this back with: commerce revert ${changeSetId}\n`,
    );
    const again = await commerce('revert', changeSet.id);
    expect(JSON.parse(again.stdout)).toEqual({
      changeSetId,
      bulkOperationId,
      recordCount: INTERRUPTED_RECORDS,
      records: [],
      erasedCustomerIds: [],
      errors: [],
    });
    expect((await names()).filter((name) => name.startsWith('bad'))).toEqual([]);
  });

  it('names an unknown change set', async () => {
    const unknown = '01890000-0000-7000-8000-000000000000';
    expect(await commerce('revert', unknown)).toMatchObject({ code: 1, stderr: expect.stringContaining(unknown) });
  });
});

describe('the text of a revert', () => {
  it('has the members of each record, and the command that takes the revert back', () => {
    const members = [{ path: 'name', before: '"b"', after: '"a"' }];
    const result = {
      changeSetId: 's',
      recordCount: 1,
      bulkOperationId: null,
      records: [{ recordType: 'PRODUCT' as const, recordId: 'p', members }],
      erasedCustomerIds: [],
    };
    expect(revertText(result, { columns: 80, isDryRun: false })).toBe(
      'PRODUCT p\n    name: "b" → "a"\n1 record taken back; take this back with: commerce revert s\n',
    );
    expect(revertText({ ...result, recordCount: 0, records: [] }, { columns: 80, isDryRun: false })).toBe(
      '0 records taken back\n',
    );
    expect(revertText(result, { columns: 80, isDryRun: true })).toContain('1 record would be taken back\n');
    expect(revertText({ ...result, erasedCustomerIds: ['c'] }, { columns: 80, isDryRun: true })).toContain(
      'left: CUSTOMER.c: the customer is erased\n1 record would be taken back\n',
    );
  });

  it('says how many conflicts are not listed', () => {
    const conflict = { recordType: 'PRODUCT' as const, recordId: 'p', path: 'name', expected: null, found: '"a"' };
    expect(conflictsText([conflict], 3)).toBe('PRODUCT p name: - was expected, "a" was found\nand 2 more');
  });
});

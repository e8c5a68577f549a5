import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { historyText } from '../../src/cli/history/history-text.ts';
import type { Context } from '../../src/context.ts';
import type { Change } from '../../src/graphql/generated/types.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { type Finished, run } from '../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let env: Record<string, string>;
let own: Context;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  own = await createContext(database.db);
  const server = await startOperations(database.db);
  const variants = [{ sku: 'SKU-1', prices: [{ sellPrice: 5 }] }];
  const input = { name: '=Mug', type: 'PHYSICAL', variants };
  const { data } = await server.call(own, 'saveProduct', { input }, { 'x-actor': 'Zo%C3%AB' });
  const { id } = (data as { saveProduct: { id: string } }).saveProduct;
  await database.owner.execute(
    sql`update product set description = ${'long '.repeat(60)} where merchant_id = ${own.merchantId} and id = ${id}`,
  );
  await server.stop();
});
afterAll(() => database.drop());

async function commerce(...args: string[]): Promise<Finished> {
  return await runCommand([...args, '--merchant', own.merchantId], env);
}

describe('commerce history', () => {
  it.each(['SKU-1', 'mug', '=Mug'])('finds a product by %s', async (record) => {
    const { code, stdout, stderr } = await commerce('history', 'product', record);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [later, created] = JSON.parse(stdout) as Change[];
    expect(later).toMatchObject({ kind: 'UPDATED', members: [{ path: 'description', before: null }] });
    expect(created).toMatchObject({
      kind: 'CREATED',
      changeSet: { operation: 'saveProduct', actor: 'Zoë', app: { name: 'Test' } },
    });
  });

  it('prints a sheet, without cells that a spreadsheet would calculate', async () => {
    const args = ['history', 'product', 'SKU-1', '--csv', '--merchant', own.merchantId];
    const { code, stdout } = await run('src/cli/admin.ts', args, env).finished;
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(
      'Time,Record type,Record,Number,Kind,App,Operation,Person,Database role,Change set,Member,Before,After',
    );
    expect(lines.some((line) => line.includes(',Test,saveProduct,Zoë,,') && line.includes('"""=Mug"""'))).toBe(true);
    // The plain SQL has changed one member.
    const later = lines.filter((line) => line.includes(',UPDATED,'));
    expect(later).toEqual([expect.stringMatching(/,description,,"""(long ){60}/)]);
  });

  it('keeps to the time and the number of changes, and names a record that is unknown', async () => {
    expect(JSON.parse((await commerce('history', 'product', 'SKU-1', '--limit', '1')).stdout)).toHaveLength(1);
    expect(JSON.parse((await commerce('history', 'product', 'SKU-1', '--since', '2999-01-01')).stdout)).toEqual([]);
    const unknown = await commerce('history', 'brand', 'Nobody');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('"Nobody"') });
    expect(await commerce('history', 'product', 'SKU-1', '--since', 'yesterday')).toMatchObject({ code: 2 });
    expect(await commerce('history', 'product', 'SKU-1', '--since', '9999-12-31T23:59-05:00')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not in the years 1 to 9999'),
    });
  });

  it('is begun and ended by merchant history', async () => {
    expect(JSON.parse((await commerce('merchant', 'history', 'off')).stdout)).toEqual({ historySince: null });
    const { historySince } = JSON.parse((await commerce('merchant', 'history', 'on')).stdout) as never;
    expect(historySince).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('the text of changes', () => {
  const change = {
    createdAt: 0,
    number: 2,
    kind: 'UPDATED',
    truncated: true,
    members: [
      { path: 'name', before: '"a"', after: null },
      { path: 'description', before: `"${'old '.repeat(40)}"`, after: `"${'new '.repeat(40)}\u001b"` },
    ],
    changeSet: { operation: 'saveProduct', app: { name: 'ERP' }, actor: 'Zoë' },
  } as unknown as Change;

  it.each([80, 100, 200])('has lines of at most %i characters', (columns) => {
    const text = historyText([change], columns);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(text).toContain('1970-01-01T00:00:00.000Z  2  UPDATED  by saveProduct of ERP for Zoë');
    expect(text).toContain('    name: "a" → -');
    expect(text).toContain('(values are missing: too large, history full, or customer erased)');
    expect(text).not.toContain('\u001b');
  });
});

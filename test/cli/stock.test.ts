import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ExplainedCount } from '../../src/cli/stock/explained-stock.ts';
import { stockText } from '../../src/cli/stock/why-text.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { holdStock } from '../../src/stock/holdStock.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { type Place, places } from '../stock/places.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run, type RunningProcess } from '../support/process.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let env: Record<string, string>;
let own: Context;
let mug: Place;
let twins: Place[];
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  own = await createContext(database.db);
  const [first, ...others] = await places(own, 3);
  mug = { ...first!, stockLocationId: await locationNamed('Store') };
  twins = others;
  await nameVariant(mug, 'MUG');
  for (const twin of twins) await nameVariant(twin, 'TWIN');
  await saveProductStockLocations(own, { input: { productStockLocationInputs: [{ ...mug, stockCount: 10 }] } });
  const hold = { ...mug, quantity: 4, key: 'cart', reference: 'cart 7', expiresAt: Date.now() + 3_600_000 };
  await holdStock(own, { input: [hold] }, { id: {} });
});
afterAll(() => database.drop());

async function locationNamed(name: string): Promise<string> {
  return (await saveStockLocation(own, { input: { name } }, { id: {} })).id;
}

async function nameVariant({ variantId }: Place, sku: string): Promise<void> {
  await database.db.execute(
    sql`update variant set sku = ${sku} where merchant_id = ${own.merchantId} and id = ${variantId}`,
  );
}

function start(...args: string[]): RunningProcess {
  return run('src/cli/admin.ts', commandLine(args), env);
}

function commandLine(args: string[]): string[] {
  return ['stock', ...args, '--merchant', own.merchantId];
}

async function stock(...args: string[]): Promise<Finished> {
  return await runCommand(commandLine(args), env);
}

async function answer(...args: string[]): Promise<unknown> {
  return answerIn(await stock(...args));
}

function answerIn({ code, stdout, stderr }: Finished): unknown {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as unknown;
}

async function explained(...args: string[]): Promise<ExplainedCount[]> {
  return ((await answer('why', ...args)) as { locations: ExplainedCount[] }).locations;
}

describe('commerce stock', () => {
  it('adjusts a count, and explains it by its movements and holds', async () => {
    const named = ['--reason', 'broken', '--reference', 'case 1', '--kind', 'DAMAGED', '--expected-count', '10'];
    const movement = answerIn(await start('adjust', 'MUG', '-2', '--location', 'Store', ...named).finished);
    expect(movement).toMatchObject({
      ...mug,
      kind: 'DAMAGED',
      delta: -2,
      countAfter: 8,
      reason: 'broken',
      sequence: 2,
    });
    const { changeSetId, key } = movement as { changeSetId: string; key: string };
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer('why', 'MUG')).toMatchObject({
      variantId: mug.variantId,
      productId: mug.productId,
      sku: 'MUG',
      productName: 'Shirt',
      locations: [
        {
          stockLocationId: mug.stockLocationId,
          name: 'Store',
          stockCount: 8,
          heldCount: 4,
          availableCount: 4,
          holds: [{ quantity: 4, reference: 'cart 7' }],
          movements: [
            {
              kind: 'DAMAGED',
              reference: 'case 1',
              changeSet: { id: changeSetId, operation: 'commerce stock adjust', app: null },
            },
            { kind: 'COUNTED', delta: 10, countAfter: 10 },
          ],
        },
      ],
    });
    const [latest] = await explained(mug.variantId, '--location', mug.stockLocationId, '--limit', '1');
    expect(latest).toMatchObject({ hasMoreMovements: true, hasMoreHolds: false });
    expect(latest!.movements).toMatchObject([{ delta: -2 }]);
    await locationNamed('Empty');
    expect(await explained('MUG', '--location', 'Empty')).toEqual([]);
  });

  it('applies a key once, and refuses it for another adjustment', async () => {
    const [before] = await explained('MUG');
    const sent = ['adjust', 'MUG', '3', '--location', 'Store', '--key', 'delivery 9'];
    const movement = await answer(...sent);
    const again = await stock(...sent);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was changed') });
    expect(JSON.parse(again.stdout)).toEqual(movement);
    expect((await explained('MUG'))[0]).toMatchObject({ stockCount: before!.stockCount + 3 });
    const other = await stock('adjust', 'MUG', '4', '--location', 'Store', '--key', 'delivery 9');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('"delivery 9" was used for another') });
  });

  it.each([
    ['is interrupted', 130, async ({ child }: RunningProcess) => child.kill('SIGINT')],
    [
      'loses its connection',
      1,
      async () =>
        await database.owner.execute(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'commerce-administration-admin' and datname = current_database()`),
    ],
  ])('prints the key of an adjustment that %s, and may have been made', async (_, code, end) => {
    const ended = await database.owner.transaction(async (transaction) => {
      await transaction.execute(
        sql`select from product_stock_location where merchant_id = ${own.merchantId} for update`,
      );
      const running = start('adjust', 'MUG', '1', '--location', 'Store');
      await waitForLocks(database.owner, 1);
      await end(running);
      return await running.finished;
    });
    expect(ended).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(/^The adjustment may have been made\. Repeat it with: --key "[0-9a-f-]{36}"\n/),
    });
  });

  it('refuses to take more than is available, unless told to', async () => {
    const [{ availableCount, stockCount } = {} as never] = await explained('MUG');
    const sent = ['adjust', 'MUG', `-${availableCount + 1}`, '--location', 'Store'];
    expect(await stock(...sent)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Nothing was changed: only ${availableCount} of MUG is available at Store. --allow-negative takes more.\n`,
    });
    expect(await stock(...sent, '--expected-count', '999')).toMatchObject({
      code: 1,
      stderr: `Nothing was changed: 999 was expected, and the count is ${stockCount}.\n`,
    });
    expect(await answer(...sent, '--allow-negative')).toMatchObject({ countAfter: stockCount - availableCount - 1 });
  });

  it('names what is unknown, and the variants of a sku', async () => {
    const id = newId();
    for (const [args, code, message] of [
      [['why', 'NONE'], 1, 'The merchant has no variant with the sku or id "NONE".'],
      [['why', id], 1, `The merchant has no variant with the sku or id "${id}".`],
      [['adjust', 'MUG', '1', '--location', 'Nowhere'], 1, 'id "Nowhere". Its locations: '],
      [
        ['adjust', 'MUG', '1', '--location', 'Warehouse'],
        1,
        'Several locations have the name "Warehouse". Give the id',
      ],
      [['adjust', 'MUG', '0', '--location', 'Store'], 1, 'DELTA: must not be 0'],
      [['adjust', 'MUG', '1', '--location', 'Store', '--reason', 'x'.repeat(1_001)], 1, '--reason: '],
      [['adjust', 'MUG', 'five', '--location', 'Store'], 2, 'It is no number'],
      [['adjust', 'MUG', '1'], 2, '--location'],
      [['adjust', 'MUG', '1', '--location', 'Store', '--kind', 'LOST'], 2, 'Allowed choices are RECEIVED, SOLD'],
      [['why', 'MUG', '--limit', '0'], 2, 'It is no whole number from 1.'],
    ] as const) {
      const { stderr, ...rest } = await stock(...args);
      expect({ args, code: rest.code, stdout: rest.stdout }).toEqual({ args, code, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
    const several = await stock('why', 'TWIN');
    expect(several.code).toBe(1);
    for (const { variantId } of twins) expect(several.stderr).toContain(`\n  ${variantId}  Shirt`);
    expect(await explained(twins[0]!.variantId)).toEqual([]);
  });
});

describe('the text of explained counts', () => {
  const variant = { id: newId(), productId: newId(), sku: 'MUG\u001b', name: 'Mug' };
  const count = {
    name: 'Store',
    stockCount: 7,
    heldCount: 2,
    availableCount: 5,
    holds: [{ quantity: 2, reference: 'cart 7', expiresAt: 0 }],
    hasMoreHolds: false,
    movements: [
      {
        createdAt: 0,
        kind: 'RECEIVED',
        delta: 7,
        countAfter: 7,
        reason: 'long '.repeat(40),
        reference: 'order 1',
        changeSet: { operation: 'adjustStock', app: { name: 'ERP' }, actor: 'Zoë' },
      },
    ],
    hasMoreMovements: true,
  } as unknown as ExplainedCount;

  it.each([40, 80, 200])('has lines of at most %i characters', (columns) => {
    const text = stockText(variant, [count], columns);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(text).not.toContain('\u001b');
    expect(text).not.toMatch(/ $/m);
    const unwrapped = text.replaceAll(/\n {6}/g, ' ').replaceAll(/ +/g, ' ');
    expect(unwrapped).toContain('Store: count 7, held 2, available 5');
    expect(unwrapped).toContain('hold of 2 until 1970-01-01T00:00:00.000Z, reference cart 7');
    expect(unwrapped).toContain('RECEIVED +7 → 7 by adjustStock of ERP for Zoë, reference order 1, reason: long');
    expect(unwrapped).toContain('… older movements, see --limit');
  });

  it('says that there is no count', () => {
    expect(stockText(variant, [], 80)).toContain('no counts\n');
  });
});

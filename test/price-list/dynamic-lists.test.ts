import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { textArray } from '../../src/db/sql/parameter.ts';
import type { MutationSavePriceListArgs } from '../../src/graphql/generated/types.ts';
import { deletePriceListList } from '../../src/price-list/deletePriceListList.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

type Input = MutationSavePriceListArgs['input'];

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const save = async (input: Partial<Input>) =>
  await savePriceList(
    ctx,
    { input: { name: 'List', currency: 'EUR', type: 'DYNAMIC', ...input } },
    { id: {}, updatedAt: {}, type: {}, ruleList: {} },
  );
/** 50 older lists, with these lists of rules in turn. */
const insertEmptyDynamicLists = async (ruleLists: string[]) =>
  await database.db.execute(sql`
    insert into price_list (merchant_id, name, currency, type, rule_list, created_at)
    select ${ctx.merchantId}, 'Empty', 'EUR', 'DYNAMIC', (${textArray(ruleLists)}::json[])[1 + n % ${ruleLists.length}::int],
      now() - interval '1 day'
    from generate_series(0, 49) as n`);
const on = (basePriceListId: string | null, members: object = {}) => ({
  basePriceListId,
  currencySettings: {},
  rules: [],
  ...members,
});
const refusedAt = (...path: (string | number)[]) => ({
  code: 'ARGUMENT_VALIDATION_ERROR',
  extensions: { issues: [{ path: ['input', ...path] }] },
});

describe('a dynamic price list that is based on itself is refused', () => {
  it('directly, and through others', async () => {
    const a = await save({ ruleList: [on(null)] });
    const b = await save({ type: 'DYNAMIC_RATE', ruleList: [on(null), on(a.id)] });
    const c = await save({ ruleList: [on(b.id)] });
    await expect(save({ id: a.id, ruleList: [on(null), on(a.id)] })).rejects.toMatchObject(
      refusedAt('ruleList', 1, 'basePriceListId'),
    );
    await expect(save({ id: a.id, ruleList: [on(c.id)] })).rejects.toMatchObject(
      refusedAt('ruleList', 0, 'basePriceListId'),
    );
    await expect(save({ id: c.id, ruleList: [on(a.id), on(b.id)] })).resolves.toMatchObject({ id: c.id });
  });

  it('by a change of its type, and when it is restored', async () => {
    const a = await save({ type: 'MANUAL', ruleList: [on(null)] });
    const b = await save({ ruleList: [on(a.id)] });
    await save({ id: a.id, type: 'MANUAL', ruleList: [on(b.id)] });
    await expect(save({ id: a.id })).rejects.toMatchObject(refusedAt('type'));
    await deletePriceListList(ctx, { idList: [b.id] });
    await save({ id: a.id });
    await expect(save({ id: b.id, deleted: false })).rejects.toMatchObject(refusedAt('deleted'));
  });

  it('by two saves at once: one of them is refused', async () => {
    for (let time = 0; time < 5; time++) {
      const [a, b] = [await save({ ruleList: [on(null)] }), await save({ ruleList: [on(null)] })];
      const both = await Promise.allSettled([
        save({ id: a.id, ruleList: [on(b.id)] }),
        save({ id: b.id, ruleList: [on(a.id)] }),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const { reason } = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(reason).toMatchObject(refusedAt('ruleList', 0, 'basePriceListId'));
    }
  });
});

describe('the limits of dynamic price lists', () => {
  it('allow 5 entries with 100 rules together', async () => {
    const rule = { amount: 1, amountType: 'AMOUNT', operationType: 'INCREASE' } as const;
    const rules = (count: number) => Array.from({ length: count }, () => rule);
    const entries = (count: number, each: number) =>
      Array.from({ length: count }, () => on(null, { rules: rules(each) }));
    await save({ ruleList: entries(5, 20) });
    await expect(save({ ruleList: entries(6, 0) })).rejects.toMatchObject(refusedAt('ruleList'));
    await expect(save({ ruleList: entries(1, 101) })).rejects.toMatchObject(refusedAt('ruleList'));
    const manual = await save({ type: 'MANUAL', ruleList: entries(6, 1) });
    await expect(save({ id: manual.id })).rejects.toMatchObject(refusedAt('type'));
  });

  it('name a rounding format that cannot be read', async () => {
    const format = (roundingFormat: string) => on(null, { currencySettings: { roundingFormat } });
    for (const good of ['', '0.99', '.5', '9,95', '10', '0', '000000000000.000000'])
      await save({ ruleList: [format(good)] });
    for (const bad of ['x.99', '0.', '1.2.3', '-0.99', '0.9999999', '1'.repeat(13), '0.99 ', '٠.٩٩', '1e3', ' '])
      await expect(save({ ruleList: [on(null), format(bad)] }), bad).rejects.toMatchObject(
        refusedAt('ruleList', 1, 'currencySettings', 'roundingFormat'),
      );
    await expect(save({ type: 'MANUAL', ruleList: [format('as we like')] })).resolves.toBeDefined();
  });

  it('allow 50 lists with rules, also when they are saved at once', async () => {
    await database.db.execute(sql`
      insert into price_list (merchant_id, name, currency, type, rule_list)
      select ${ctx.merchantId}, 'Stored', 'EUR', 'DYNAMIC', '[{"currencySettings":{},"rules":[]}]' from generate_series(1, 47)`);
    const saved = await Promise.allSettled(Array.from({ length: 5 }, () => save({ ruleList: [on(null)] })));
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const { reason } = saved.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(reason).toMatchObject(refusedAt('ruleList'));
    await save({ type: 'MANUAL', ruleList: [on(null)] });
    await save({ ruleList: [] });
  });

  it('do not count lists with an empty list of rules', async () => {
    await insertEmptyDynamicLists(['[]', '[ ]', '{}', 'null']);
    await expect(save({ ruleList: [on(null)] })).resolves.toBeDefined();
  });

  it('count a list that gets rules in place of an empty list', async () => {
    const { id } = await save({ ruleList: [] });
    for (let count = 0; count < 50; count++) await save({ ruleList: [on(null)] });
    await expect(save({ id, ruleList: [on(null)] })).rejects.toMatchObject(refusedAt('ruleList'));
  });

  it('do not apply to a save that changes no rule of a stored list', async () => {
    const { id } = await save({ ruleList: [on(null)] });
    await database.db.execute(sql`
      update price_list set rule_list = ${JSON.stringify([on(id, { currencySettings: { roundingFormat: 'x' } })])}::json
      where merchant_id = ${ctx.merchantId} and id = ${id}`);
    const renamed = await save({ id, name: 'Renamed' });
    expect(await save({ id, name: 'Renamed', ruleList: renamed.ruleList as never })).toEqual(renamed);
  });
});

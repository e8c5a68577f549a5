import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { random, seeds } from '../support/random.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** What clients can read of each record, without the marks of saves. */
const TABLES = ['product', 'variant', 'html_meta_data', 'category', 'product_brand', 'product_tag', 'customer'];

describe('reverting all changes, the last one first', () => {
  it.each(seeds(2))('leaves what was there before, after random changes with seed %i', async (seed) => {
    const ctx = await createContext(database.db);
    const next = random(seed);
    const call = async (name: string, variables: object): Promise<any> => {
      const { data, errors } = (await server.call(ctx, name, variables)) as any;
      if (errors) throw new Error(`${name} ${JSON.stringify(variables)}: ${JSON.stringify(errors)}`);
      return data[name];
    };
    const own = sql`merchant_id = ${ctx.merchantId}`;
    const state = async (): Promise<Record<string, unknown>> => {
      const rows: Record<string, unknown> = {};
      for (const table of TABLES)
        for (const { row } of await database.owner.execute<{ row: any }>(
          sql`select row_to_json(t) as row from ${sql.identifier(table)} t where ${own}`,
        )) {
          const { updated_at: _, version: __, position, ...members } = row;
          rows[row.id] = { ...members, ...(!members.deleted && { position }) };
        }
      return rows;
    };
    const newestSet = async (): Promise<string | undefined> => {
      const [set] = await database.owner.execute<{ id: string }>(
        sql`select change_set_id as id from change where ${own} order by id desc limit 1`,
      );
      return set?.id;
    };

    const brands = [];
    for (const name of ['A', 'B']) brands.push((await call('saveProductBrand', { input: { name } })).id);
    const root = (await call('saveCategory', { input: { name: 'Root' } })).id;
    const categories = [root];
    const list = (await call('savePriceList', { input: { name: 'List', currency: 'EUR' } })).id;
    const price = () => ({ sellPrice: next(1_000) / 8, ...(next(2) && { discountPrice: next(50) }) });
    const prices = () => [price(), ...(next(2) ? [{ ...price(), priceListId: list }] : [])];
    const variants = (step: number) =>
      Array.from({ length: 1 + next(3) }, (_, n) => ({ sku: `S-${step}-${n}`, prices: prices() }));
    const products: any[] = [];
    const states: Record<string, unknown>[] = [];
    const sets: string[] = [];
    for (let step = 0; step < 40; step++) {
      const former = await state();
      const product = products[next(products.length)];
      const kind = product ? next(10) : 0;
      if (kind === 0) {
        const input = { name: `New ${step}`, type: 'PHYSICAL', brandId: brands[next(2)], categoryIds: [root] };
        products.push(await call('saveProduct', { input: { ...input, variants: variants(step) } }));
      } else if (kind === 1) {
        const patch = { name: `Name ${step}`, description: next(2) ? 'text' : null, weight: next(2) ? step : null };
        await call('updateProduct', { id: product.id, patch });
      } else if (kind === 2) {
        const [first] = product.variants;
        const changed = first.deleted ? [] : [{ id: first.id, sku: `K-${step}`, prices: prices() }];
        const patch = { variants: [...changed, ...variants(step)], metaData: { pageTitle: `Title ${step}` } };
        products[products.indexOf(product)] = await call('updateProduct', { id: product.id, patch });
      } else if (kind === 3) await call('deleteProductList', { idList: [product.id] });
      else if (kind === 4) await call('saveProductBrand', { input: { id: brands[next(2)], name: `Brand ${step}` } });
      else if (kind === 5) {
        const parentId = categories[next(categories.length)];
        categories.push((await call('saveCategory', { input: { name: `Category ${step}`, parentId } })).id);
      } else if (kind === 6) {
        const last = categories.at(-1)!;
        if (last !== root) await call('saveCategory', { input: { id: last, name: `Moved ${step}`, parentId: root } });
      } else if (kind === 7) {
        await database.owner.transaction(async (transaction) => {
          await transaction.execute(
            sql`update variant set weight = ${step} where ${own} and product_id = ${product.id}`,
          );
          await transaction.execute(sql`update product set name = 'by SQL' where ${own} and id = ${product.id}`);
        });
      } else if (kind === 8) {
        await call('saveCustomer', { input: { firstName: `Name ${step}`, email: `${step}@example.com` } });
      } else {
        await database.owner.execute(sql`delete from product where ${own} and id = ${product.id}`);
        products.splice(products.indexOf(product), 1);
      }
      const set = await newestSet();
      if (set === undefined || set === sets.at(-1)) continue;
      states.push(former);
      sets.push(set);
    }
    const left = (former: Record<string, unknown>, now: Record<string, any>) =>
      Object.fromEntries(
        // What a change created is only marked as deleted, with its parts.
        Object.entries(now).filter(
          ([id, row]) => id in former || !(row.deleted || now[row.product_id ?? row.target_id]?.deleted),
        ),
      );
    for (const [index, set] of sets.entries().toArray().reverse()) {
      await call('revertChanges', { input: { changeSetId: set } });
      expect(left(states[index]!, (await state()) as Record<string, any>), `step ${index}`).toEqual(states[index]);
    }
  });
});

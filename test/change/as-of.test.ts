import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { post } from '../support/post.ts';
import { random, seeds } from '../support/random.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function call<Result>(name: string, variables: object): Promise<Result> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name] as Result;
}

/** Members of a product that are the same at a time and later, if the product has not changed meanwhile. */
const PRODUCT = `{ data {
  id name description shortDescription version createdAt updatedAt deleted weight tagIds categoryIds salesChannelIds
  translations { locale name } brand { id name } tags { id name } metaData { slug pageTitle }
  variants { id sku barcodeList weight createdAt updatedAt isActive
    prices { sellPrice discountPrice buyPrice currency priceListId } }
} }`;
const CUSTOMER = `{ data { id firstName lastName fullName email phone note tagIds totalOrderPrice customerSequence
  birthDate createdAt updatedAt deleted addresses { id title addressLine1 } } }`;

async function list(operation: string, members: string, ids: string[], asOf?: number): Promise<unknown> {
  await call('listProductTag', {});
  const type = operation === 'listProduct' ? PRODUCT : members;
  const { body } = await post(
    `${server.url}/api/v1/admin/graphql`,
    {
      query: `query ($ids: [String!], $asOf: Timestamp) {
        ${operation}(id: {in: $ids}, asOf: $asOf, includeDeleted: true, pagination: {limit: 200}) ${type}
      }`,
      variables: { ids, ...(asOf !== undefined && { asOf }) },
    },
    { token: ctx.merchantId },
  );
  expect(body['errors']).toBeUndefined();
  return (body['data'] as any)[operation].data;
}

/** A time after all changes so far, before which none happens any more. */
async function moment(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 3));
  const [row] = await database.db.execute<{ at: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  );
  await new Promise((resolve) => setTimeout(resolve, 3));
  return row!.at;
}

/** Adds copies of the last change of a record, with its parts, as if the record had changed in this way before. */
async function repeatLastChange(id: string, times: number): Promise<void> {
  const own = sql`merchant_id = ${ctx.merchantId} and record_id = ${id}`;
  await database.owner.transaction(async (transaction) => {
    const run = async (statement: ReturnType<typeof sql>): Promise<void> => void (await transaction.execute(statement));
    await run(sql`set local session_replication_role = replica`);
    await run(sql`
      create temporary table repeated on commit drop as
      select last.*, uuid_v7_at(last.created_at) as new_id, gen_random_uuid() as new_transaction_id
      from (select * from change where ${own} order by id desc limit 1) as last, generate_series(1, ${times}::int)`);
    await run(sql`
      insert into change_part (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change,
        before, after)
      select p.merchant_id, r.new_transaction_id, p.record_id, p.record_type, p.statement, p.part, p.row_change,
        p.before, p.after
      from repeated r join change_part p using (merchant_id, change_transaction_id, record_id)`);
    await run(sql`
      insert into change (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id,
        bytes, created_at)
      select merchant_id, new_id, record_type, record_id, number, kind, new_transaction_id, change_set_id, bytes,
        created_at
      from repeated`);
    await run(sql`analyze change, change_part`);
  });
}

describe('asOf', () => {
  it.each(seeds(2))('answers products as they were, after random changes with seed %i', async (seed) => {
    const next = random(seed);
    const brand = await call<{ id: string }>('saveProductBrand', { input: { name: 'Brand 0' } });
    const tags: string[] = [];
    for (const name of ['a', 'b', 'c'])
      tags.push((await call<{ id: string }>('saveProductTag', { input: { name } })).id);
    const list0 = await call<{ id: string }>('savePriceList', { input: { name: 'List', currency: 'EUR' } });
    const price = () => ({ sellPrice: next(1_000) / 8, ...(next(2) && { discountPrice: next(50) }) });
    const prices = () => [price(), ...(next(2) ? [{ ...price(), priceListId: list0.id }] : [])];
    const ids: string[] = [];
    const known: { at: number; products: unknown }[] = [];
    type Saved = { id: string; variants: { id: string }[] };
    const saved = new Map<string, Saved>();
    const own = () => sql`merchant_id = ${ctx.merchantId}`;
    for (let step = 0; step < 40; step++) {
      const id = ids[next(ids.length)];
      const kind = id === undefined || next(6) === 0 ? 0 : 1 + next(8);
      const variants = () =>
        Array.from({ length: 1 + next(3) }, (_, n) => ({ sku: `S-${step}-${n}`, prices: prices() }));
      if (kind === 0) {
        const input = { name: `New ${step}`, type: 'PHYSICAL', brandId: brand.id, tagIds: [tags[next(3)]] };
        const product = await call<Saved>('saveProduct', { input: { ...input, variants: variants() } });
        ids.push(product.id);
        saved.set(product.id, product);
      } else if (kind === 1) {
        await call('updateProduct', { id, patch: { name: `Name ${step}`, description: next(2) ? 'text' : null } });
      } else if (kind === 2) {
        const stored = saved.get(id!)!;
        const kept = stored.variants.slice(0, 1).map((one) => ({ id: one.id, sku: `K-${step}`, prices: prices() }));
        const patch = { variants: [...kept, ...variants()], tagIds: [tags[next(3)], tags[next(3)]].slice(next(2)) };
        saved.set(id!, await call<Saved>('updateProduct', { id, patch }));
      } else if (kind === 3) await call('deleteProductList', { idList: [id] });
      else if (kind === 4) await call('saveProductBrand', { input: { id: brand.id, name: `Brand ${step}` } });
      else if (kind === 5)
        await database.owner.execute(
          sql`update product set weight = ${step}, updated_at = now(), version = version + 1 where ${own()} and id = ${id}`,
        );
      else if (kind === 6)
        await database.owner.transaction(async (transaction) => {
          await transaction.execute(sql`update variant set sku = 'SQL' where ${own()} and product_id = ${id}`);
          await transaction.execute(
            sql`update variant set sku = 'SQL 2', weight = 1.5 where ${own()} and product_id = ${id}`,
          );
          await transaction.execute(sql`update product set name = 'by SQL' where ${own()} and id = ${id}`);
        });
      else if (kind === 7) await call('saveProductTag', { input: { id: tags[0], name: `a ${step}` } });
      else if (next(3) === 0) {
        await database.owner.execute(sql`delete from product where ${own()} and id = ${id}`);
        ids.splice(ids.indexOf(id!), 1);
      }
      const all = [...saved.keys()];
      known.push({ at: await moment(), products: await list('listProduct', '', all) });
    }
    const all = [...saved.keys()];
    for (const { at, products } of known) expect(await list('listProduct', '', all, at)).toEqual(products);
  });

  it('answers customers as they were', async () => {
    const { id } = await call<{ id: string }>('saveCustomer', {
      input: {
        firstName: 'Ada',
        lastName: 'King',
        email: 'ada@example.com',
        tagIds: ['t1'],
      },
    });
    const known = [{ at: await moment(), found: await list('listCustomer', CUSTOMER, [id]) }];
    await call('saveCustomer', { input: { id, firstName: 'Augusta', email: null } });
    known.push({ at: await moment(), found: await list('listCustomer', CUSTOMER, [id]) });
    await database.owner.execute(
      sql`update customer set total_order_price = 1234567890123.123456, birth_date = '1815-12-10' where merchant_id = ${ctx.merchantId}`,
    );
    known.push({ at: await moment(), found: await list('listCustomer', CUSTOMER, [id]) });
    await database.owner.execute(sql`delete from customer where merchant_id = ${ctx.merchantId}`);
    for (const { at, found } of known) expect(await list('listCustomer', CUSTOMER, [id], at)).toEqual(found);
  });

  it('answers the full name of a customer who had an empty last name', async () => {
    const { id } = await call<{ id: string }>('saveCustomer', { input: { firstName: 'Prince', lastName: '' } });
    const before = await moment();
    await call('saveCustomer', { input: { id, firstName: 'Rogers', lastName: 'Nelson' } });
    expect(await list('listCustomer', CUSTOMER, [id], before)).toMatchObject([{ lastName: '', fullName: 'Prince' }]);
  });

  describe('of a product whose price was changed', () => {
    let id: string;
    let before: number;
    let found: unknown;
    beforeEach(async () => {
      const variant = { sku: 'S', prices: [{ sellPrice: 1 }] };
      const input = { name: 'Priced', type: 'PHYSICAL', variants: [variant] };
      const saved = await call<{ id: string; variants: { id: string }[] }>('saveProduct', { input });
      id = saved.id;
      found = await list('listProduct', '', [id]);
      before = await moment();
      const variants = [{ id: saved.variants[0]!.id, prices: [{ sellPrice: 2 }] }];
      await call('updateProduct', { id, patch: { variants } });
    });

    it('answers if it has 20,000 later changes, each with two parts', async () => {
      await repeatLastChange(id, 20_000 - 1);
      expect(await list('listProduct', '', [id], before)).toEqual(found);
    });

    it('refuses more than 20,000 later changes', async () => {
      await repeatLastChange(id, 20_000);
      const query = `{ listProduct(id: {eq: "${id}"}, asOf: ${before}) { count } }`;
      const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query }, { token: ctx.merchantId });
      expect(body.errors![0]!.message).toContain('has more than 20000 later changes of these records');
    });
  });

  describe('of a product with 6 MiB in its row and 6 MiB in its page', () => {
    const [BYTES, LIMIT] = [6 * 1024 * 1024, 'more than 16777216 bytes with their later changes'];
    let id: string;
    beforeEach(async () => {
      const variants = [{ sku: 'S', prices: [{ sellPrice: 1 }] }];
      id = (await call<{ id: string }>('saveProduct', { input: { name: 'Large', type: 'PHYSICAL', variants } })).id;
      const own = sql`merchant_id = ${ctx.merchantId}`;
      const text = sql`repeat('x', ${BYTES}::int)`;
      await database.owner.execute(sql`update product set description = ${text} where ${own} and id = ${id}`);
      await database.owner.execute(
        sql`update html_meta_data set description = ${text} where ${own} and target_id = ${id}`,
      );
    });

    async function messages(fields: string): Promise<string[] | undefined> {
      const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query: fields }, { token: ctx.merchantId });
      return body.errors?.map(({ message }) => message);
    }
    const field = (at: number): string => `listProduct(id: {eq: "${id}"}, asOf: ${at}) { count }`;

    it('answers, and refuses it with 6 MiB in its variants too', async () => {
      expect(await messages(`{ ${field(await moment())} }`)).toBeUndefined();
      await database.owner.execute(sql`
        update variant set attributes = json_build_array(repeat('x', ${BYTES}::int))
        where merchant_id = ${ctx.merchantId} and product_id = ${id}`);
      expect(await messages(`{ ${field(await moment())} }`)).toEqual([expect.stringContaining(LIMIT)]);
    });

    it('refuses to answer two fields of a request together', async () => {
      const at = await moment();
      expect(await messages(`{ a: ${field(at)} b: ${field(at)} }`)).toEqual([expect.stringContaining(LIMIT)]);
    });
  });

  it('leaves out a record before its creation', async () => {
    const before = await moment();
    const { id } = await call<{ id: string }>('saveCustomer', { input: { firstName: 'Later' } });
    expect(await list('listCustomer', CUSTOMER, [id], before)).toEqual([]);
  });

  it.each([['{}'], ['{eq: null}'], ['null']])('takes the filter %s, which is no condition', async (name) => {
    const { id } = await call<{ id: string }>('saveProduct', { input: { name: 'A', type: 'PHYSICAL', variants: [] } });
    const query = `{ listProduct(id: {eq: "${id}"}, name: ${name}, asOf: ${await moment()}) { count } }`;
    const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query }, { token: ctx.merchantId });
    expect(body).toMatchObject({ data: { listProduct: { count: 1 } } });
  });

  it.each<[string, object, (string | number)[]]>([
    ['a time before the history', { id: { eq: 'x' }, asOf: 1 }, ['asOf']],
    ['the future', { id: { eq: 'x' }, asOf: 32_503_680_000_000 }, ['asOf']],
    ['no id', { asOf: Date.now() }, ['id']],
    ['a condition on the id', { id: { ne: 'x' }, asOf: Date.now() }, ['id', 'ne']],
    ['another filter', { id: { eq: 'x' }, name: { eq: 'n' }, asOf: Date.now() }, ['name']],
    ['201 ids', { id: { in: Array.from({ length: 201 }, () => crypto.randomUUID()) }, asOf: Date.now() }, ['id', 'in']],
  ])('refuses %s', async (_, variables, path) => {
    const document =
      'query ($id: StringFilterInput, $name: StringFilterInput, $asOf: Timestamp) { listProduct(id: $id, name: $name, asOf: $asOf) { count } }';
    await call('listProductTag', {});
    await call('listProductTag', {});
    const { body } = await post(
      `${server.url}/api/v1/admin/graphql`,
      { query: document, variables },
      { token: ctx.merchantId },
    );
    expect((body['errors'] as any)[0].extensions).toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      issues: [{ path }],
    });
  });

  const asked = async (members: string): Promise<any> => {
    await call('listProductTag', {});
    const query = `{ listProduct(id: {eq: "x"}, asOf: ${Date.now()}) { data { ${members} } } }`;
    const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query }, { token: ctx.merchantId });
    return body;
  };

  it('refuses totalStock', async () => {
    const { errors } = await asked('totalStock');
    expect(errors[0].extensions.issues).toMatchObject([{ path: ['data', 'totalStock'] }]);
  });

  it('answers the present stock counts and availableCount', async () => {
    const location = await call<{ id: string }>('saveStockLocation', { input: { name: 'Warehouse' } });
    const variant = { sku: 'S', prices: [{ sellPrice: 1 }] };
    const saved = await call<{ id: string; variants: { id: string }[] }>('saveProduct', {
      input: { name: 'Counted', type: 'PHYSICAL', variants: [variant] },
    });
    const place = { productId: saved.id, variantId: saved.variants[0]!.id, stockLocationId: location.id };
    const count = async (stockCount: number): Promise<unknown> =>
      await call('saveProductStockLocations', { input: { productStockLocationInputs: [{ ...place, stockCount }] } });
    await count(1);
    const at = await moment();
    await count(5);
    const query = `{ listProduct(id: {eq: "${saved.id}"}, asOf: ${at}) {
      data { variants { availableCount stocks { stockCount } } } } }`;
    const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query }, { token: ctx.merchantId });
    expect(body).toEqual({
      data: { listProduct: { data: [{ variants: [{ availableCount: 5, stocks: [{ stockCount: 5 }] }] }] } },
    });
  });

  it('answers isComputed if no dynamic price list computes prices', async () => {
    await database.owner.execute(sql`
      insert into price_list (merchant_id, name, currency, type, rule_list)
      values (${ctx.merchantId}, 'Of the day', 'EUR', 'DYNAMIC', '[{"currencyRateSettings": {"type": "CURRENT_RATE"}}]')`);
    expect((await asked('variants { prices { isComputed } }')).errors).toBeUndefined();
  });

  it('refuses what automated categories and dynamic price lists add to, if the merchant has some', async () => {
    const members = 'categories { id } categoryIds variants { prices { sellPrice isComputed } }';
    expect((await asked(members)).errors).toBeUndefined();
    const conditions = [{ conditionType: 'DISCOUNTED_PRODUCTS', valueList: [] }];
    await call('saveCategory', { input: { name: 'Automated', isAutomated: true, conditions } });
    await database.owner.execute(sql`
      insert into price_list (merchant_id, name, currency, type, rule_list)
      values (${ctx.merchantId}, 'Dynamic', 'EUR', 'DYNAMIC', '[{}]')`);
    const { errors } = await asked(members);
    expect(errors[0].extensions.code).toBe('ARGUMENT_VALIDATION_ERROR');
    expect(errors[0].extensions.issues.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'data.variants.prices.isComputed',
      'data.categories',
      'data.categoryIds',
    ]);
    expect((await asked('name variants { prices { sellPrice } }')).errors).toBeUndefined();
  });
});

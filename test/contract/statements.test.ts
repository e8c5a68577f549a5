import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { getNamedType, type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSession, openSessionCache } from '../../src/app/credentials/access-token.ts';
import { checkClientSecrets } from '../../src/app/credentials/check-client-secrets.ts';
import { createApp } from '../../src/app/create-app.ts';
import { createSignInCode, exchangeSignInCode } from '../../src/app/credentials/sign-in-code.ts';
import { issueToken } from '../../src/app/credentials/issue-token.ts';
import { listApps } from '../../src/app/list-apps.ts';
import { revokeApp } from '../../src/app/revoke-app.ts';
import { revokeToken } from '../../src/app/credentials/revoke-token.ts';
import { rotateAppSecret } from '../../src/app/credentials/rotate-app-secret.ts';
import { addSpentPoints } from '../../src/app/add-spent-points.ts';
import { findBroken } from '../../src/cli/references/find-broken.ts';
import type { Context } from '../../src/context.ts';
import { findImage } from '../../src/image/find-image.ts';
import { uploadImage } from '../../src/image/upload-image.ts';
import { createMerchant } from '../../src/merchant/create-merchant.ts';
import { DEFAULT_RETRY_DELAYS_MS } from '../../src/limits/retry-policy.ts';
import { UsageCounts } from '../../src/usage/usage-counts.ts';
import { writeUsage } from '../../src/usage/write-usage.ts';
import { claimDeliveries, undoClaims } from '../../src/webhook/ledger/claim-deliveries.ts';
import { settleDeliveries } from '../../src/webhook/ledger/settle-deliveries.ts';
import { failUnsendable } from '../../src/webhook/ledger/unclaimed-deliveries.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import { compareChangedCategories } from '../../src/product/membership/changed-categories.ts';
import { compareChangedProducts } from '../../src/product/membership/changed-products.ts';
import { queueRechecks } from '../../src/product/membership/older-transactions.ts';
import { TurnSize } from '../../src/product/membership/turn-size.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { listCustomer } from '../../src/customer/listCustomer.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { plainProduct } from '../product/products.ts';
import { picture } from '../image/pictures.ts';
import { openImageDependencies } from '../image/shop.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, operations, startOperations } from '../support/operation.ts';
import { calls, callWithFilters, createShop, type Shop } from './calls.ts';
import { shopCopies } from './shop-copies.ts';
import { VolatilityScan } from './distribution/volatility-scan.ts';
import { sourcePlace } from './source-place.ts';
import { namedTables, unboundTables } from './statement-scan.ts';
import { TENANT_TABLES } from './tenant-tables.ts';

/** Tables that only triggers and functions of the database write. */
const OF_TRIGGERS = ['changed_record', 'stock_key', 'webhook_change', 'webhook_record'];

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  const usageCounts = new UsageCounts();
  const api = await startOperations(database.db, { usageCounts });
  const newShop = await shopCopies(api.call, database);
  const reader = await newShop();
  for (const name of Object.keys(calls))
    await callEveryWay(api.call, operations.get(name)!.kind === 'query' ? reader : await newShop(), name);
  await api.call(await createContext(database.db), 'deleteProductList', { idList: [] }, { 'idempotency-key': 'key' });
  const pictured = await createContext(database.db);
  await uploadEveryWay(pictured, await createShop(api.call, pictured));
  for await (const { broken } of findBroken(pictured)) if (broken.length > 0) throw new Error(JSON.stringify(broken));
  await api.call(pictured, 'listProduct', { categoryIds: { eq: randomUUID() } });
  await api.call(await createContext(database.db), 'searchProducts', { input: { query: 'misspelt' } });
  const again = await createContext(database.db);
  for (let times = 0; times < 3; times++) await api.call(again, 'listProductTag', {});
  await api.stop();
  await writeUsage(database, usageCounts);
  await liveAppLife(await createContext(database.db));
  await sendDeliveries(await createContext(database.db));
  await compareMemberships(await createContext(database.db));
  await readEarlier(await createContext(database.db));
});
afterAll(() => database.drop());

describe('the statements that the service sends', () => {
  // docs/reliability-tests.md: 15, 53
  it('have the merchant, as a parameter, in the condition of each tenant table', () => {
    const breaches = [...new Set(database.statements)].flatMap((statement) => {
      const aliases = unboundTables(statement, TENANT_TABLES);
      return aliases.length > 0 ? [{ aliases, statement }] : [];
    });
    expect(breaches).toEqual([]);
  });

  it('call no volatile functions that Citus refuses in SET, WHERE, RETURNING and ON CONFLICT', async () => {
    const scan = new VolatilityScan(database.owner, TENANT_TABLES);
    const breaches: string[] = [];
    for (const statement of new Set(database.statements)) {
      if (!/\b(?:insert|update|delete)\b/i.test(statement)) continue;
      for (const { clause, what } of await scan.breachesOf(statement))
        breaches.push(`${sourcePlace(statement)} ${clause}: ${what}`);
    }
    expect([...new Set(breaches)]).toEqual([]);
  });

  // docs/reliability-tests.md: 16
  it('name every tenant table of the database', () => {
    const named = new Set(
      [...new Set(database.statements)].flatMap((statement) => namedTables(statement, TENANT_TABLES)),
    );
    expect([...TENANT_TABLES].filter((table) => !named.has(table) && !OF_TRIGGERS.includes(table))).toEqual([]);
  });
});

describe('the scan of a statement', () => {
  const names = new Set(['a', 'b']);

  it.each([
    'select x from a where merchant_id = $1',
    'select "a"."x" from "a" where ("a"."merchant_id" = $1 and "a"."x" = $2)',
    'select x from public.a as t where t.merchant_id = $1::uuid and (t.x = $2 or t.y = $3)',
    "select (select string_agg(t1.x, ',' order by t1.x) from b t1 where t1.merchant_id = $1 and t1.a = a.id) from a where a.merchant_id = $2",
    'select 1 from a join b t on t.merchant_id = $1 and t.id = a.b where a.merchant_id = $2 for no key update',
    'select 1 from a, b where a.merchant_id = $1 and b.merchant_id = $2 order by a.x, b.y limit 5',
    'with hits as (select id from a where a.merchant_id = $1) select a.x from hits join a on a.merchant_id = $2 and a.id = hits.id',
    'select x from a where merchant_id = $1 union all select x from b where merchant_id = $2',
    'update a set x = $1, updated_at = now() where a.merchant_id = $2 and x is distinct from a.y',
    'delete from a where a.merchant_id = $1 and not exists (select from json_to_recordset($2::json) as kept(id uuid, b text) where kept.id = a.id)',
    'insert into a (merchant_id, id) values ($1, $2), ($3, $4) on conflict (merchant_id, id) do update set x = excluded.x returning id',
    'insert into a (id, merchant_id) select rows.id, $1::uuid from json_to_recordset($2::json) as rows(id uuid)',
    'insert into a (merchant_id, x) select $1::uuid, b.x from b where b.merchant_id = $2',
    'insert into a (merchant_id, id) select b.merchant_id, c.id from b, c where b.merchant_id = $1',
    "select extract(epoch from a.created_at), 'from b' from a where a.merchant_id = $1",
    'select b.a, c.b from c',
  ])('accepts %s', (statement) => {
    expect(unboundTables(statement, names)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['select x from a', ['a']],
    ['select x from "a" as "t1" where "t1"."id" = $1', ['t1']],
    ['select x from public.a', ['a']],
    ['select x from a where a.merchant_id = $1 or a.x = $2', ['a']],
    ['select x from a where a.x = $2 or a.merchant_id = $1', ['a']],
    ['select x from a where not a.merchant_id = $1', ['a']],
    ['select x from a where a.merchant_id <> $1', ['a']],
    ["select x from a where a.merchant_id = current_setting('x')", ['a']],
    ['select x from a where a.merchant_id = (select merchant_id from c)', ['a']],
    ['select 1 from a join b on b.merchant_id = a.merchant_id where a.merchant_id = $1', ['b']],
    ['select 1 from a left join b t on t.id = a.b where merchant_id = $1', ['a', 't']],
    ['select 1 from a, b where a.merchant_id = $1', ['b']],
    ['select 1 from c join lateral (select x from b where b.id = c.id) l on true', ['b']],
    ['select (select x from b where b.a = a.id) from a where a.merchant_id = $1', ['b']],
    ['select (select x from b where a.merchant_id = $1 and b.merchant_id = $2) from a', ['a']],
    ['with hits as (select id from a where a.merchant_id = $1) select a.x from hits join a on a.id = hits.id', ['a']],
    ['select x from a where merchant_id = $1 union all select x from b', ['b']],
    ['select x from a where merchant_id = $1 and exists (select from a where id = $2)', ['a']],
    ['update a set merchant_id = $1', ['a']],
    ['update a set x = b.x from b where a.merchant_id = $1', ['b']],
    ['delete from a using b where b.merchant_id = $1 and a.id = b.id', ['a']],
    ['insert into a (id) values ($1)', ['a']],
    ['insert into a default values', ['a']],
    ['insert into a (merchant_id, id) values ($1, $2), (gen_random_uuid(), $3)', ['a']],
    ['insert into a (merchant_id, id) select b.merchant_id, b.id from b', ['a', 'b']],
    ['insert into a (merchant_id, id) select $1::uuid, b.id from b', ['b']],
  ])('finds the tables without a merchant in %s', (statement, aliases) => {
    expect(unboundTables(statement, names).sort()).toEqual(aliases);
  });
});

/** Compares twice: when a product joins an automated category, and when it leaves. */
async function compareMemberships(ctx: Context): Promise<void> {
  const size = new TurnSize();
  for (const text of ['mug', 'cup']) {
    const conditions = [{ conditionType: 'PRODUCT_NAME' as const, valueList: [text] }];
    const { id } = await saveCategory(ctx, { input: { name: text, isAutomated: true, conditions } }, { id: {} });
    await saveProduct(ctx, { input: plainProduct('Mug') as never }, {});
    // The recheck waits for all older transactions, also those of other test files on this server.
    while (await queueRechecks(ctx));
    for await (const _ of compareChangedProducts(ctx, size)) await compareChangedCategories(ctx, size);
    await saveCategory(ctx, { input: { id, name: text, conditions: [] } }, {});
    while (await compareChangedCategories(ctx, size));
  }
}

/** Reads a product and a customer as they were before later changes, of the product's brand too. */
async function readEarlier(ctx: Context): Promise<void> {
  const brand = await saveProductBrand(ctx, { input: { name: 'Brand' } }, { id: {} });
  const { id } = await saveProduct(ctx, { input: { ...plainProduct('Mug'), brandId: brand.id } as never }, { id: {} });
  const person = await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} });
  const asOf = Date.now();
  await saveProductBrand(ctx, { input: { id: brand.id, name: 'Later' } }, {});
  await saveCustomer(ctx, { input: { id: person.id, firstName: 'Later' } }, {});
  const name: Selection = { name: {} };
  const members = {
    name: {},
    brand: name,
    tags: name,
    categories: name,
    variants: { sku: {} },
    metaData: { slug: {} },
  };
  await listProduct(ctx, { id: { eq: id }, asOf }, { data: members, count: {} });
  await listCustomer(ctx, { id: { eq: person.id }, asOf }, { data: { fullName: {} } });
}

/**
 * Calls an operation as its owner. Calls a list without arguments, with each argument alone, and with each member of
 * its filters.
 */
async function callEveryWay(call: CallOperation, [ctx, shop]: [Context, Shop], name: string): Promise<void> {
  const { field } = operations.get(name)!;
  const isOptional = field.args.every(({ type }) => !isNonNullType(type));
  const isList = (name.startsWith('list') || name.endsWith('Page')) && isOptional;
  const owned = calls[name]!(shop);
  // `asOf` needs ids beside it: see readEarlier.
  const args = field.args.filter((argument) => argument.name !== 'asOf');
  const alone = args.map(({ name: argument, type }) => ({ [argument]: valueFor(type, owned[argument]) }));
  for (const variables of isList ? [{}, ...alone] : [callWithFilters(name, shop)]) {
    const { errors } = await call(ctx, name, variables);
    if (errors) throw new Error(`${name}(${JSON.stringify(variables)}): ${JSON.stringify(errors)}`);
  }
}

function valueFor(type: GraphQLInputType, id: unknown): unknown {
  const named = getNamedType(type);
  if (named.name === 'PaginationInput') return { page: 3, limit: 7 };
  if (isInputObjectType(named)) {
    const members = Object.values(named.getFields()).map((field) => [
      field.name,
      isListType(field.type) ? [valueFor(field.type, id)] : valueFor(field.type, id),
    ]);
    return Object.fromEntries(members);
  }
  if (isEnumType(named)) return named.getValues()[0]!.name;
  if (named.name === 'Boolean') return true;
  return named.name === 'String' ? (id ?? '-createdAt') : 0;
}

/** Sends the statements of the upload route and of the address of a picture. */
async function uploadEveryWay(ctx: Context, { variant, category, brand }: Shop): Promise<void> {
  const parts = await openImageDependencies();
  const file = await picture(8, 8).png().toBuffer();
  const targets = [
    { kind: 'variant', ids: [variant], idsPath: [], order: 1, isMain: true },
    { kind: 'category', ids: [category], idsPath: [] },
    { kind: 'brand', ids: [brand], idsPath: [] },
  ] as const;
  for (const target of targets) {
    const imageId = await uploadImage(
      { ...ctx, ...parts },
      { target: { ...target, ids: [...target.ids], idsPath: [] }, source: { kind: 'file', path: ['file'] }, file },
    );
    await findImage(ctx, ctx.merchantId, imageId);
  }
  await parts.close();
}

/** Sends the statements of the commands and of the token endpoint. */
async function liveAppLife({ db }: Context): Promise<void> {
  const secretKey = createSecretKey(randomBytes(32));
  const sessions = openSessionCache();
  const { merchantId } = await createMerchant(
    { db },
    { input: { email: 'a@example.com', firstName: 'A', lastName: 'B' } },
  );
  const service = { db, merchantId, secretKey, sessions };
  const app = await createApp(service, { input: { name: 'App', scopes: ['read_products'] } });
  const { accessToken } = await issueToken(service, app);
  await findSession(service, accessToken);
  await revokeToken(service, { ...app, token: accessToken });
  await exchangeSignInCode(service, await createSignInCode(service, { ...app, scopes: ['read_products'] }));
  await rotateAppSecret(service, app);
  await checkClientSecrets(service);
  await listApps(service);
  await addSpentPoints(service, { merchantId, authorizedAppId: app.authorizedAppId }, 1);
  await revokeApp(service, app);
}

/** Sends the statements of the worker for one merchant. */
async function sendDeliveries(ctx: Context): Promise<void> {
  const { merchantId, session } = ctx;
  await ctx.db.execute(sql`
    insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
    values (${merchantId}, ${session.authorizedAppId}, 'store/customer/created', 'https://example.com/')`);
  await ctx.db.execute(sql`
    insert into customer (merchant_id, first_name, last_name, sequence)
    values (${merchantId}, 'A', 'B', 1), (${merchantId}, 'C', 'D', 2)`);
  const deliveries = await ctx.db.execute<{ id: string }>(sql`
    select id from webhook_delivery where merchant_id = ${merchantId}`);
  const claim = () =>
    claimDeliveries(
      ctx,
      deliveries.map(({ id }) => id),
    );
  await undoClaims(ctx, await claim());
  const claimed = await claim();
  const log = { at: Date.now(), statusCode: 200, error: null, durationMs: 1 };
  const outcomes = claimed.map((delivery, index) => ({ ...delivery, delivered: index > 0, log }));
  await settleDeliveries(ctx, outcomes, DEFAULT_RETRY_DELAYS_MS);
  await failUnsendable(ctx, [...deliveries.map(({ id }) => id), randomUUID()]);
}

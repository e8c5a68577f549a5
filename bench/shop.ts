import { createSecretKey } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../src/app/credentials/access-token.ts';
import { createApp } from '../src/app/create-app.ts';
import { appScopes } from '../src/app-scope.ts';
import type { Context } from '../src/context.ts';
import { connect } from '../src/db/connection/connect.ts';
import type { Database } from '../src/db/connection/database.ts';
import { listProduct } from '../src/product/listProduct.ts';
import type { Shop, ShopProduct } from './workload.ts';

/** SECRET_KEY of the measured service. Nothing of a run is kept. */
export const SECRET_KEY_HEX = '0'.repeat(64);
const READ_TIMEOUT_MS = 60_000;
const DEEP_PAGE = 4_000;
const PAGE_SIZE = 20;
const MAX_PRODUCTS = 100_000;

/** The records that requests refer to, and a token of an app with all scopes. */
export async function openShop(url: string, merchantId: string): Promise<{ shop: Shop; token: string }> {
  const connection = connect(url, { poolSize: 1, statementTimeoutMs: READ_TIMEOUT_MS });
  const { db } = connection;
  try {
    const secretKey = createSecretKey(Buffer.from(SECRET_KEY_HEX, 'hex'));
    const { authorizedAppId } = await createApp(
      { db, merchantId, secretKey },
      { input: { name: 'Bench', scopes: [...appScopes] } },
    );
    const token = await issueAccessToken({ db, merchantId }, { authorizedAppId, scopes: appScopes });
    const products = await productsOf(db, merchantId);
    const deepPage = Math.min(DEEP_PAGE, Math.floor((products.length / PAGE_SIZE) * 0.8));
    return {
      token,
      shop: {
        merchantId,
        authorizedAppId,
        products,
        ...(await firstRecords(db, merchantId)),
        deepPage,
        deepCursor: await endOfPage(db, merchantId, deepPage - 1),
      },
    };
  } finally {
    await connection.close();
  }
}

/** All products, or a sample that is spread over a larger shop. */
async function productsOf(db: Database, merchantId: string): Promise<ShopProduct[]> {
  return await db.execute<ShopProduct>(sql`
    with numbered as materialized (
      select id, name, row_number() over (order by created_at) as n, count(*) over () as count from product where merchant_id = ${merchantId}
    )
    select p.id, p.name, (
      select json_agg(json_build_object('id', v.id, 'sku', v.sku) order by v.position)
      from variant v where v.merchant_id = ${merchantId} and v.product_id = p.id) as variants
    from numbered p where p.n % greatest(1, p.count / ${sql.raw(String(MAX_PRODUCTS))}) = 0 order by p.n`);
}

async function endOfPage(db: Database, merchantId: string, page: number): Promise<string> {
  const { endCursor } = await listProduct(
    { db, merchantId } as Context,
    { pagination: { limit: PAGE_SIZE, page } },
    { endCursor: {} },
  );
  return endCursor!;
}

async function firstRecords(db: Database, merchantId: string): Promise<Pick<Shop, 'brandId' | 'tagId' | 'category'>> {
  const [row] = await db.execute<Pick<Shop, 'brandId' | 'tagId' | 'category'>>(sql`
    select (select min(id::text) from product_brand where merchant_id = ${merchantId}) as "brandId",
      (select min(id::text) from product_tag where merchant_id = ${merchantId}) as "tagId",
      (select json_build_object('id', id, 'name', name) from category
        where merchant_id = ${merchantId} and parent_id is null order by id limit 1) as "category"`);
  return row!;
}

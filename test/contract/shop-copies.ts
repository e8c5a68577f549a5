import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { inject } from 'vitest';
import * as tables from '../../drizzle/index.ts';
import { encryptClientSecret } from '../../src/app/credentials/client-secret.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { clientSecret, createContext, webhook } from '../support/context.ts';
import { type TestDatabase, withoutTriggers } from '../support/database.ts';
import type { CallOperation } from '../support/operation.ts';
import { createShop, type Shop } from './calls.ts';
import { TENANT_TABLES } from './tenant-tables.ts';

export type NewShop = () => Promise<[Context, Shop]>;

/**
 * Creates a shop by the API, and returns a function that creates merchants with copies of it. The records of all have
 * the same ids. Copying the rows takes a tenth of the time of the thirty requests. On a cluster each shop is created by
 * the API, because rows would be copied with their triggers.
 */
export async function shopCopies(call: CallOperation, database: TestDatabase): Promise<NewShop> {
  const create = async (): Promise<[Context, Shop]> => {
    const own = await createContext(database.db);
    return [own, await createShop(call, own)];
  };
  if (inject('isCluster')) return create;
  const [original, shop] = await create();
  return async () => {
    const merchantId = newId();
    const { authorizedAppId } = original.session;
    const secret = encryptClientSecret(webhook.secretKey, { merchantId, authorizedAppId }, clientSecret);
    await withoutTriggers(database.owner, async (owner) => {
      await owner.execute(sql.raw(copyStatements(original.merchantId, merchantId).join(';\n')));
      await owner.execute(sql`
        update authorized_app set client_secret_encrypted = ${secret}
        where merchant_id = ${merchantId} and id = ${authorizedAppId}`);
    });
    return [
      { ...original, merchantId, session: { ...original.session, merchantId } },
      { ...shop, merchant: merchantId },
    ];
  };
}

/** Statements that copy the merchant's rows of all tables. */
function copyStatements(merchantId: string, toMerchantId: string): string[] {
  return Object.values(tables)
    .filter((table) => is(table, PgTable))
    .filter((table) => TENANT_TABLES.has(getTableName(table)))
    .map((table) => {
      const columns = Object.values(getTableColumns(table)).filter(({ generated }) => !generated);
      const names = columns.map(({ name }) => name).filter((name) => name !== 'merchant_id');
      const others = names.map((name) => `, "${name}"`).join('');
      return `insert into ${getTableName(table)} (merchant_id${others})
        select '${toMerchantId}'${others} from ${getTableName(table)} where merchant_id = '${merchantId}'`;
    });
}

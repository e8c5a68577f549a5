import type { ChangeOrigin } from '../../db/connection/database.ts';
import type { OpenDatabase } from './command-database.ts';

export type { OpenDatabase };
export type MerchantDatabase = OpenDatabase & { merchantId: string; origin?: ChangeOrigin };

/** Runs `work` on the database and closes it. The code that opens it is loaded here, so that `--help` stays fast. */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const { openCommandDatabase } = await import('./command-database.ts');
  const { close, ...database } = await openCommandDatabase();
  try {
    return await work(database);
  } finally {
    await close();
  }
}

/** `needsMerchant`: of several merchants one has to be named. */
export type CommandKind = { command?: string; needsMerchant?: boolean };

/**
 * Runs `work` on the database for the merchant with the given id, or else for the first merchant. All changes of a
 * command with a name belong to one change set.
 */
export async function withMerchant<T>(
  merchant: string | undefined,
  work: (database: MerchantDatabase) => Promise<T>,
  { command, needsMerchant }: CommandKind = {},
): Promise<T> {
  return await withDatabase(async (database) => {
    const { findMerchant } = await import('./find-merchant.ts');
    const merchantId = await findMerchant(database, merchant, needsMerchant);
    return await work({ ...database, merchantId, ...(await named(merchantId, command)) });
  });
}

/** Runs `work` on the database for the app with the given id, client id or name. */
export async function withApp<T>(
  app: string,
  merchant: string | undefined,
  work: (database: MerchantDatabase & { authorizedAppId: string }) => Promise<T>,
  command?: string,
): Promise<T> {
  return await withDatabase(async (database) => {
    const { findApp } = await import('./find-merchant.ts');
    const found = await findApp(database, app, merchant);
    return await work({ ...database, ...found, ...(await named(found.merchantId, command)) });
  });
}

async function named(merchantId: string, operation: string | undefined): Promise<{ origin?: ChangeOrigin }> {
  if (operation === undefined) return {};
  const { changeOrigin } = await import('../../db/write/change-origin.ts');
  return { origin: changeOrigin({ merchantId, operation }) };
}

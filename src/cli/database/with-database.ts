import type { OpenDatabase } from './command-database.ts';

export type { OpenDatabase };
export type MerchantDatabase = OpenDatabase & { merchantId: string };

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

/** Runs `work` on the database for the merchant with the given id, or else for the first merchant. */
export async function withMerchant<T>(
  merchant: string | undefined,
  work: (database: MerchantDatabase) => Promise<T>,
): Promise<T> {
  return await withDatabase(async (database) => {
    const { findMerchant } = await import('./find-merchant.ts');
    return await work({ ...database, merchantId: await findMerchant(database, merchant) });
  });
}

/** Runs `work` on the database for the app with the given id, client id or name. */
export async function withApp<T>(
  named: string,
  merchant: string | undefined,
  work: (database: MerchantDatabase & { authorizedAppId: string }) => Promise<T>,
): Promise<T> {
  return await withDatabase(async (database) => {
    const { findApp } = await import('./find-merchant.ts');
    return await work({ ...database, ...(await findApp(database, named, merchant)) });
  });
}

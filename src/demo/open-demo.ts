import { AcrossMerchants } from '../db/connection/across-merchants.ts';
import { connect } from '../db/connection/connect.ts';
import { listMerchants } from '../merchant/list-merchants.ts';
import { createDemo } from './create-demo.ts';
import type { SecretKey } from '../values/secret-key.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
/** One connection is in a transaction while the other one reads the demo app. */
const POOL_SIZE = 2;

/** Creates the demo merchant at the first start with an embedded database, that is, if the database has no merchant. */
export async function openDemo({
  databaseUrl,
  secretKey,
}: {
  databaseUrl: string;
  secretKey: SecretKey;
}): Promise<void> {
  const { db, close } = connect(databaseUrl, { poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const ctx = { db, across: new AcrossMerchants(db) };
  try {
    if ((await listMerchants(ctx)).length === 0) await createDemo({ ...ctx, secretKey });
  } finally {
    await close();
  }
}

import type { KeyObject } from 'node:crypto';
import { connect } from '../db/connection/connect.ts';
import { listMerchants } from '../merchant/list-merchants.ts';
import { createDemo } from './create-demo.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/** Creates the demo merchant at the first start of the embedded database: while it has no merchant. */
export async function openDemo({
  databaseUrl,
  secretKey,
}: {
  databaseUrl: string;
  secretKey: KeyObject;
}): Promise<void> {
  const connection = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    if ((await listMerchants(connection)).length === 0) await createDemo({ db: connection.db, secretKey });
  } finally {
    await connection.close();
  }
}

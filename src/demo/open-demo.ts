import type { KeyObject } from 'node:crypto';
import { connect } from '../db/connection/connect.ts';
import { createDemo } from './create-demo.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/** Creates the demo merchant in the embedded database at the first start. */
export async function openDemo({
  databaseUrl,
  secretKey,
}: {
  databaseUrl: string;
  secretKey: KeyObject;
}): Promise<void> {
  const connection = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    await createDemo({ db: connection.db, secretKey });
  } finally {
    await connection.close();
  }
}

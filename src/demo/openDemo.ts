import type { KeyObject } from 'node:crypto';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { createDemo } from './createDemo.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/** What a first start makes of the embedded database: its tables and a demo shop. Later ones find it. */
export async function openDemo({ databaseUrl, ownerUrl, secretKey }: { databaseUrl: string; ownerUrl: string; secretKey: KeyObject }): Promise<void> {
  await migrate(ownerUrl, databaseUrl);
  const connection = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    await createDemo({ db: connection.db, secretKey });
  } finally {
    await connection.close();
  }
}

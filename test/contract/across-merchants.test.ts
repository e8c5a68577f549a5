import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CROSS_MERCHANT_STATEMENTS } from '../../src/db/connection/across-merchants.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { createDueWork, nameOf, workAcrossMerchants } from './across-work.ts';
import { namedTables, unboundTables } from './statement-scan.ts';
import { TENANT_TABLES } from './tenant-tables.ts';

/** Tables that these tasks write, always for one merchant. */
const WRITTEN = [
  'authorized_app',
  'bulk_operation_image',
  'idempotency_key',
  'idempotency_usage',
  'stock_hold',
  'stock_key',
  'webhook_attempt_count',
  'webhook_delivery',
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  const api = await startOperations(database.db);
  await createDueWork(api.call, await createContext(database.db));
  await createDueWork(api.call, await createContext(database.db));
  database.statements.length = 0;
  await workAcrossMerchants(database);
  await api.stop();
});
afterAll(() => database.drop());

describe('work across merchants', () => {
  it('sends exactly the statements of CROSS_MERCHANT_STATEMENTS over several merchants', () => {
    expect(new Set(database.acrossStatements.map(nameOf))).toEqual(new Set(CROSS_MERCHANT_STATEMENTS));
    // A statement with a merchant in its conditions does not need this role.
    expect(database.acrossStatements.filter((text) => unboundTables(text, TENANT_TABLES).length === 0)).toEqual([]);
  });

  it('has the merchant in the condition of each tenant table in all other statements', () => {
    expect(database.statements.filter((text) => unboundTables(text, TENANT_TABLES).length > 0)).toEqual([]);
    const written = database.statements.filter((text) => /^\s*(update|delete)/.test(text));
    expect([...new Set(written.flatMap((text) => namedTables(text, TENANT_TABLES)))]).toEqual(
      expect.arrayContaining(WRITTEN),
    );
  });

  it('only reads over several merchants', () => {
    expect(database.acrossStatements.filter((text) => /\b(insert|update|delete|for share)\b/i.test(text))).toEqual([]);
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import { withSpan } from '../../src/db/connection/database.ts';
import { CLUSTER } from '../../src/db/connection/placement.ts';
import { inSnapshot, inTransaction } from '../../src/db/connection/transaction.ts';
import type { Span } from '../../src/tracing/span.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { register } from '../webhook/ledger.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const span: Span = { traceparent: TRACEPARENT, start: () => span, set: () => undefined, end: () => undefined };

let database: TestDatabase;
/** A pool of one connection: the next transaction uses the same connections to the workers. */
let connection: Connection;
beforeAll(async () => {
  database = await createDatabase();
  connection = connect(database.url, { poolSize: 1, statementTimeoutMs: 20_000, ...CLUSTER.requests });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

it('the deliveries of a traced transaction name its trace, and those of the next transaction do not', async () => {
  const ctx = { ...(await createContext(database.db)), db: connection.db };
  await register(ctx, ['store/customer/created']);
  const createCustomer = async ({ db }: Pick<typeof ctx, 'db'>) =>
    await db.execute(sql`
      insert into customer (merchant_id, first_name, last_name) values (${ctx.merchantId}, 'Ada', 'Lovelace')`);
  await inTransaction({ ...ctx, db: withSpan(ctx.db, span) }, createCustomer);
  await inTransaction(ctx, createCustomer);
  const deliveries = await database.db.execute(sql`
    select traceparent from webhook_delivery where merchant_id = ${ctx.merchantId} order by created_at`);
  expect([...deliveries]).toEqual([{ traceparent: TRACEPARENT }, { traceparent: null }]);
});

/** Citus sends the isolation level to the workers too. It must come before the first query of the transaction there. */
it('a traced transaction may choose its isolation level', async () => {
  const ctx = await createContext(database.db);
  const merchants = await inSnapshot({ ...ctx, db: withSpan(connection.db, span) }, async ({ db }) => {
    return await db.execute(sql`select from merchant where merchant_id = ${ctx.merchantId}`);
  });
  expect(merchants).toHaveLength(1);
});

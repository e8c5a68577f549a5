import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliveryAttempt } from '../../../drizzle/webhook.ts';
import { claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { type SendDependencies, sendDelivery } from '../../../src/webhook/sending/send-delivery.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../deliveries.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it.each<[string, Partial<SendDependencies>]>([
  ['not signed', { secretKey: createSecretKey(randomBytes(32)) }],
  ['stopped', { signal: AbortSignal.abort() }],
])('an attempt with the error "%s" has no duration', async (error, changed) => {
  expect(await logOf(changed)).toMatchObject({ statusCode: null, error, durationMs: null });
});

/** The log entry of an attempt to send an event. */
async function logOf(changed: Partial<SendDependencies>): Promise<DeliveryAttempt> {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const [delivery] = await claimDeliveries(ctx, await createEvents(ctx, 1));
  return (await sendDelivery({ ...ctx.webhook, merchantId: ctx.merchantId, ...changed }, delivery!)).log;
}

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { createEvents, createOtherApp, deliveriesOf, endpoint, save } from './deliveries.ts';

const scope = 'store/product/updated';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function createPaused(): Promise<{ own: Context; id: string }> {
  const own = await createContext(database.db, ['write_products']);
  const [hook] = await save(own, [scope]);
  await database.db.execute(sql`
    update webhook set status = 'PAUSED', paused_at = now(), given_up_in_a_row = 20
    where merchant_id = ${own.merchantId} and id = ${hook!.id}`);
  return { own, id: hook!.id };
}

const resume = async (ctx: Context, id: string) => await api.call(ctx, 'resumeWebhook', { id });

describe('resumeWebhook', () => {
  it('resumes the webhook without other changes, and does not change an active one', async () => {
    const { own, id } = await createPaused();
    const { data } = await resume(own, id);
    expect(data!['resumeWebhook']).toMatchObject({ id, scope, endpoint, status: 'ACTIVE', pausedAt: null });
    expect((await resume(own, id)).data).toEqual(data);
    const [row] = await database.db.execute(
      sql`select given_up_in_a_row as count from webhook where merchant_id = ${own.merchantId} and id = ${id}`,
    );
    expect(row).toEqual({ count: 0 });
  });

  it.each(['resumeWebhook', 'saveWebhook'])('queues at once what has waited: %s', async (operation) => {
    const own = await createContext(database.db);
    const waitsFor = ['store/customer/created'];
    const [hook] = await save(own, waitsFor);
    await database.db.execute(sql`
      update webhook set status = 'PAUSED', paused_at = now() where merchant_id = ${own.merchantId}`);
    await createEvents(own, 2);
    expect(await deliveriesOf(own)).toMatchObject(Array(2).fill({ isQueued: false }));
    if (operation === 'saveWebhook') await save(own, waitsFor);
    else expect((await resume(own, hook!.id)).errors).toBeUndefined();
    expect(await deliveriesOf(own)).toMatchObject(Array(2).fill({ isQueued: true }));
  });

  it('queues at once what has waited for the present endpoint behind a thousand deliveries for the former one', async () => {
    const own = await createContext(database.db);
    const [hook] = await save(own, ['store/customer/created']);
    await database.db.execute(sql`
      update webhook set status = 'PAUSED', paused_at = now() where merchant_id = ${own.merchantId}`);
    await database.db.execute(sql`
      insert into webhook_delivery
        (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data)
      select ${own.merchantId}, uuid_v7(), ${hook!.id}, ${own.session.authorizedAppId}, 'store/customer/created',
        'https://former.example/', uuid_v7(), 1, '{}'
      from generate_series(1, 1000)`);
    const ids = new Set(await createEvents(own, 2));
    expect((await resume(own, hook!.id)).errors).toBeUndefined();
    const waited = (await deliveriesOf(own)).filter(({ id }) => ids.has(id));
    expect(waited).toMatchObject(Array(2).fill({ endpoint, isQueued: true }));
  });

  it("needs write_webhooks for another app's webhook, and the read scope of its resource", async () => {
    const { own, id } = await createPaused();
    const attempt = async (scopes: AppScope[]) =>
      (await resume(await createOtherApp(own, scopes), id)).errors?.[0]?.extensions;
    expect(await attempt(['write_products'])).toMatchObject({ code: 'NOT_FOUND' });
    const needed = { code: 'UNAUTHORIZED', requiredScope: 'write_webhooks' };
    expect(await attempt(['read_products', 'read_webhooks'])).toMatchObject(needed);
    expect(await attempt(['write_webhooks'])).toMatchObject({ ...needed, requiredScope: 'read_products' });
    expect(await attempt(['read_products', 'write_webhooks'])).toBeUndefined();
  });

  it("does not find another merchant's webhook, or an unknown one", async () => {
    const { id } = await createPaused();
    const stranger = await createContext(database.db);
    for (const unknown of [id, newId(), 'no id']) {
      const { errors } = await resume(stranger, unknown);
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', ids: [unknown], path: ['id'] } }]);
    }
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeExpiredKeys } from '../../src/idempotency/remove-expired-keys.ts';
import { countRows } from '../support/clients.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

describe('the removal of keys', () => {
  it('removes the expired keys of all merchants, and no others', async () => {
    const apps = [await createContext(database.db), await createContext(database.db)];
    for (const app of apps) {
      await database.db.execute(sql`
        insert into idempotency_key (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
        select ${app.merchantId}, ${app.session.authorizedAppId}, n::text, '', now(), now() + make_interval(mins => 700 - n) from generate_series(1, 1300) as n`);
    }
    expect(await removeExpiredKeys(database)).toBe(2 * 601);
    expect(await Promise.all(apps.map((app) => countRows('idempotency_key', app)))).toEqual([699, 699]);
    expect(await removeExpiredKeys(database)).toBe(0);
  });

  it('keeps an expired key that is used again at the same time', async () => {
    const app = await createContext(database.db);
    await database.db.execute(sql`
      insert into idempotency_key (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
      values (${app.merchantId}, ${app.session.authorizedAppId}, 'again', '', now(), now() - interval '1 minute')`);
    let removed: Promise<number> | undefined;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`
        update idempotency_key set expires_at = now() + interval '1 day' where merchant_id = ${app.merchantId}`);
      removed = removeExpiredKeys(database);
      await waitForLocks(database.owner, 1);
    });
    expect(await removed).toBe(0);
    expect(await countRows('idempotency_key', app)).toBe(1);
  });
});

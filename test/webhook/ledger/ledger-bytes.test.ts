import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { createContext } from '../../support/context.ts';
import { withoutTriggers } from '../../support/database.ts';
import { startTestService } from '../../support/whole-service.ts';
import { register } from '../ledger.ts';

/** Of texts that PostgreSQL cannot compress. */
const BYTES = 1_000_000;

it('the metrics of a worker say how large the ledger is, with the payloads', async () => {
  const service = await startTestService({}, 'worker', {
    beforeStart: async ({ db, owner }) => {
      const ctx = await createContext(db);
      await register(ctx, ['store/customer/created'], { status: 'PAUSED' });
      await withoutTriggers(owner, async (owner) => {
        await owner.execute(sql`
          insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data)
          select merchant_id, id, authorized_app_id, scope, endpoint, id, 1,
            (select string_agg(md5(n::text), '') from generate_series(1, ${BYTES / 32}::int) n)
          from webhook where merchant_id = ${ctx.merchantId}`);
      });
    },
  });
  try {
    const bytes = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^webhook_ledger_bytes (\S+)$/m.exec(text)?.[1]);
    };
    await expect.poll(bytes).toBeGreaterThan(BYTES);
  } finally {
    await service.stop();
  }
});

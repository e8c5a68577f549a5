import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { listWebhookDelivery } from '../../src/webhook/listWebhookDelivery.ts';
import { createContext } from '../support/context.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { register } from './ledger.ts';

const MIB = 1024 * 1024;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

type Payload = { data: string; truncated: string[] | null };

async function shorten(record: unknown): Promise<{ record: unknown; truncated: string[] | null; bytes: number }> {
  const [row] = await database.db.execute<Payload>(
    sql`select data, truncated::json as truncated from shorten_webhook_payload(${JSON.stringify(record)})`,
  );
  return { record: JSON.parse(row!.data), truncated: row!.truncated, bytes: Buffer.byteLength(row!.data) };
}

describe('a record of more than 1 MiB', () => {
  it('is sent without its longest texts, as few as necessary, and with all others', async () => {
    const record = {
      id: 'p',
      name: 'Long',
      description: 'a'.repeat(700_000),
      notes: {
        inner: [
          { text: 'b'.repeat(600_000), n: 1.5 },
          { text: 'c', flag: null },
        ],
      },
      short: 'ğ'.repeat(500),
    };
    const { record: kept, truncated, bytes } = await shorten(record);
    expect(truncated).toEqual(['description']);
    expect(kept).toEqual({ ...record, description: undefined });
    expect(bytes).toBeLessThanOrEqual(MIB);
  });

  it('is measured in bytes, and loses members of lists rather than elements, except in lists of texts', async () => {
    const record = {
      id: 'p',
      translations: Array.from({ length: 12 }, (_, n) => ({ locale: `l${n}`, description: 'щ'.repeat(65_536 - n) })),
      urls: ['u'.repeat(300_000), 'short', 'v'.repeat(300_000)],
    };
    const { record: kept, truncated, bytes } = await shorten(record);
    expect(truncated).toEqual([...[0, 1, 2, 3, 4].map((n) => `translations.${n}.description`), 'urls.0', 'urls.2']);
    expect(kept).toEqual({
      ...record,
      translations: record.translations.map(({ locale, description }, n) =>
        n < 5 ? { locale } : { locale, description },
      ),
      urls: ['short'],
    });
    expect(bytes).toBeLessThanOrEqual(MIB);
  });

  it('always loses the first paths of texts of the same length', async () => {
    const record = { id: 'p', texts: Array.from({ length: 30 }, (_, n) => ({ n, value: 'x'.repeat(65_536) })) };
    const first = await shorten(record);
    expect(first.truncated).toHaveLength(15);
    expect(first.truncated).toEqual(
      [...Array(30).keys()]
        .map((n) => `texts.${n}.value`)
        .sort()
        .slice(0, 15),
    );
    expect(await shorten(record)).toEqual(first);
  });

  it('is unchanged if it has no text of at least 256 bytes', async () => {
    const record = {
      id: 'p',
      parts: Array.from({ length: 20_000 }, (_, n) => ({ id: `part ${n}`, value: 'v'.repeat(60) })),
    };
    expect(await shorten(record)).toMatchObject({ record, truncated: null });
  });

  it('may have any number of texts', async (test) => {
    skipOnCluster(test, 'it runs on worker nodes there, without the plan mode of this connection: 4 s instead of 20');
    const record = {
      id: 'p',
      parts: Array.from({ length: 15_000 }, (_, n) => ({ id: `part ${n}`, inner: { value: 'v'.repeat(280) } })),
    };
    const { truncated, bytes } = await shorten(record);
    expect(truncated!.length).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(MIB);
  }, 30_000);
});

describe('a change', () => {
  const customer = async (note: string): Promise<{ payload: string; truncated: string[] | null; stored: string }> => {
    await register(ctx, ['store/customer/created']);
    const { id } = await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} });
    await ctx.db.execute(sql`delete from webhook_delivery where merchant_id = ${ctx.merchantId}`);
    await ctx.db.execute(sql`delete from webhook where merchant_id = ${ctx.merchantId}`);
    await register(ctx, ['store/customer/updated']);
    await ctx.db.execute(sql`update customer set note = ${note} where merchant_id = ${ctx.merchantId} and id = ${id}`);
    const page = await listWebhookDelivery(ctx, {}, { data: { payload: {}, truncated: {} } });
    const [delivery] = JSON.parse(JSON.stringify(page.data)) as { payload: string; truncated: string[] | null }[];
    const [row] = await ctx.db.execute<{ data: string }>(
      sql`select data from webhook_delivery where merchant_id = ${ctx.merchantId}`,
    );
    return { ...delivery!, stored: row!.data };
  };

  it('of up to 1 MiB is stored byte for byte', async () => {
    const { stored: small } = await customer('');
    const { payload, truncated, stored } = await customer('n'.repeat(MIB - Buffer.byteLength(small)));
    expect(Buffer.byteLength(stored)).toBe(MIB);
    expect({ payload, truncated }).toEqual({ payload: stored, truncated: null });
    // The JSON text of PostgreSQL, in its format.
    expect(stored).toMatch(/^\{"id":".*","firstName":"Ada",/);
  });

  it('of one byte more is stored and sent without its longest text', async () => {
    const { stored: small } = await customer('');
    const { payload, truncated } = await customer('n'.repeat(MIB + 1 - Buffer.byteLength(small)));
    expect(truncated).toEqual(['note']);
    const { note: _note, ...rest } = JSON.parse(small) as { note: string };
    expect(Object.keys(JSON.parse(payload) as object).sort()).toEqual(Object.keys(rest).sort());
  });
});

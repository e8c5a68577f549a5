import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { listCustomer } from '../../src/customer/listCustomer.ts';
import type { QueryListCustomerArgs } from '../../src/graphql/generated/types.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { explaining } from '../support/plan.ts';

/** Enough that an index scan costs less than reading all of them. */
const CUSTOMERS = 5_000;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  for (const [firstName, email] of [
    ['Ada', 'Ada.Lovelace@Example.com'],
    ['Şule', 'ŞULE@örnek.example'],
    ['Max', 'straße@example.com'],
    ['Grace', null],
  ])
    await api.call(ctx, 'saveCustomer', { input: { firstName, email } });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function names(args: object): Promise<string[]> {
  const { data, errors } = await api.call(ctx, 'listCustomer', { sort: 'firstName', ...args });
  expect(errors).toBeUndefined();
  return (data!.listCustomer as { data: { firstName: string }[] }).data.map(({ firstName }) => firstName);
}

describe('the filter by e-mail address', () => {
  it.each(['ada.lovelace@example.com', 'ADA.LOVELACE@EXAMPLE.COM', ' Ada.Lovelace@example.COM '])(
    'compares %o without regard to case',
    async (email) => {
      expect(await names({ email: { eq: email } })).toEqual(['Ada']);
      expect(await names({ email: { in: ['other@example.com', email] } })).toEqual(['Ada']);
      expect(await names({ email: { ne: email } })).toEqual(['Grace', 'Max', 'Şule']);
      expect(await names({ email: { nin: [email, 'STRASSE@example.com'] } })).toEqual(['Grace', 'Max', 'Şule']);
    },
  );

  it('folds the case of all scripts, but no accents', async () => {
    expect(await names({ email: { eq: 'şule@ÖRNEK.example' } })).toEqual(['Şule']);
    expect(await names({ email: { eq: 'sule@ornek.example' } })).toEqual([]);
    expect(await names({ email: { in: ['STRASSE@EXAMPLE.COM'] } })).toEqual([]);
    expect(await names({ email: { like: 'ada.love' } })).toEqual(['Ada']);
  });

  it('treats both forms of the small sigma as one letter', async () => {
    const own = await createContext(database.db);
    for (const email of ['ς1@example.com', 'ΟΔΟΣ@example.com'])
      await api.call(own, 'saveCustomer', { input: { firstName: 'Greek', email } });
    const emails = async (email: object) =>
      (await listCustomer(own, { email }, { data: { email: {} } })).data.map((one) => one.email);
    for (const first of ['Σ1@example.com', 'σ1@EXAMPLE.com', 'ς1@example.com'])
      expect(await emails({ eq: first }), first).toEqual(['ς1@example.com']);
    for (const second of ['οδος@example.com', 'οδοσ@example.com', 'ΟΔΟΣ@EXAMPLE.COM']) {
      expect(await emails({ in: [second, 'x@example.com'] }), second).toEqual(['ΟΔΟΣ@example.com']);
      expect(await emails({ ne: second }), second).toEqual(['ς1@example.com']);
      expect(await emails({ like: second.slice(0, 4) }), second).toEqual(['ΟΔΟΣ@example.com']);
    }
  });

  it('finds a part of the address, also if it is sent with spaces around it', async () => {
    expect(await names({ email: { like: ' ada.love ' } })).toEqual(['Ada']);
  });

  it('returns the address as it was saved', async () => {
    const { data } = await api.call(ctx, 'listCustomer', { email: { eq: 'ada.lovelace@example.com' } });
    expect(data).toMatchObject({ listCustomer: { data: [{ email: 'Ada.Lovelace@Example.com' }] } });
  });

  it('compares other texts exactly', async () => {
    await api.call(ctx, 'saveCustomer', { input: { firstName: 'Zoe', phone: 'Ext. A' } });
    expect(await names({ phone: { eq: 'ext. a' } })).toEqual([]);
    expect(await names({ phone: { eq: 'Ext. A' } })).toEqual(['Zoe']);
  });

  it.each<[string, QueryListCustomerArgs]>([
    ['one address', { email: { eq: 'N4@Example.com' } }],
    ['some addresses', { email: { in: ['n4@example.com', 'N5@example.com'] } }],
  ])('finds %s with an index', async (_, args) => {
    expect(await planAmongMany(args)).toContain('customer_email');
  });

  it('finds a part of a name or an address with an index', async () => {
    expect(await planAmongMany({ search: 'N4@Exam' })).toMatch(/customer_search[^]*Index Cond: [^\n]*search_text/);
  });

  it('finds the few customers that changed since a time with an index', async () => {
    expect(await planAmongMany({ updatedAt: { gt: Date.now() - 5.5 * DAY_MS } })).toContain('customer_updated');
  });

  it.each(['n44@e', '44@', '4@e'])('finds %s, which has a trigram, with an index', async (search) => {
    expect(await planAmongMany({ search })).toMatch(/customer_search[^]*Index Cond: [^\n]*search_text/);
  });

  it.each(['n4', '4@', 'a'])('reads no entries of other merchants to find %s, which has no trigram', async (search) => {
    expect(await planAmongMany({ search })).not.toMatch(/Index Cond: [^\n]*search_text/);
  });

  it('finds the few customers without an address with an index', async (test) => {
    skipOnCluster(test, 'the statistics are those of all merchants of a shard, many of whose customers have none');
    expect(await planAmongMany({ email: { isNull: true } })).toContain('customer_email');
  });

  it.each(['firstName', '-firstName'])('reads a page by %s, and the next one, with an index', async (sort) => {
    const many = await withManyCustomers();
    const first = { sort, pagination: { limit: 20 } };
    expect(await planOf(many, first)).toContain('customer_first_name');
    const { endCursor } = await listCustomer(many, first, { endCursor: {} });
    const next = await planOf(many, { sort, pagination: { limit: 20, after: endCursor } });
    expect(next).toMatch(/customer_first_name[^]*Index Cond: [^\n]*first_name/);
  });

  async function planAmongMany(args: QueryListCustomerArgs): Promise<string> {
    return await planOf(await withManyCustomers(), args);
  }

  async function withManyCustomers(): Promise<Context> {
    const many = await createContext(database.db);
    await database.db.execute(sql`
      insert into customer (merchant_id, first_name, email, updated_at)
      select ${many.merchantId}::uuid, 'Ada ' || n, case when n % 1000 > 0 then 'n' || n || '@example.com' end,
        now() - n * interval '1 day'
      from generate_series(1, ${CUSTOMERS}::int) as n`);
    // Vacuum empties the list of pending entries of the GIN index, which would be read whole.
    await database.owner.execute(sql`vacuum analyze customer`);
    return many;
  }

  async function planOf(many: Context, args: QueryListCustomerArgs): Promise<string> {
    const plans: string[] = [];
    const traced = { ...many, db: explaining(database.db, plans) };
    expect((await listCustomer(traced, args, { data: { firstName: {} } })).data.length).toBeGreaterThan(0);
    expect(plans[0]).not.toContain('Seq Scan on customer');
    return plans[0]!;
  }
});

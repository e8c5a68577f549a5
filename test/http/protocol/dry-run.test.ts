import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { calls } from '../../contract/calls.ts';
import { type NewShop, shopCopies } from '../../contract/shop-copies.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { operations, startOperations } from '../../support/operation.ts';

/** It sends requests, which a dry run could not undo. */
const REFUSED = 'testWebhook';
/** Tables with the time of the last notice to the worker. An unnecessary notice has no effect. */
const WAKE_UP = '^(webhook|product_search|category_membership)_wake_up$';
const dryRun = { 'x-dry-run': 'true' };
const mutations = [...operations].filter(([, { kind }]) => kind === 'mutation').map(([name]) => name);

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let newShop: NewShop;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  newShop = await shopCopies(api.call, database);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function pauseWebhooks(ctx: Context): Promise<void> {
  await database.db.execute(
    sql`update webhook set status = 'PAUSED', paused_at = now() where merchant_id = ${ctx.merchantId}`,
  );
}

describe('a dry run', () => {
  it('is tested with every mutation', () => {
    expect(mutations.length).toBeGreaterThan(20);
    expect(mutations.filter((name) => !calls[name])).toEqual([]);
  });

  it.each(mutations.filter((name) => name !== REFUSED))(
    'of %s has the answer of the mutation, and changes no table and no queue',
    async (name) => {
      const [ctx, shop] = await newShop();
      const variables = calls[name]!(shop);
      if (name === 'resumeWebhook') await pauseWebhooks(ctx);
      const before = await checksums();
      const tried = await api.call(ctx, name, variables, dryRun);
      expect(await checksums()).toEqual(before);
      const done = await api.call(ctx, name, variables);
      expect(await checksums()).not.toEqual(before);
      expect(tried.extensions).toEqual({ dryRun: true });
      expect(done.extensions).toBeUndefined();
      expect(withoutChance(tried)).toEqual(withoutChance(done));
      expect(done.errors).toBeUndefined();
    },
  );

  it('of testWebhook is refused before anything is executed', async () => {
    const [ctx, shop] = await newShop();
    const variables = calls[REFUSED]!(shop);
    const { data, errors } = await api.call(ctx, REFUSED, variables, dryRun);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['X-Dry-Run'] }] } },
    ]);
  });

  it('checks everything that the mutation checks, and marks error responses too', async () => {
    const ctx = await createContext(database.db);
    await api.call(ctx, 'saveProductBrand', { input: { name: 'Taken' } });
    for (const [input, code] of [
      [{ name: 'Taken' }, 'CONFLICT'],
      [{ id: 'none', name: 'x' }, 'NOT_FOUND'],
      [{ name: '' }, 'ARGUMENT_VALIDATION_ERROR'],
    ] as const) {
      expect(await api.call(ctx, 'saveProductBrand', { input }, dryRun)).toMatchObject({
        errors: [{ extensions: { code } }],
        extensions: { dryRun: true },
      });
    }
  });

  it('uses no number of a counter without gaps', async () => {
    const ctx = await createContext(database.db);
    const save = async (headers = {}) => await api.call(ctx, 'saveCustomer', { input: { firstName: 'Ada' } }, headers);
    const answers = [await save(), await save(dryRun), await save(dryRun), await save()];
    expect(answers.map(({ data }) => (data!['saveCustomer'] as { customerSequence: number }).customerSequence)).toEqual(
      [1, 2, 2, 2],
    );
  });

  it('leaves its Idempotency-Key free', async () => {
    const ctx = await createContext(database.db);
    const headers = { 'idempotency-key': 'tried-first' };
    const before = await checksums();
    await api.call(ctx, 'saveProductTag', { input: { name: 'Tag' } }, { ...headers, ...dryRun });
    expect(await checksums()).toEqual(before);
    expect(await api.call(ctx, 'saveProductTag', { input: { name: 'Tag' } }, headers)).toMatchObject({
      data: { saveProductTag: { name: 'Tag' } },
    });
  });

  it.each(['false', '1', 'TRUE', 'true, true', ''])(
    'is refused with the invalid header %j, and so is the mutation',
    async (value) => {
      const ctx = await createContext(database.db);
      const before = await checksums();
      const answer = await api.call(ctx, 'saveProductTag', { input: { name: 'Tag' } }, { 'x-dry-run': value });
      expect(answer.errors).toMatchObject([
        { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['X-Dry-Run'] }] } },
      ]);
      expect(await checksums()).toEqual(before);
    },
  );

  it('is ignored by a query', async () => {
    const ctx = await createContext(database.db);
    const answer = await api.call(
      ctx,
      'listProductTag',
      {},
      { 'x-dry-run': 'whatever', 'idempotency-key': 'not a key' },
    );
    expect(answer).toEqual({ data: { listProductTag: [] } });
  });
});

/** The number and a hash of the rows of each table, including the queue's, and the state of each sequence. */
async function checksums(): Promise<Record<string, string>> {
  const tables = await database.owner.execute<{ name: string }>(sql`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'S') and nspname !~ '^(pg_|information_schema$)' and relname !~ ${WAKE_UP} order by 1`);
  const sums = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, concat(count(*), ' ', sum(hashtextextended(t::text, 0))) as rows from (select * from ${sql.raw(name)}) as t`,
  );
  const found = await database.owner.execute<{ name: string; rows: string }>(sql.join(sums, sql` union all `));
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
}

/** An answer without new ids and times, which differ in every execution. */
function withoutChance({ data }: { data?: unknown }): unknown {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return JSON.parse(
    JSON.stringify(data)
      .replaceAll(uuid, '<id>')
      .replaceAll(/(?<="\w+At":)\d{13}/g, '0')
      .replaceAll(/(?<="durationMs":)\d+/g, '0')
      .replaceAll(/(?<="requestId":)"[^"]+"/g, '"<request>"'),
  );
}

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { changedParts, changedVariantIds, nextSlice } from '../../src/revert/changed-parts.ts';
import { revertChanges } from '../../src/revert/revertChanges.ts';
import { checkedSummary } from '../../src/revert/revert-summary.ts';
import { ofWholeSet, type RevertedType } from '../../src/revert/reverted-changes.ts';
import { withoutRevertedCounts } from '../../src/revert/reverted-counts.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { ON_NODES, rowsRead } from '../support/rows-read.ts';

/** Changes of one set, and sets of one change. */
const CHANGES = 20_000;
/** Records of a slice. */
const RECORDS = 1_000;

const GENERATION_TIMEOUT_MS = 120_000;

let database: TestDatabase;
let ctx: Context;
const [setId, revertId] = [newId(), newId()];

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const rows = (set: ReturnType<typeof sql>) => sql`
    select ${ctx.merchantId}::uuid as merchant_id, uuid_v7() as id, gen_random_uuid() as record_id, ${set} as set_id
    from generate_series(1, ${CHANGES}::int)`;
  await withoutTriggers(database.owner, async (owner) => {
    for (const set of [sql`uuid_v7()`, sql`${setId}::uuid`])
      await owner.execute(sql`
        insert into change
          (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, created_at)
        select merchant_id, id, 'PRODUCT', record_id, 1, 'CREATED', set_id, set_id, now() from (${rows(set)}) as rows`);
    await owner.execute(sql`
      insert into change_part (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, after)
      select merchant_id, change_transaction_id, record_id, record_type, 1, '', 'INSERTED', '{"name":"New"}' from change
      where merchant_id = ${ctx.merchantId} and record_type = 'PRODUCT'`);
    await owner.execute(sql`
      insert into stock_movement (merchant_id, id, product_stock_location_id, sequence, change_number, kind, delta,
        count_after, product_id, variant_id, stock_location_id, change_transaction_id, change_set_id, created_at)
      select merchant_id, uuid_v7(), record_id, own.n, own.n, 'CORRECTED', 1, 1, record_id, record_id, record_id, own.id, own.id, now()
      from (${rows(sql`uuid_v7()`)}) as rows, unnest(array[set_id, ${setId}, ${revertId}]::uuid[]) with ordinality as own(id, n)`);
    await owner.execute(sql`
      insert into change_set (merchant_id, id, reverts_change_set_id, created_at)
      values (${ctx.merchantId}, ${setId}, null, now()), (${ctx.merchantId}, ${revertId}, ${setId}, now())`);
  });
  await database.owner.execute(sql`analyze change, change_part, stock_movement, change_set`);
}, GENERATION_TIMEOUT_MS);
afterAll(() => database.drop());

const whole = () => ({ ...ofWholeSet(ctx, { changeSetId: setId, transactionId: null }), path: [] });

describe('the slices of a large change set', () => {
  it.for<[RevertedType, string]>([
    ['PRODUCT', 'change'],
    ['PRODUCT_STOCK_LOCATION', 'stock_movement'],
  ])('read only their own records: %s', async ([recordType, table], { skip }) => {
    skip(database.placement.needsRelay, ON_NODES);
    const range = { afterId: '80000000-0000-4000-8000-000000000000', maxRecords: RECORDS };
    let parts = 0;
    const read = await rowsRead(database, table, async () => {
      const slice = await nextSlice(ctx, whole(), recordType, range);
      expect(slice.ids).toHaveLength(RECORDS);
      await changedVariantIds(ctx, whole(), slice);
      const found = await changedParts(ctx, whole(), [slice]);
      parts = found.length;
      await withoutRevertedCounts(ctx, found);
    });
    expect(parts).toBe(RECORDS);
    // Each statement reads each row once. Those that compare all rows of the set would read 80,000.
    expect(read).toBeLessThanOrEqual(6 * RECORDS);
  });
});

it('the summary of a large change set counts no more records than it needs', async () => {
  const summary = await checkedSummary(ctx, whole(), RECORDS);
  expect(summary).toEqual({
    types: new Set(['PRODUCT', 'PRODUCT_STOCK_LOCATION']),
    recordCount: 2 * (RECORDS + 1),
    changeSetIds: [setId],
  });
});

it('a request for more records than it could compare in time is refused before it compares any', async () => {
  const reverting = revertChanges(ctx, { input: { changeSetId: setId } }, CHANGES);
  await expect(reverting).rejects.toMatchObject({
    code: 'ARGUMENT_VALIDATION_ERROR',
    message: expect.stringContaining(`more than ${CHANGES} records: the command "commerce revert"`),
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { withSpan } from '../../../src/db/connection/database.ts';
import { inSnapshot, inTransaction } from '../../../src/db/connection/transaction.ts';
import { listProductTag } from '../../../src/tag/listProductTag.ts';
import { saveProductTag } from '../../../src/tag/saveProductTag.ts';
import type { Span } from '../../../src/tracing/span.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const list = async (args: object) => await listProductTag(ctx, args, { name: {}, updatedAt: {} });

describe('a change that is committed after a later one', () => {
  const TWO_MINUTES_MS = 120_000;

  it('is found by a client that reads from two minutes before its last reading, although its `updatedAt` is older', async () => {
    const committed = Promise.withResolvers<void>();
    const saved = Promise.withResolvers<void>();
    const late = inTransaction(ctx, async (ctx) => {
      await saveProductTag(ctx, { input: { name: 'committed late' } }, { id: {} });
      saved.resolve();
      await committed.promise;
    });
    await saved.promise;
    await saveProductTag(ctx, { input: { name: 'committed first' } }, { id: {} });
    const begun = Date.now();
    const seen = await list({});
    committed.resolve();
    await late;
    const names = async (gt: number) => (await list({ updatedAt: { gt } })).map(({ name }) => name);
    expect(seen.map(({ name }) => name)).not.toContain('committed late');
    expect(await names(Math.max(...seen.map(({ updatedAt }) => updatedAt!)))).not.toContain('committed late');
    expect(await names(begun - TWO_MINUTES_MS)).toContain('committed late');
  });

  it('has an `updatedAt` of at most a minute ago', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const input = { name: 'too late' };
      const late = inTransaction(ctx, async (ctx) => {
        await saveProductTag(ctx, { input }, { id: {} });
        vi.advanceTimersByTime(60_001);
      });
      await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
    } finally {
      vi.useRealTimers();
    }
    expect(await list({ name: { eq: 'too late' } })).toEqual([]);
  });

  it('has a later `updatedAt` than the record had before, although its transaction is older', async () => {
    const { id } = await saveProductTag(ctx, { input: { name: 'overtaken' } }, { id: {} });
    const begun = Promise.withResolvers<void>();
    const overtaken = Promise.withResolvers<void>();
    const late = inTransaction(ctx, async (ctx) => {
      await ctx.db.execute(sql`select`);
      begun.resolve();
      await overtaken.promise;
      return await saveProductTag(ctx, { input: { id, name: 'second' } }, { updatedAt: {} });
    });
    await begun.promise;
    const first = await saveProductTag(ctx, { input: { id, name: 'first' } }, { updatedAt: {} });
    overtaken.resolve();
    expect((await late).updatedAt).toBeGreaterThan(first.updatedAt!);
  });
});

describe('a transaction of a traced request', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const span: Span = { traceparent, start: () => span, set: () => undefined, end: () => undefined };
  const named = sql`select current_setting('commerce.traceparent', true) as name`;

  it('has the trace of the request until it ends, and can set its isolation level', async () => {
    const traced = { ...ctx, db: withSpan(ctx.db, span) };
    const read = async (ctx: Pick<Context, 'db'>) => [...(await ctx.db.execute<{ name: string }>(named))];
    expect(await inTransaction(traced, read)).toEqual([{ name: traceparent }]);
    expect(await inSnapshot(traced, read)).toEqual([{ name: traceparent }]);
    expect((await inTransaction(ctx, read))[0]!.name || null).toBe(null);
  });
});

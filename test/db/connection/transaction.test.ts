import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { productTag } from '../../../drizzle/tag.ts';
import type { Context } from '../../../src/context.ts';
import { withSpan } from '../../../src/db/connection/database.ts';
import { inDryRun, inSnapshot, inTransaction } from '../../../src/db/connection/transaction.ts';
import { toPublicError } from '../../../src/http/protocol/problem.ts';
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

describe('a transaction that takes longer than a minute', () => {
  const late = { code: 'TIMEOUT' };
  const statement = sql`select`;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Rejects with the error of the first refused statement. `begin` runs the loop in a transaction. */
  async function untilRefused(begin: (work: (ctx: Context) => Promise<void>) => Promise<void>): Promise<number> {
    let sent = 0;
    const loop = async (ctx: Context): Promise<void> => {
      for (; sent < 10; sent++) {
        await ctx.db.execute(statement);
        vi.advanceTimersByTime(25_000);
      }
    };
    await expect(begin(loop)).rejects.toMatchObject(late);
    return sent;
  }

  it('sends no further statement', async () => {
    expect(await untilRefused(async (loop) => await inTransaction(ctx, loop))).toBe(3);
  });

  it('sends no further statement in a dry run', async () => {
    expect(await untilRefused(async (loop) => await inDryRun(ctx, loop))).toBe(3);
  });

  it('sends no further statement in its savepoints', async () => {
    const sent = await untilRefused(async (loop) => {
      await inTransaction(ctx, async (ctx) => {
        await inTransaction(ctx, async () => void vi.advanceTimersByTime(25_000));
        await inTransaction(ctx, loop);
      });
    });
    expect(sent).toBe(2);
  });

  it('sends no further statement that Drizzle builds, and none in a savepoint of Drizzle', async () => {
    const built = inTransaction(ctx, async ({ db }) => {
      vi.advanceTimersByTime(60_001);
      await db.select().from(productTag);
    });
    await expect(built).rejects.toMatchObject(late);
    const nested = inTransaction(ctx, async ({ db }) => {
      vi.advanceTimersByTime(60_001);
      await db.transaction(async (db) => await db.execute(statement));
    });
    await expect(nested).rejects.toMatchObject(late);
  });

  it('tells a client so also in the error of a statement that is answered inside the transaction', async () => {
    const errors: unknown[] = [];
    const answered = inTransaction(ctx, async ({ db }) => {
      vi.advanceTimersByTime(60_001);
      await Promise.resolve(db.execute(statement)).catch((error: unknown) => errors.push(error));
    });
    await expect(answered).rejects.toMatchObject(late);
    expect(errors.map((error) => toPublicError(error, {} as never))).toMatchObject([late]);
  });

  it('goes on in a dry run of a command that allows more time', async () => {
    const sent = await inDryRun(
      ctx,
      async ({ db }) => {
        vi.advanceTimersByTime(600_000);
        return (await db.execute(statement)).length;
      },
      Infinity,
    );
    expect(sent).toBe(1);
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

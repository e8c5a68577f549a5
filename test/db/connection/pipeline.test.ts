import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PipelineStep, pipelineStep, pipeline } from '../../../src/db/connection/pipeline.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.owner.execute(sql`create table written (number int primary key)`);
  await database.owner.execute(sql`grant all on written to public`);
});
beforeEach(async () => {
  await database.db.execute(sql`truncate written`);
});
afterAll(() => database.drop());

const write = (number: number): PipelineStep<void> =>
  pipelineStep(sql`insert into written values (${number}::int) returning number`);
const count: PipelineStep<number> = {
  statement: sql`select count(*)::int as "count" from written`,
  read: ([row]) => row!.count as number,
};
const counted = async () => await pipeline(database, [count]);

it('runs steps in order and returns the rows of the last one', async () => {
  expect(await inTransaction(database, async (ctx) => await pipeline(ctx, [write(1), write(2), count]))).toBe(2);
});

it('throws the refusal of the first step, also if a later statement fails, and writes nothing', async () => {
  const refusing: PipelineStep = {
    statement: sql`select 1`,
    read: () => {
      throw new Error('refused');
    },
  };
  const steps = [write(1), refusing, write(1), write(2)];
  await expect(inTransaction(database, async (ctx) => await pipeline(ctx, steps))).rejects.toThrow('refused');
  expect(await counted()).toBe(0);
});

it('throws the first failure, not the later ones that it has caused', async () => {
  const failure = inTransaction(database, async (ctx) => await pipeline(ctx, [write(1), write(1), write(2), count]));
  await expect(failure).rejects.toMatchObject({ code: 'CONFLICT' });
});

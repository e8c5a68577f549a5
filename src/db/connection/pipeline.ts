import type { SQL } from 'drizzle-orm';
import type { DatabaseContext } from './database.ts';

type Row = Record<string, unknown>;

/**
 * A statement, and a function that makes the result of its rows. The function may return a promise, so that it can
 * yield to the event loop while it reads many rows.
 */
export type PipelineStep<Result = unknown> = { statement: Statement; read: (rows: readonly Row[]) => Result };

/** A statement may be a promise: writing thousands of rows as its JSON parameter yields to the event loop. */
export type Statement = SQL | Promise<SQL>;

/**
 * Sends all statements without waiting for answers, which takes one round trip. In a transaction they run in this
 * order. Throws the first failure of a statement or of `read`: later ones may be consequences of it. Returns the
 * result of the last step.
 */
export async function pipeline<Result>(
  ctx: DatabaseContext,
  steps: readonly [...PipelineStep[], PipelineStep<Result>],
): Promise<Awaited<Result>>;
export async function pipeline<Result>(
  ctx: DatabaseContext,
  steps: readonly PipelineStep<Result>[],
): Promise<Awaited<Result> | undefined>;
export async function pipeline(ctx: DatabaseContext, steps: readonly PipelineStep[]): Promise<unknown> {
  const statements = await Promise.all(steps.map(async ({ statement }) => await statement));
  const settled = await Promise.allSettled(statements.map((statement) => ctx.db.execute(statement)));
  let result: unknown;
  for (const [index, { read }] of steps.entries()) {
    const answer = settled[index]!;
    if (answer.status === 'rejected') throw answer.reason;
    result = read(answer.value);
    if (result instanceof Promise) result = await result;
  }
  return result;
}

/** A step that ignores its rows. */
export function pipelineStep(statement: Statement): PipelineStep<void> {
  return { statement, read: () => {} };
}

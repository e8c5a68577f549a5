import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';

type Row = Record<string, unknown>;

/** A statement, and what is made of its rows. */
export type PipelineStep<Result = unknown> = { statement: SQL; read: (rows: readonly Row[]) => Result };

/**
 * Sends statements one behind the other without waiting for each answer, so that many cost one round trip. In a transaction,
 * which has one connection, they run in this order. Throws the first failure of a statement or of `read`: later ones may be
 * consequences of it. Answers what the last step reads.
 */
export async function pipeline<Result>(
  ctx: Pick<Context, 'db'>,
  steps: readonly [...PipelineStep[], PipelineStep<Result>],
): Promise<Result>;
export async function pipeline<Result>(
  ctx: Pick<Context, 'db'>,
  steps: readonly PipelineStep<Result>[],
): Promise<Result | undefined>;
export async function pipeline(ctx: Pick<Context, 'db'>, steps: readonly PipelineStep[]): Promise<unknown> {
  const settled = await Promise.allSettled(steps.map(({ statement }) => ctx.db.execute(statement)));
  const results = steps.map(({ read }, index) => {
    const answer = settled[index]!;
    if (answer.status === 'rejected') throw answer.reason;
    return read(answer.value);
  });
  return results.at(-1);
}

/** A statement whose rows do not matter. */
export function pipelineStep(statement: SQL): PipelineStep<void> {
  return { statement, read: () => {} };
}

/**
 * Steps as the parts of one statement, which is sent and answered once. Parents stand before their
 * children, none reads what another writes, and no two write one row. Its rows are those of the last.
 */
export function asSingleStatement(steps: readonly PipelineStep[]): PipelineStep[] {
  const last = steps.at(-1);
  if (!last || steps.length === 1) return [...steps];
  const parts = steps.slice(0, -1).map(({ statement }, index) => sql`${sql.raw(`part${index}`)} as (${statement})`);
  return [{ ...last, statement: sql`with ${sql.join(parts, sql`, `)} ${last.statement}` }];
}

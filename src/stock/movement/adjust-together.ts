import { sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { scopeIsGranted } from '../../app-scope.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { isUndone, SQLSTATE, sqlState } from '../../db/errors/database-error.ts';
import type { Selection } from '../../db/read/projection.ts';
import type { StockMovement } from '../../graphql/generated/types.ts';
import { refusal } from '../entry/refused-entries.ts';
import { type MovementEntry, readMovements, sentEntry, sentRow } from './write-movements.ts';

type Request = { readonly ctx: Context; readonly entry: MovementEntry; readonly selection: Selection };

/** Null: the request needs a transaction of its own. */
type Decision = { readonly movement: StockMovement } | { readonly error: Error } | null;

/** What the statement says of an entry that it does not decide. */
const ALONE = 'ALONE';

/**
 * Executes the only entry of a request in one transaction with those of other requests of the merchant that arrive at
 * the same time. A count that many requests change is then locked once, and the transaction is committed once, for all of
 * them. Each request succeeds or is refused independently, and has its own change set. Returns null if the request must be
 * executed alone.
 */
export async function adjustTogether(
  ctx: Context,
  entry: MovementEntry,
  selection: Selection,
): Promise<StockMovement | null> {
  const request: Request = { ctx, entry, selection };
  const decision = await ctx.batches!.run(`adjustStock ${ctx.merchantId}`, request, executeBatch);
  if (!decision) return null;
  if ('error' in decision) throw decision.error;
  // The transaction is committed, but without aliases no movement is too large for a response.
  ctx.beforeCommit?.([decision.movement]);
  return decision.movement;
}

/** If the transaction fails, each is executed alone. Its key makes that safe, even if the transaction was committed. */
async function executeBatch(requests: readonly Request[]): Promise<Decision[]> {
  try {
    return await decide(requests);
  } catch (error) {
    const [{ ctx }] = requests as [Request];
    // A key that another transaction used meanwhile is a serialization failure.
    if (!isUndone(error) && sqlState(error) !== SQLSTATE.lockNotAvailable)
      ctx.log.warn({ err: error }, 'Stock adjustments that shared a transaction failed, and are executed one by one.');
    return requests.map(() => null);
  }
}

async function decide(requests: readonly Request[]): Promise<Decision[]> {
  const [{ ctx }] = requests as [Request];
  const rows = await readRows(
    ctx,
    {
      entry: column.number,
      problem: column.nullable(column.text),
      actual: column.nullable(column.number),
      id: column.nullable(column.text),
    },
    sql`
    select entry, problem, actual::float8 as "actual", movement_id as "id"
    from adjust_stock_together(${ctx.merchantId}::uuid, ${JSON.stringify(requests.map(sentRequest))}::json)`,
  );
  const found = await readAll(requests, new Map(rows.map(({ entry, id }) => [entry, id])));
  const byEntry = new Map(rows.map((row) => [row.entry, row]));
  return requests.map(({ entry }, n) => {
    const { problem, actual } = byEntry.get(n)!;
    if (problem === null) return found.get(n) ?? null;
    if (problem === ALONE) return null;
    return { error: refusal([{ entry: 0, problem, actual }], [sentEntry(entry)]) };
  });
}

function sentRequest({ ctx, entry }: Request, n: number): object {
  const { changeSetId, requestId, actor } = ctx.origin!;
  const origin = { set_id: changeSetId, request_id: requestId, actor, app_id: ctx.session.authorizedAppId };
  return { ...sentRow(entry, n), ...origin };
}

/** Reads the movements of the requests. Requests that select the same members are read by one statement. */
async function readAll(
  requests: readonly Request[],
  ids: ReadonlyMap<number, string | null>,
): Promise<Map<number, Decision>> {
  const made = [...requests.entries()].filter(([n]) => ids.get(n) != null);
  const groups = Map.groupBy(made, ([, { selection, ctx }]) =>
    JSON.stringify([scopeIsGranted(ctx.session.scopes, 'read_apps'), selection]),
  );
  const decisions = new Map<number, Decision>();
  for (const group of groups.values()) {
    const [[, { ctx: first, selection }]] = group as [[number, Request]];
    // Without aliases no movement is too large for a response.
    const { responseSize: _, ...ctx } = first;
    const movements = await readMovements(
      ctx,
      group.map(([n, { entry }]) => ({ key: entry.key, id: ids.get(n)! })),
      selection,
    );
    for (const [place, [n]] of group.entries()) decisions.set(n, { movement: movements[place]! });
  }
  return decisions;
}

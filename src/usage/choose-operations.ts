import { and } from 'drizzle-orm';
import { clientOperation } from '../../drizzle/usage.ts';
import type { MerchantContext } from '../context.ts';
import { isAnyOf, ownedBy } from '../db/sql/parameter.ts';
import { epochMs } from '../db/sql/timestamp.ts';
import type { InsertedRow } from '../db/write/write.ts';
import type { AppUsage } from './usage-counts.ts';

/**
 * Maximum number of operations per app whose text is kept, including those of earlier days. Further operations are
 * counted together. Nodes that write at the same time may keep a few more.
 */
const MAX_OPERATIONS_PER_APP = 100;

type OperationRow = InsertedRow<typeof clientOperation>;

/** `kept`: the ids of the kept operations of each app. `changed`: those that are new or used on a later day. */
export type ChosenOperations = {
  readonly kept: ReadonlyMap<string, ReadonlySet<string>>;
  readonly changed: OperationRow[];
};

/**
 * Chooses the operations of one merchant's apps whose text is kept: first those whose text is stored already, then new
 * ones.
 */
export async function chooseOperations(ctx: MerchantContext, usages: readonly AppUsage[]): Promise<ChosenOperations> {
  const stored = await storedOperations(ctx, [...new Set(usages.map(({ authorizedAppId }) => authorizedAppId))]);
  const changed = new Map<string, OperationRow>();
  for (const { authorizedAppId, dayMs, operations } of usages) {
    const known = stored.get(authorizedAppId) ?? new Map<string, number>();
    stored.set(authorizedAppId, known);
    for (const { operation } of operations.values()) {
      if (!operation || (!known.has(operation.id) && known.size >= MAX_OPERATIONS_PER_APP)) continue;
      if ((known.get(operation.id) ?? -Infinity) >= dayMs) continue;
      known.set(operation.id, dayMs);
      const { id, name, text } = operation;
      const lastUsedOn = new Date(dayMs).toISOString();
      changed.set(`${authorizedAppId} ${id}`, { authorizedAppId, operation: id, name, text, lastUsedOn });
    }
  }
  const kept = new Map([...stored].map(([app, operations]) => [app, new Set(operations.keys())]));
  return { kept, changed: [...changed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row) };
}

/** The last day of each kept operation, by app and id. */
async function storedOperations(
  ctx: MerchantContext,
  appIds: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const rows = await ctx.db
    .select({
      authorizedAppId: clientOperation.authorizedAppId,
      operation: clientOperation.operation,
      lastUsedMs: epochMs(clientOperation.lastUsedOn),
    })
    .from(clientOperation)
    .where(and(ownedBy(ctx, clientOperation), isAnyOf(clientOperation.authorizedAppId, appIds)));
  const byApp = Map.groupBy(rows, ({ authorizedAppId }) => authorizedAppId);
  return new Map(
    [...byApp].map(([app, own]) => [app, new Map(own.map(({ operation, lastUsedMs }) => [operation, lastUsedMs]))]),
  );
}

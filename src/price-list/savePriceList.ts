import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { lockRecord } from '../db/write/lock-record.ts';
import { newRowOf } from '../db/write/new-row.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import type { Selection } from '../db/read/projection.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { recordWrite } from '../db/write/record-write.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSavePriceListArgs, PriceList } from '../graphql/generated/types.ts';
import { merchantLock } from '../merchant/merchant-lock.ts';
import { isDynamicRow } from './dynamic-list.ts';
import { checkDynamicList } from './dynamic-list-check.ts';
import { priceListInput } from './generated/price-list-input.ts';
import type { RuleList } from './price-list-input.ts';
import { priceListProjection } from './price-list.ts';

const newPriceList = newRowOf(priceList);

export async function savePriceList(
  ctx: Context,
  args: MutationSavePriceListArgs,
  selection: Selection,
): Promise<PriceList> {
  const { id: sentId, ...members } = parseInput(priceListInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    await pipeline(ctx, [merchantLock(ctx)]);
    const stored = sentId === undefined ? newPriceList() : await lockRecord(ctx, priceList, 'PriceList', sentId);
    const row = { ...stored, ...withoutUndefined(members), deleted: members.deleted ?? stored.deleted };
    await checkDynamicList(ctx, row, stored);
    // Before the commit: without such a list, true costs only a little time.
    if (isDynamicRow(row)) ctx.session.hasDynamicPriceLists = true;
    const check = baseCheck(ctx, members.ruleList, stored.ruleList);
    return await pipeline(ctx, [
      ...check,
      ...recordWrite(ctx, priceList, row, sentId === undefined ? null : stored),
      readRecordStep(ctx, priceListProjection, row.id, selection),
    ]);
  });
}

/** Rules are in a JSON document, so no foreign key checks their price lists. */
function baseCheck(
  ctx: Context,
  rules: RuleList | null | undefined,
  storedRules: RuleList | null | undefined,
): PipelineStep<void>[] {
  const ids = (rules ?? []).flatMap(({ basePriceListId: id }, index) =>
    typeof id === 'string' ? [{ id, path: ['input', 'ruleList', index, 'basePriceListId'] }] : [],
  );
  const stored = new Set(
    (storedRules ?? []).flatMap(({ basePriceListId: id }) => (typeof id === 'string' ? [id] : [])),
  );
  return referenceCheck(ctx, [{ table: priceList, type: 'PriceList', ids, stored }]);
}

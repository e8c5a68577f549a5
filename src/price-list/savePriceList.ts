import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { recordReferenceCheck, referenceWalk } from '../db/write/references.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSavePriceListArgs, PriceList } from '../graphql/generated/types.ts';
import { merchantLock } from '../merchant/merchant-lock.ts';
import { isDynamicRow } from './dynamic-list.ts';
import { checkDynamicList } from './dynamic-list-check.ts';
import { priceListInput } from './generated/price-list-input.ts';
import { priceListReferences } from './generated/price-list-references.ts';
import { priceListProjection } from './price-list.ts';

const references = referenceWalk(priceListReferences.PriceListInput);
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
    // Set before the commit. If the transaction is rolled back, reads look for such lists in vain, nothing else.
    if (isDynamicRow(row)) ctx.session.hasDynamicPriceLists = true;
    return await pipeline(ctx, [
      ...recordReferenceCheck(ctx, references, members, stored),
      ...recordWrite(ctx, priceList, row, { stored: sentId === undefined ? null : stored }),
      readRecordStep(ctx, priceListProjection, row.id, selection),
    ]);
  });
}

import { salesChannel } from '../../drizzle/sales-channel.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { recordReferenceCheck, referenceWalk } from '../db/write/references.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveSalesChannelArgs, SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelInput } from './generated/sales-channel-input.ts';
import { salesChannelReferences } from './generated/sales-channel-references.ts';
import { salesChannelProjection } from './sales-channel.ts';

const references = referenceWalk(salesChannelReferences.SalesChannelInput);
const newSalesChannel = newRowOf(salesChannel);

export async function saveSalesChannel(
  ctx: Context,
  args: MutationSaveSalesChannelArgs,
  selection: Selection,
): Promise<SalesChannel> {
  const { id: sentId, stockLocations, ...members } = parseInput(salesChannelInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored =
      sentId === undefined ? newSalesChannel() : await lockRecord(ctx, salesChannel, 'SalesChannel', sentId);
    const locations =
      stockLocations === undefined
        ? {}
        : { stockLocations: stockLocations && stockLocations.length > 0 ? stockLocations : null };
    const row = { ...stored, ...withoutUndefined(members), ...locations, deleted: members.deleted ?? stored.deleted };
    return await pipeline(ctx, [
      ...recordReferenceCheck(ctx, references, { ...members, stockLocations }, stored),
      ...recordWrite(ctx, salesChannel, row, { stored: sentId === undefined ? null : stored }),
      readRecordStep(ctx, salesChannelProjection, row.id, selection),
    ]);
  });
}

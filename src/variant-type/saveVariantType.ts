import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import { checkOptionTranslations } from '../option-list/option-list.ts';
import { optionWrites } from '../option-list/option-writes.ts';
import type { OptionKind } from '../option-list/stored-options.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveVariantTypeArgs, ProductVariantType } from '../graphql/generated/types.ts';
import { variantTypeInput } from './variant-type-input.ts';
import { variantTypeProjection } from './variant-type.ts';

const VALUES: OptionKind = { type: 'VariantValue', member: 'values', table: variantValue, owner: 'variantTypeId' };

const newVariantType = newRowOf(variantType);

export async function saveVariantType(
  ctx: Context,
  args: MutationSaveVariantTypeArgs,
  selection: Selection,
): Promise<ProductVariantType> {
  const { id: sentId, values, ...members } = parseInput(variantTypeInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored =
      sentId === undefined ? newVariantType() : await lockRecord(ctx, variantType, 'ProductVariantType', sentId);
    const row = { ...stored, ...withoutUndefined(members), deleted: members.deleted ?? stored.deleted };
    const { steps, live, isChanged } = await optionWrites(ctx, VALUES, row.id, values);
    checkOptionTranslations(members.translations, stored.translations, live, VALUES);
    return await pipeline(ctx, [
      ...recordWrite(ctx, variantType, row, {
        stored: sentId === undefined ? null : stored,
        arePartsChanged: isChanged,
      }),
      ...steps,
      readRecordStep(ctx, variantTypeProjection, row.id, selection),
    ]);
  });
}

import { productAttribute, productAttributeOption } from '../../drizzle/attribute.ts';
import { checkOptionTranslations } from '../option-list/option-list.ts';
import { limitOptions } from '../option-list/option-list-input.ts';
import { optionWrites } from '../option-list/option-writes.ts';
import type { OptionKind } from '../option-list/stored-options.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveProductAttributeArgs, ProductAttribute } from '../graphql/generated/types.ts';
import { productAttributeInput as members } from './generated/attribute-input.ts';
import { attributeProjection } from './attribute.ts';

const OPTIONS: OptionKind = {
  type: 'ProductAttributeOption',
  member: 'options',
  table: productAttributeOption,
  owner: 'attributeId',
};

const productAttributeInput = members.extend({
  options: members.shape.options.unwrap().unwrap().superRefine(limitOptions).nullish(),
});

const newAttribute = newRowOf(productAttribute);

export async function saveProductAttribute(
  ctx: Context,
  args: MutationSaveProductAttributeArgs,
  selection: Selection,
): Promise<ProductAttribute> {
  const { id: sentId, options, ...members } = parseInput(productAttributeInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored =
      sentId === undefined ? newAttribute() : await lockRecord(ctx, productAttribute, 'ProductAttribute', sentId);
    const row = { ...stored, ...withoutUndefined(members), deleted: members.deleted ?? stored.deleted };
    const { steps, live, isChanged } = await optionWrites(ctx, OPTIONS, row.id, options);
    checkOptionTranslations(members.translations, stored.translations, live, OPTIONS);
    return await pipeline(ctx, [
      ...recordWrite(ctx, productAttribute, row, {
        stored: sentId === undefined ? null : stored,
        arePartsChanged: isChanged,
      }),
      ...steps,
      readRecordStep(ctx, attributeProjection, row.id, selection),
    ]);
  });
}

import { productAttribute, productAttributeOption } from '../../drizzle/attribute.ts';
import type { OptionInput } from '../option-list/option-list.ts';
import { storedOptions } from '../option-list/stored-options.ts';
import { checkOptionTranslations, type OptionKind, mergeOptionList } from '../option-list/option-list.ts';
import type { Context } from '../context.ts';
import { markDeleted } from '../db/write/delete.ts';
import { lockRecord } from '../db/write/lock-record.ts';
import { newRowOf } from '../db/write/new-row.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { recordWrite } from '../db/write/record-write.ts';
import { upsert } from '../db/write/write.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveProductAttributeArgs, ProductAttribute } from '../graphql/generated/types.ts';
import { productAttributeInput } from './generated/attribute-input.ts';
import { attributeProjection } from './attribute.ts';

const OPTIONS: OptionKind = { type: 'ProductAttributeOption', member: 'options' };

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
    const { steps, live, isChanged } = await optionWrites(ctx, row.id, options);
    checkOptionTranslations(members.translations, stored.translations, live, OPTIONS);
    return await pipeline(ctx, [
      ...recordWrite(ctx, productAttribute, row, sentId === undefined ? null : stored, isChanged),
      ...steps,
      readRecordStep(ctx, attributeProjection, row.id, selection),
    ]);
  });
}

type OptionWrites = { steps: PipelineStep[]; live: ReadonlySet<string>; isChanged: boolean };

/** The steps that write the options, and the ids of the options afterwards. Without a list the stored options stay. */
async function optionWrites(
  ctx: Context,
  attributeId: string,
  options: OptionInput[] | null | undefined,
): Promise<OptionWrites> {
  const list = { table: productAttributeOption, owner: productAttributeOption.attributeId, ownerId: attributeId };
  const stored = await storedOptions(ctx, list, options ?? []);
  if (options === undefined)
    return { steps: [], live: new Set(stored.filter(({ deleted }) => !deleted).map(({ id }) => id)), isChanged: false };
  const { rows, released, live, isChanged } = mergeOptionList(stored, options ?? [], OPTIONS);
  const written = upsert(
    ctx,
    productAttributeOption,
    ['id'],
    rows.map((row) => ({ ...row, attributeId })),
  );
  return { steps: [...markDeleted(ctx, productAttributeOption, released), ...written], live, isChanged };
}

import { and, eq } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { ChoiceInput } from '../choice/choice-input.ts';
import { checkTranslations, type ChoiceKind, placeChoices } from '../choice/choices.ts';
import type { Context } from '../context.ts';
import { markDeleted } from '../db/delete.ts';
import { newId } from '../db/id.ts';
import { lockRecord } from '../db/lock.ts';
import { readRecord } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import { of } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { upsertRows } from '../db/write.ts';
import { parseInput, sent } from '../field-input.ts';
import type { MutationSaveVariantTypeArgs, ProductVariantType } from '../graphql/types.generated.ts';
import { variantTypeInput } from './variant-type-input.ts';
import { variantTypeShape } from './variant-type.ts';

const VALUES: ChoiceKind = { type: 'VariantValue', member: 'values' };

export async function saveVariantType(ctx: Context, args: MutationSaveVariantTypeArgs, selection: Selection): Promise<ProductVariantType> {
  const { id: sentId, values, ...members } = parseInput(variantTypeInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = sentId === undefined ? newVariantType() : await lockRecord(ctx, variantType, 'ProductVariantType', sentId);
    const row = { ...stored, ...sent(members), deleted: members.deleted ?? stored.deleted };
    await upsertRows(ctx, variantType, ['id'], [row]);
    const valueIds = await saveValues(ctx, row.id, values);
    checkTranslations(members.translations, stored.translations, valueIds, VALUES);
    return await readRecord(ctx, variantTypeShape, row.id, selection);
  });
}

function newVariantType() {
  return { id: newId(), translations: null, deleted: false };
}

/** Answers the ids of the values that the type has afterwards. */
async function saveValues(ctx: Context, variantTypeId: string, values: ChoiceInput[]): Promise<ReadonlySet<string>> {
  const { id, position, name, colorCode, thumbnailImageId, deleted } = variantValue;
  const stored = await ctx.db
    .select({ id, position, name, colorCode, thumbnailImageId, deleted })
    .from(variantValue)
    .where(and(of(ctx, variantValue), eq(variantValue.variantTypeId, variantTypeId)));
  const { rows, released, live } = placeChoices(stored, values, VALUES);
  if (released.length > 0) await markDeleted(ctx, variantValue, released);
  await upsertRows(ctx, variantValue, ['id'], rows.map((row) => ({ ...row, variantTypeId })));
  return live;
}

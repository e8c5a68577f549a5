import { productBrand } from '../../drizzle/brand.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { recordReferenceCheck, referenceWalk } from '../db/write/references.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveProductBrandArgs, ProductBrand } from '../graphql/generated/types.ts';
import { preparePageMetadata } from '../page-metadata/save-page-metadata.ts';
import { brandProjection } from './brand.ts';
import { productBrandInput } from './generated/brand-input.ts';
import { brandReferences } from './generated/brand-references.ts';

const references = referenceWalk(brandReferences.ProductBrandInput);
const newBrand = newRowOf(productBrand);

export async function saveProductBrand(
  ctx: Context,
  args: MutationSaveProductBrandArgs,
  selection: Selection,
): Promise<ProductBrand> {
  const { id: sentId, metaData, salesChannelIds, ...members } = parseInput(productBrandInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = sentId === undefined ? newBrand() : await lockRecord(ctx, productBrand, 'ProductBrand', sentId);
    const check = recordReferenceCheck(ctx, references, { ...members, salesChannelIds }, stored);
    const channels = salesChannelIds === undefined ? {} : { salesChannelIds: [...new Set(salesChannelIds)] };
    const row = { ...stored, ...withoutUndefined(members), ...channels, deleted: members.deleted ?? stored.deleted };
    const isNew = sentId === undefined;
    const page = await preparePageMetadata(ctx, 'BRAND', [{ targetId: row.id, name: row.name, isNew, metaData }]);
    const write = recordWrite(ctx, productBrand, row, {
      stored: isNew ? null : stored,
      arePartsChanged: page.changed.has(row.id),
    });
    const read = readRecordStep(ctx, brandProjection, row.id, selection);
    const saved = await pipeline(ctx, [...check, ...write, ...page.steps, read]);
    return (await page.assignSlugs()) ? await pipeline(ctx, [read]) : saved;
  });
}

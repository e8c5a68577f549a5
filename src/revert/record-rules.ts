import { attributeReferences } from '../attribute/generated/attribute-references.ts';
import { brandReferences } from '../brand/generated/brand-references.ts';
import { automatedCategoryLimit } from '../category/automated-category-limit.ts';
import { conditionCheck } from '../category/category-conditions.ts';
import { categoryReferences } from '../category/generated/category-references.ts';
import type { Context } from '../context.ts';
import { customerReferences } from '../customer/generated/customer-references.ts';
import { pipeline, type PipelineStep } from '../db/connection/pipeline.ts';
import { type ReferenceWalk, referenceWalk, RequestReferences, StoredReferences } from '../db/write/references.ts';
import { argumentInvalid } from '../errors.ts';
import { tooManyEntries } from '../field-input.ts';
import { DEFAULT_LIST_SIZE } from '../limits/list-size.ts';
import { isDynamicRow } from '../price-list/dynamic-list.ts';
import { checkDynamicList } from '../price-list/dynamic-list-check.ts';
import { priceListReferences } from '../price-list/generated/price-list-references.ts';
import { salesChannelReferences } from '../sales-channel/generated/sales-channel-references.ts';
import { COUNT_RANGE } from '../stock/entry/refused-entries.ts';
import { stockReferences } from '../stock/generated/stock-references.ts';
import { variantTypeReferences } from '../variant-type/generated/variant-type-references.ts';
import { NO_VALUE } from '../variant-type/variant-type-input.ts';
import { checkProducts } from './record/product-rules.ts';
import type { RevertedType } from './reverted-changes.ts';
import type { RecordState, Row, RowState } from './record/take-back.ts';
import { isOutside } from './record/exact-count.ts';
import { changedMembers, changedRows } from './record/write-records.ts';

/** The references of a record's own row. Those of products are checked with their variants. */
const WALKS: Partial<Record<RevertedType, ReferenceWalk>> = {
  // An entry of `adjustStock` names a count by the ids that the count's row has.
  PRODUCT_STOCK_LOCATION: referenceWalk(stockReferences.AdjustStockInput),
  CUSTOMER: referenceWalk(customerReferences.CustomerInput),
  CATEGORY: referenceWalk(categoryReferences.CategoryInput),
  PRODUCT_BRAND: referenceWalk(brandReferences.ProductBrandInput),
  PRODUCT_ATTRIBUTE: referenceWalk(attributeReferences.ProductAttributeInput),
  PRODUCT_VARIANT_TYPE: referenceWalk(variantTypeReferences.VariantTypeInput),
  PRICE_LIST: referenceWalk(priceListReferences.PriceListInput),
  SALES_CHANNEL: referenceWalk(salesChannelReferences.SalesChannelInput),
};

/**
 * Refuses what a save of the records would refuse: see the checks of each type. All records are written already, so that
 * they may refer to each other.
 */
export async function checkRecords(ctx: Context, records: readonly RecordState[]): Promise<void> {
  refuseLists(records);
  const references = new RequestReferences();
  const steps: PipelineStep[] = [];
  for (const record of records) {
    const own = ownRow(record);
    if (!own) continue;
    addReferences(references, record, own);
    if (record.recordType === 'CATEGORY') steps.push(...categoryChecks(ctx, own));
    if (record.recordType === 'PRICE_LIST') await checkPriceList(ctx, own);
  }
  await pipeline(ctx, [...references.check(ctx), ...steps]);
  const products = records.filter(({ recordType }) => recordType === 'PRODUCT');
  if (products.length > 0) await checkProducts(ctx, products);
}

/** Called before the counts are written, because the database refuses much larger ones. */
export function refuseCountsOutside(records: readonly RecordState[]): void {
  const outside = records.filter((record) => {
    const own = record.recordType === 'PRODUCT_STOCK_LOCATION' ? ownRow(record) : undefined;
    return own !== undefined && isOutside(changedMembers(own)['stockCount'] ?? null);
  });
  if (outside.length === 0) return;
  throw argumentInvalid(
    outside.map(({ recordType, recordId }) => ({ path: [recordType, recordId], message: COUNT_RANGE })),
  );
}

/** The parts that are lists of an input: values of variant types and options of attributes. */
const LISTS: ReadonlySet<string> = new Set(['values', 'options']);

/** Refuses lists that a save would refuse, unless they are no longer than what plain SQL has stored. */
function refuseLists(records: readonly RecordState[]): void {
  const issues = records.flatMap((record) => {
    const { recordType, recordId, rows } = record;
    const list = [...rows.keys()].find((part) => LISTS.has(part));
    if (list === undefined || changedRows(record, list).length === 0) return [];
    if (!isLive(rows.get('')!.get(recordId)?.target)) return [];
    const states = [...rows.get(list)!.values()];
    const [before, after] = [states.map(({ stored }) => stored), states.map(({ target }) => target)];
    const [storedCount, count] = [before.filter(isLive).length, after.filter(isLive).length];
    const path = [recordType, recordId, list];
    if (count > Math.max(DEFAULT_LIST_SIZE, storedCount)) return [{ path, message: tooManyEntries(DEFAULT_LIST_SIZE) }];
    return count === 0 && recordType === 'PRODUCT_VARIANT_TYPE' ? [{ path, message: NO_VALUE }] : [];
  });
  if (issues.length > 0) throw argumentInvalid(issues);
}

/** The values of a variant type or options of an attribute, without removed ones. */
function liveEntries({ rows }: RecordState): string[] {
  return [...rows].flatMap(([part, states]) =>
    LISTS.has(part) ? [...states].flatMap(([id, { target }]) => (isLive(target) ? [id] : [])) : [],
  );
}

function isLive(row: Row | undefined): boolean {
  return row !== undefined && row['deleted'] !== true;
}

function ownRow(record: RecordState): RowState | undefined {
  return changedRows(record, '')[0];
}

function addReferences(references: RequestReferences, record: RecordState, own: RowState): void {
  const walk = WALKS[record.recordType];
  if (!walk) return;
  const known = new StoredReferences();
  if (own.stored) known.addRow(walk, own.stored);
  // The record's own values and options count as deleted while the record is deleted.
  for (const id of liveEntries(record)) known.add(id);
  references.add(walk, changedMembers(own), [record.recordType, record.recordId], known);
}

function categoryChecks(ctx: Context, { stored, target }: RowState): PipelineStep[] {
  const [row, former] = [target, stored ?? { deleted: true }] as unknown as CategoryRow[];
  // As in saveCategory.
  if (row!.isAutomated) ctx.session.hasAutomatedCategories = true;
  return [
    ...automatedCategoryLimit(ctx, row!, former!),
    ...conditionCheck(ctx, row!.conditions as never, former!.conditions as never),
  ];
}

type CategoryRow = Parameters<typeof automatedCategoryLimit>[1];

async function checkPriceList(ctx: Context, { stored, target }: RowState): Promise<void> {
  type PriceListRow = Parameters<typeof checkDynamicList>[1];
  const [row, former] = [target, stored ?? { deleted: true }] as unknown as [PriceListRow, PriceListRow];
  await checkDynamicList(ctx, row, former);
  // As in savePriceList.
  if (isDynamicRow(row)) ctx.session.hasDynamicPriceLists = true;
}

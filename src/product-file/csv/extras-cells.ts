import type { BundleEntry, ProductExtras, VariantExtras } from '../line/extras.ts';
import {
  productExtrasSchema,
  type SentProductExtras,
  type SentVariantExtras,
  type Shape,
  variantExtrasSchema,
} from '../import/sent-extras-input.ts';
import { isTooDeep, TOO_DEEP } from '../line/json-depth.ts';
import { CellError, quoted } from './cells.ts';
import type { Column } from './columns.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { RowReader } from './row-reader.ts';

/**
 * The columns of members that Shopify's format does not have. Texts are written as they are, and other values as JSON.
 */
const PRODUCT_COLUMNS: Record<keyof ProductExtras, Column> = {
  baseUnit: 'baseUnit',
  translations: 'translations',
  releaseDate: 'releaseDate',
  productOptionSetId: 'productOptionSetId',
  productVolumeDiscountId: 'productVolumeDiscountId',
  subscriptionPlanId: 'subscriptionPlanId',
  dynamicPriceLists: 'dynamicPriceLists',
  salesChannels: 'salesChannels',
  hiddenSalesChannels: 'hiddenSalesChannels',
  salesChannelSettings: 'salesChannelSettings',
  groupVariantsBy: 'groupVariantsBy',
  attributes: 'attributes',
  canonicals: 'canonicals',
  disableIndex: 'disableIndex',
  redirectTo: 'redirectTo',
  metadataOverrides: 'metadataOverrides',
  metadataTranslations: 'metadataTranslations',
};
const VARIANT_COLUMNS: Record<keyof VariantExtras, Column> = {
  unit: 'unit',
  fileId: 'fileId',
  subscriptionPlanId: 'variantSubscriptionPlanId',
  attributes: 'variantAttributes',
  bundle: 'bundle',
};

export function productExtrasCells(extras: ProductExtras): Partial<Record<Column, string>> {
  return printed(extras, PRODUCT_COLUMNS);
}

export function variantExtrasCells(extras: VariantExtras): Partial<Record<Column, string>> {
  return printed(extras, VARIANT_COLUMNS);
}

export function productExtrasIn(row: CsvRow, reader: RowReader): SentProductExtras {
  return parsed(row, reader, PRODUCT_COLUMNS, productExtrasSchema.shape) as SentProductExtras;
}

export function variantExtrasIn(row: CsvRow, reader: RowReader): SentVariantExtras {
  return parsed(row, reader, VARIANT_COLUMNS, variantExtrasSchema.shape) as SentVariantExtras;
}

export function bundleIn(row: CsvRow, reader: RowReader): BundleEntry | null | undefined {
  return variantExtrasIn(row, reader).bundle as BundleEntry | null | undefined;
}

/**
 * The cell for a value: a text is written as it is, unless it would be read as JSON; everything else is written as
 * JSON.
 */
export function printValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' && readsAsItself(value) ? value : JSON.stringify(value);
}

function readsAsItself(text: string): boolean {
  return text.trim() !== '' && !/^\s*["[{]/.test(text) && !['true', 'false', 'null'].includes(text.trim());
}

function printed<Name extends string>(extras: Record<Name, unknown>, columns: Record<Name, Column>) {
  const cells = Object.entries(columns).map(([name, column]) => [column, printValue(extras[name as Name])]);
  return Object.fromEntries(cells) as Partial<Record<Column, string>>;
}

function parsed(
  row: CsvRow,
  { read }: RowReader,
  columns: Record<string, Column>,
  shapes: Record<string, Shape>,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(columns)) {
    const value = read(row, column, (cell) => parseValue(cell, shapes[name]!));
    if (value !== undefined) members[name] = value;
  }
  return members;
}

export function parseValue(cell: string, shape: Shape): unknown {
  const result = shape.safeParse(readsAsItself(cell) ? cell : parseJson(cell));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue!.path.length > 0 ? `${issue!.path.join('.')}: ` : '';
  throw new CellError(`is not as exports write it (${path}${issue!.message}): ${quoted(cell)}`);
}

function parseJson(cell: string): unknown {
  if (isTooDeep(cell)) throw new CellError(TOO_DEEP);
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw new CellError(`must be JSON, not ${quoted(cell)}`);
  }
}

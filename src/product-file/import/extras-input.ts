import { isDeepStrictEqual } from 'node:util';
import type { StoredAttributeValue } from '../../../drizzle/product-values.ts';
import { type AttributeEntry, productExtras, variantExtras } from '../line/extras.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import type { RecordLabels } from '../line/record-labels.ts';
import {
  productExtrasSchema,
  type SentProductExtras,
  type SentVariantExtras,
  variantExtrasSchema,
} from './sent-extras-input.ts';
import type { ImportInput, ImportNotes, ImportVariant, WantedAttribute } from './import-input.ts';
import type { StoreIds } from '../line/store-ids.ts';

const PRODUCT_EXTRAS = Object.keys(productExtrasSchema.shape) as (keyof SentProductExtras)[];
/** The extra members that are written together with a variant. Bundles are written after all products. */
const VARIANT_EXTRAS = (Object.keys(variantExtrasSchema.shape) as (keyof SentVariantExtras)[]).filter(
  (name) => name !== 'bundle',
);

const ignoreOmissions = (): void => {};

/** The members that differ from the stored ones, as bulkUpdateProducts takes them. */
export function productExtrasInput(
  sent: SentProductExtras,
  stored: PortableProduct | undefined,
  storeIds: StoreIds,
  { unknown }: ImportNotes,
): Partial<ImportInput> {
  const known = stored && productExtras(stored, storeIds, ignoreOmissions);
  const changed = changedMembers<SentProductExtras>(sent, PRODUCT_EXTRAS, known);
  const { releaseDate, dynamicPriceLists, salesChannels, hiddenSalesChannels, groupVariantsBy, ...others } = changed;
  const { salesChannelSettings, attributes, ...members } = others;
  const { canonicals, disableIndex, redirectTo, metadataOverrides, metadataTranslations, ...plain } = members;
  const channels = (labels: string[] | null) => idsOf(labels, storeIds.salesChannels, 'sales channel', unknown);
  const metaData = defined({
    canonicals,
    disableIndex,
    redirectTo,
    metadataOverrides,
    translations: metadataTranslations,
  });
  return {
    ...plain,
    ...(Object.keys(metaData).length > 0 && { metaData }),
    ...given(releaseDate, (time) => ({ releaseDate: time === null ? null : Date.parse(time) })),
    ...given(dynamicPriceLists, (labels) => ({
      dynamicPriceListIds: idsOf(labels, storeIds.priceLists, 'price list', unknown),
    })),
    ...given(salesChannels, (labels) => ({ salesChannelIds: channels(labels) })),
    ...given(hiddenSalesChannels, (labels) => ({ hiddenSalesChannelIds: channels(labels) })),
    ...given(salesChannelSettings, (list) => ({
      salesChannels: (list ?? []).flatMap(({ salesChannel, ...settings }) =>
        channels([salesChannel]).map((id) => ({ ...settings, id })),
      ),
    })),
    ...given(groupVariantsBy, (name) => ({ groupVariantsByVariantTypeName: name })),
    ...given(attributes, (entries) => ({ attributes: attributesInput(entries, stored?.attributes, storeIds) })),
  } as Partial<ImportInput>;
}

/** The same for a variant, without its bundle. */
export function variantExtrasInput(
  sent: SentVariantExtras,
  stored: PortableVariant | undefined,
  storeIds: StoreIds,
): Partial<ImportVariant> {
  const known = stored && variantExtras(stored, storeIds, ignoreOmissions);
  const { attributes, ...plain } = changedMembers<SentVariantExtras>(sent, VARIANT_EXTRAS, known);
  return {
    ...plain,
    ...given(attributes, (entries) => ({ attributes: attributesInput(entries, stored?.attributes, storeIds) })),
  } as Partial<ImportVariant>;
}

/** The attributes that the entries name, and the options that they need. */
export function wantedAttributes(entries: readonly AttributeEntry[] | null | undefined): WantedAttribute[] {
  return (entries ?? []).map(({ attribute, type, tableTemplate, option }) => ({
    name: attribute,
    type,
    tableTemplate: tableTemplate ?? null,
    options: option === undefined ? [] : [option],
  }));
}

/** A new product has all members of the file. Members that other parts of the import read are not among the extras. */
function changedMembers<Sent extends object>(
  sent: object,
  names: readonly (keyof Sent & string)[],
  stored: object | undefined,
): Partial<Sent> {
  const [given, known] = [sent as Record<string, unknown>, stored as Record<string, unknown> | undefined];
  const isChanged = (name: string): boolean =>
    given[name] !== undefined && !isDeepStrictEqual(given[name], known?.[name] ?? null);
  return Object.fromEntries(names.filter(isChanged).map((name) => [name, given[name]])) as Partial<Sent>;
}

function given<Value, Members>(value: Value | undefined, members: (value: Value) => Members): Partial<Members> {
  return value === undefined ? {} : members(value);
}

function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function idsOf(
  labels: readonly string[] | null,
  records: RecordLabels,
  kind: string,
  unknown: ImportNotes['unknown'],
): string[] {
  return (labels ?? []).flatMap((label) => {
    const id = records.find(label)?.id;
    if (id === undefined) unknown(`${kind} ${label}`);
    return id ?? [];
  });
}

/** The attribute values with the images of the stored values, because a file does not contain these images. */
function attributesInput(
  entries: readonly AttributeEntry[] | null,
  stored: readonly StoredAttributeValue[] = [],
  { attributes }: StoreIds,
): StoredAttributeValue[] {
  return (entries ?? []).map(({ attribute, option, value = null }) => {
    const row = attributes.find(attribute);
    const productAttributeId = row?.id ?? null;
    const productAttributeOptionId = row?.options.find(({ name }) => name === option)?.id ?? null;
    const known = stored.find(
      (other) =>
        other.productAttributeId === productAttributeId && other.productAttributeOptionId === productAttributeOptionId,
    );
    return { productAttributeId, productAttributeOptionId, value, imageIds: known?.imageIds ?? null };
  });
}

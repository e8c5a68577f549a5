import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import { categoryPath } from '../line/category-path.ts';
import { productExtras, variantExtras } from '../line/extras.ts';
import type { StoreIds } from '../line/store-ids.ts';

type Value = string | number | boolean | null | readonly string[];

/** A member that changes: its path with names instead of ids, as in `variants[tee-m].prices[Retail].sellPrice`. */
export type MemberDifference = { member: string; old: Value; new: Value };

/**
 * What an import does with a product. The shop has a newer state of products that are `KEPT` (`--keep newer`) or `SKIPPED`
 * (without `--keep`).
 */
export type Outcome = 'WRITTEN' | 'KEPT' | 'SKIPPED';

/** What an import changes in a product, or what `--keep sheet` would change if it is kept or skipped. */
export type ProductDifference = {
  handle: string;
  name: string;
  change: 'CREATED' | 'UPDATED';
  outcome: Outcome;
  /** Why the product is kept or skipped; null if it is written. */
  reason: string | null;
  members: MemberDifference[];
};

/** The members in which a product differs; a product that is not stored has none. Empty if it is the same. */
export function memberDifferences(
  before: PortableProduct | undefined,
  after: PortableProduct,
  storeIds: StoreIds,
): MemberDifference[] {
  const labels = labelsOf([...(before?.variants ?? []), ...after.variants], storeIds);
  const old = before ? membersOf(before, labels) : new Map<string, Value>();
  const current = membersOf(after, labels);
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((member) => {
    const pair = { member, old: old.get(member) ?? null, new: current.get(member) ?? null };
    return JSON.stringify(pair.old) === JSON.stringify(pair.new) ? [] : [pair];
  });
}

type Labels = { variants: ReadonlyMap<string, string>; storeIds: StoreIds };

function labelsOf(variants: readonly PortableVariant[], storeIds: StoreIds): Labels {
  return { variants: new Map(variants.map((variant) => [variant.id, variantLabel(variant)])), storeIds };
}

/** Variants without a sku are told apart by their values. */
function variantLabel({ sku, variantValues }: PortableVariant): string {
  return sku ?? variantValues.map(({ name }) => name).join(' / ');
}

/** Members that have a value, by their paths. */
function membersOf(product: PortableProduct, labels: Labels): Map<string, Value> {
  const { metaData, categories, tags, variantTypes, variants } = product;
  const members = new Map<string, Value>();
  const add = (path: string, values: object): void => {
    for (const [name, value] of Object.entries(values))
      if (hasContent(value)) members.set(`${path}${name}`, valueOf(value));
  };
  add('', {
    ...Object.fromEntries(PLAIN_MEMBERS.map((name) => [name, product[name]])),
    ...productExtras(product, labels.storeIds, () => {}),
    brand: product.brand?.name,
    categories: categories.map((category) => categoryPath(category).join(' > ')),
    tags: tags.map(({ name }) => name),
    variantTypes: variantTypes.map(({ name, values }) => `${name}: ${values.map((value) => value.name).join(', ')}`),
  });
  add('metaData.', { slug: metaData?.slug, pageTitle: metaData?.pageTitle, description: metaData?.description });
  for (const variant of variants) addVariant(variant, labels, add);
  return members;
}

/** Members that contain no references to other records. */
const PLAIN_MEMBERS = [
  'sourceId',
  'deleted',
  'name',
  'type',
  'description',
  'shortDescription',
  'googleTaxonomyId',
  'maxQuantityPerCart',
  'vendorId',
  'weight',
] as const;

function addVariant(variant: PortableVariant, labels: Labels, add: (path: string, values: object) => void): void {
  const {
    id,
    prices,
    stocks,
    variantValues,
    images,
    requestedImages,
    attributes: _,
    bundle: _bundle,
    ...plain
  } = variant;
  const { storeIds } = labels;
  const path = `variants[${labels.variants.get(id)!}].`;
  const requested = requestedImages.filter(({ state }) => state === 'PENDING');
  add(path, {
    ...plain,
    ...variantExtras(variant, storeIds, () => {}),
    variantValues: variantValues.map(({ typeName, name }) => `${typeName ?? ''}: ${name}`),
    images: [...images, ...requested].map(({ url }) => url),
  });
  for (const { priceListId, ...price } of prices)
    add(`${path}prices${labelled(priceListId && storeIds.priceLists.label(priceListId))}.`, price);
  for (const { stockLocationId, stockCount } of stocks)
    add(path, { [`stocks${labelled(locationLabel(stockLocationId, storeIds))}`]: stockCount });
}

/** The label in brackets, or nothing for what has no name in a file: the base price, and the oldest stock location. */
function labelled(label: string | null | undefined): string {
  return label ? `[${label}]` : '';
}

function locationLabel(id: string, { locations, defaultLocationId }: StoreIds): string | undefined {
  return id === defaultLocationId ? undefined : locations.label(id);
}

function valueOf(value: unknown): Value {
  const isTexts = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return typeof value === 'object' && !isTexts ? JSON.stringify(value) : (value as Value);
}

function hasContent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

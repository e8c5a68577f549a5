import type { PortableProduct } from '../portable/portable-product.ts';
import type { PortableVariant } from '../portable/portable-variant.ts';
import { categoryPath } from './bulk-input.ts';
import type { StoreIds } from './store-ids.ts';

type Value = string | number | boolean | null | readonly string[];

/** A member that changes: its path with names instead of ids, as in `variants[tee-m].prices[Retail].sellPrice`. */
export type MemberDifference = { member: string; old: Value; new: Value };

/** What an import changes in a product. */
export type ProductDifference = {
  handle: string;
  name: string;
  change: 'CREATED' | 'UPDATED';
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

type Labels = {
  variants: ReadonlyMap<string, string>;
  priceLists: ReadonlyMap<string, string>;
  locations: ReadonlyMap<string, string>;
};

function labelsOf(variants: readonly PortableVariant[], { priceLists, otherLocations }: StoreIds): Labels {
  return {
    variants: new Map(variants.map((variant) => [variant.id, variantLabel(variant)])),
    priceLists: new Map([...priceLists].map(([label, id]) => [id, label])),
    locations: new Map([...otherLocations].map(([label, id]) => [id, label])),
  };
}

/** Variants without a sku are told apart by their values. */
function variantLabel({ sku, variantValues }: PortableVariant): string {
  return sku ?? variantValues.map(({ name }) => name).join(' / ');
}

/** Members that have a value, by their paths. */
function membersOf(product: PortableProduct, labels: Labels): Map<string, Value> {
  const { id: _, metaData, categories, tags, variantTypes, variants, ...plain } = product;
  const members = new Map<string, Value>();
  const add = (path: string, values: Record<string, Value>): void => {
    for (const [name, value] of Object.entries(values)) if (hasContent(value)) members.set(`${path}${name}`, value);
  };
  add('', {
    ...plain,
    categories: categories.map((category) => categoryPath(category).join(' > ')),
    tags: tags.map(({ name }) => name),
    variantTypes: variantTypes.map(({ name, values }) => `${name}: ${values.map((value) => value.name).join(', ')}`),
  });
  add('metaData.', { ...metaData });
  for (const variant of variants) addVariant(variant, labels, add);
  return members;
}

function addVariant(
  variant: PortableVariant,
  labels: Labels,
  add: (path: string, values: Record<string, Value>) => void,
): void {
  const { id, prices, stocks, variantValues, images, requestedImages, ...plain } = variant;
  const path = `variants[${labels.variants.get(id)!}].`;
  const requested = requestedImages.filter(({ state }) => state === 'PENDING');
  add(path, {
    ...plain,
    variantValues: variantValues.map(({ typeName, name }) => `${typeName ?? ''}: ${name}`),
    images: [...images, ...requested].flatMap(({ url }) => url ?? []),
  });
  for (const { priceListId, ...price } of prices)
    add(`${path}prices${labelled(priceListId, labels.priceLists)}.`, price);
  for (const { stockLocationId, stockCount } of stocks)
    add(path, { [`stocks${labelled(stockLocationId, labels.locations)}`]: stockCount });
}

/** Nothing for what has no name in a file: the price without a list, and the oldest stock location. */
function labelled(id: string | null, labels: ReadonlyMap<string, string>): string {
  const label = labels.get(id ?? '');
  return label === undefined ? '' : `[${label}]`;
}

function hasContent(value: Value): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

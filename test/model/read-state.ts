import type { Automated } from './automated.ts';
import type { Query } from './play.ts';
import { WITH_PAGE } from './named.ts';
import { comparableVariant } from './product.ts';
import {
  type Hold,
  type Kind,
  KINDS,
  type NamedRecord,
  type Place,
  type Product,
  type State,
  type Variant,
  type Webhook,
} from './state.ts';
import { placeOf, type shownMovements } from './stock.ts';

const LISTS: Record<Kind, string> = {
  tag: 'listProductTag',
  brand: 'listProductBrand',
  category: 'listCategory',
  channel: 'listSalesChannel',
  location: 'listStockLocation',
  priceList: 'listPriceList',
  attribute: 'listProductAttribute',
  variantType: 'listVariantType',
};
const MEMBERS_OF = {
  product: `id name sourceId vendorId maxQuantityPerCart brandId tagIds categoryIds salesChannelIds hiddenSalesChannelIds
    deleted version`,
  channel: 'id status maxQuantityPerCart',
  variant: 'id sku isActive sellIfOutOfStock',
  price: 'sellPrice discountPrice currency priceListId',
  customer: 'id firstName lastName email deleted',
  movement: 'productId variantId stockLocationId kind delta key reference sequence countAfter',
  hold: 'id variantId stockLocationId quantity key reference status expiresAt',
};
/** The GraphQL selection of a product. `ofVariants`: more fields to select of its variants. */
const productMembers = (ofVariants: string): string =>
  `${MEMBERS_OF.product} salesChannels { ${MEMBERS_OF.channel} }
    variants { ${ofVariants} ${MEMBERS_OF.variant} prices { ${MEMBERS_OF.price} } }`;
export const PRODUCT = productMembers('');
export const CUSTOMER = MEMBERS_OF.customer;

const NAMED = 'id name deleted createdAt updatedAt';
const PAGE = 'metaData { slug updatedAt }';
const AUTOMATED = 'shouldMatchAllConditions conditions { conditionType method valueList }';
const MEMBERS = {
  ...Object.fromEntries(Object.values(LISTS).map((operation) => [operation, NAMED])),
  listStockLocation: `${NAMED} allowsNegativeStock`,
  listPriceList: `${NAMED} currency`,
  ...Object.fromEntries(WITH_PAGE.map((kind) => [LISTS[kind], `${NAMED} ${PAGE}`])),
  listCategory: `${NAMED} ${PAGE} isAutomated ${AUTOMATED} parentId categoryPath`,
  listCustomer: `data { ${CUSTOMER} updatedAt }`,
  listProduct: `data { ${productMembers('updatedAt availableCount')} updatedAt totalStock ${PAGE} }`,
  listProductStockLocation:
    'data { productId variantId stockLocationId stockCount heldCount availableCount updatedAt }',
  listStockMovement: `data { ${MEMBERS_OF.movement} }`,
  listStockHold: `data { ${MEMBERS_OF.hold} }`,
  listWebhook: 'id scope endpoint',
  listErasure: 'data { customerIds }',
  listChange: 'data { createdAt changeSet { id revertsChangeSetId } }',
};
const HAS_DELETED = [...Object.values(LISTS), 'listCustomer', 'listProduct'];

/**
 * Writes the search documents of what has changed. Without searches between them, all changes would be in the first
 * document of a product. What searches find is compared at the end.
 */
const SEARCH = 'searchProducts(input: { query: "one", pagination: { limit: 1 } }) { totalCount }';

/** The operations of the request that reads everything. */
export const READ_OPERATIONS = [...Object.keys(MEMBERS), 'searchProducts'];

const QUERY = `{ ${Object.entries(MEMBERS)
  .map(([operation, members]) => {
    const deleted = HAS_DELETED.includes(operation) ? 'includeDeleted: true, ' : '';
    const limit = operation === 'listChange' ? 1 : 200;
    return `${operation}(${deleted}pagination: { limit: ${limit} }) { ${members} }`;
  })
  .join('\n')} ${SEARCH} }`;

const NEWEST = `{ listChange(pagination: { limit: 1 }) { ${MEMBERS.listChange} } }`;

type List<T> = { data: T[] };
type Timed = { id: string; createdAt: number; updatedAt: number };
type Page = { metaData: { slug: string; updatedAt: number } };
type Nullable<T> = { [K in keyof T]: T[K] extends unknown[] ? T[K] | null : T[K] };
type Listed = Record<string, (NamedRecord & Timed & Page & { isAutomated?: boolean | null })[]> & {
  listCategory: (Automated & Timed & Page & { isAutomated: boolean | null; categoryPath: string[] } & NamedRecord)[];
  listCustomer: List<Timed>;
  listProduct: List<Omit<Nullable<Product>, 'variants'> & Timed & Page & Sums>;
  listProductStockLocation: List<Place & { updatedAt: number }>;
  listStockMovement: List<ReturnType<typeof shownMovements>[number]>;
  listStockHold: List<Hold>;
  listWebhook: Webhook[];
  listErasure: List<{ customerIds: string[] }>;
  listChange: List<Newest>;
};
/** The newest change. */
export type Newest = { createdAt: number; changeSet: { id: string; revertsChangeSetId: string | null } };

type Sums = { totalStock: number; variants: (Variant & Timed & { availableCount: number })[] | null };

export type Stored = Awaited<ReturnType<typeof readState>>['stored'];

/** The newest change alone. */
export async function readNewest(query: Query): Promise<Newest | undefined> {
  const { data, errors } = await query(NEWEST);
  if (errors) throw new Error(JSON.stringify(errors));
  return (data as Pick<Listed, 'listChange'>).listChange.data[0];
}

/** What the service lists, in the shape of `shownOf`: the oldest first. */
export async function readState(query: Query) {
  const { data, errors } = await query(QUERY);
  if (errors) throw new Error(JSON.stringify(errors));
  const listed = data as Listed;
  const withPages = [...WITH_PAGE.flatMap((kind) => listed[LISTS[kind]]!), ...listed.listProduct.data];
  const stored = {
    named: Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        oldestFirst(listed[LISTS[kind]]!.filter(({ isAutomated }) => isAutomated !== true)).map(namedOf),
      ]),
    ) as State['named'],
    automated: oldestFirst(listed.listCategory.filter(({ isAutomated }) => isAutomated === true)).map(automatedOf),
    paths: Object.fromEntries(listed.listCategory.map(({ id, categoryPath }) => [id, categoryPath])),
    slugs: Object.fromEntries(withPages.map(({ id, metaData }) => [id, metaData.slug])),
    customers: listed.listCustomer.data.map(withoutTime).toReversed(),
    products: listed.listProduct.data.map(productOf).toReversed(),
    sums: Object.fromEntries(
      listed.listProduct.data.flatMap(({ id, totalStock, variants }) => [
        [id, totalStock] as const,
        ...variants!.map((one) => [one.id, one.availableCount] as const),
      ]),
    ),
    stocks: texts(listed.listProductStockLocation.data.map(withoutTime)),
    movements: texts(listed.listStockMovement.data.map(movementOf)),
    holds: texts(listed.listStockHold.data.map(holdOf)),
    erasures: listed.listErasure.data.map(({ customerIds }) => customerIds.join()).toSorted(),
    webhooks: texts(listed.listWebhook),
  };
  return { stored, newest: listed.listChange.data[0], times: timesOf(listed) };
}

function withoutTime<T extends { updatedAt: number }>({ updatedAt: _updatedAt, ...members }: T): object {
  return members;
}

/** A list sorts records that one request has created by their ids. */
function oldestFirst<T extends Timed>(list: readonly T[]): T[] {
  return [...Map.groupBy(list, ({ createdAt }) => createdAt).values()].toReversed().flat();
}

function timesOf(listed: Listed): ReadonlyMap<string, number> {
  const products = listed.listProduct.data;
  const records = [
    ...KINDS.flatMap((kind): Timed[] => listed[LISTS[kind]]!),
    ...listed.listCustomer.data,
    ...products.flatMap((one): Timed[] => [one, ...one.variants!]),
  ];
  const pages = [...WITH_PAGE.flatMap((kind) => listed[LISTS[kind]]!), ...products];
  return new Map([
    ...records.map(({ id, updatedAt }) => [id, updatedAt] as const),
    ...listed.listProductStockLocation.data.map((one) => [placeOf(one), one.updatedAt] as const),
    ...pages.map(({ id, metaData }) => [`page of ${id}`, metaData.updatedAt] as const),
  ]);
}

/** The record with only the members of its kind in MEMBERS_OF. */
function pick<T extends object>(record: T, kind: keyof typeof MEMBERS_OF): T {
  const members = MEMBERS_OF[kind].split(/\s+/);
  return Object.fromEntries(members.map((member) => [member, record[member as keyof T]])) as T;
}

/** The members of a movement that the model knows. */
export function movementOf(one: ReturnType<typeof shownMovements>[number]): object {
  return pick(one, 'movement');
}

export function holdOf(hold: Hold): object {
  return pick(hold, 'hold');
}

/** Of a list that has no order. */
export function texts(list: readonly object[]): string[] {
  return list.map((one) => JSON.stringify(one)).toSorted();
}

function namedOf({ id, name, deleted, allowsNegativeStock, currency, parentId }: NamedRecord): NamedRecord {
  return {
    id,
    name,
    deleted,
    allowsNegativeStock: allowsNegativeStock ?? false,
    currency: currency ?? null,
    parentId: parentId ?? null,
  };
}

function automatedOf({ id, name, deleted, shouldMatchAllConditions, conditions }: Automated): Automated {
  return { id, name, deleted, shouldMatchAllConditions, conditions };
}

export function productOf(one: Omit<Nullable<Product>, 'variants'> & Pick<Sums, 'variants'>) {
  const lists = ['tagIds', 'categoryIds', 'salesChannelIds', 'hiddenSalesChannelIds'] as const;
  return {
    ...pick(one, 'product'),
    ...Object.fromEntries(lists.map((list) => [list, one[list] ?? []])),
    salesChannels: (one.salesChannels ?? []).map((channel) => pick(channel, 'channel')),
    variants: one.variants!.map((variant) =>
      comparableVariant({
        ...pick(variant, 'variant'),
        deleted: false,
        prices: variant.prices.map((price) => pick(price, 'price')),
      }),
    ),
  };
}

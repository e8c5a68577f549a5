import { withSlug } from './slugs.ts';
import {
  byId,
  canRefer,
  folded,
  idsOf,
  type Kind,
  merge,
  type Price,
  type Product,
  shown,
  type State,
  unknownIn,
  unless,
  type Verdict,
  withRecord,
} from './state.ts';

export type Condition = { conditionType: string; method: 'IN' | 'NOT_IN'; valueList: string[] };
/** A category that has the products which meet its conditions. */
export type Automated = {
  id: string;
  name: string;
  deleted: boolean;
  shouldMatchAllConditions: boolean;
  conditions: Condition[];
};

/** The kinds of records that the values of conditions name. */
export const REFERRED: Record<string, Kind> = { PRODUCT_TAG: 'tag', PRODUCT_BRAND: 'brand', CATEGORY: 'category' };

/**
 * Whether a product meets a condition with IN. The two values of a range of prices are its bounds; an empty one is no
 * bound.
 */
const MEETS: Record<string, (product: Product, values: readonly string[]) => boolean> = {
  PRODUCT_TAG: ({ tagIds }, values) => tagIds.some((id) => values.includes(id)),
  PRODUCT_BRAND: ({ brandId }, values) => brandId !== null && values.includes(brandId),
  CATEGORY: ({ categoryIds }, values) => categoryIds.some((id) => values.includes(id)),
  PRODUCT_NAME: ({ name }, values) => values.some((text) => folded(name).includes(folded(text))),
  PRICE_RANGE: (product, [from, to]) =>
    basePrices(product).some(
      ({ sellPrice }) => (!from || sellPrice >= Number(from)) && (!to || sellPrice <= Number(to)),
    ),
  DISCOUNTED_PRODUCTS: (product, values) => values.includes(String(basePrices(product).some(isDiscounted))),
};

function basePrices({ variants }: Product): Price[] {
  return shown(variants).flatMap(({ prices }) => prices.filter(({ priceListId }) => priceListId === null));
}

function isDiscounted({ sellPrice, discountPrice }: Price): boolean {
  return discountPrice !== null && discountPrice < sellPrice;
}

export type SaveAutomated = Omit<Automated, 'id' | 'deleted'> & { id?: string; deleted?: boolean };

export function saveAutomated(state: State, { id, ...members }: SaveAutomated): Verdict {
  const stored = byId(state.automated, id);
  const refusals = [
    unknownIn(state.automated, [id]),
    !canNameRecords(state, stored, members.conditions) && ('NOT_FOUND' as const),
  ];
  return unless(refusals, (newId) => {
    const record = { ...merge({ deleted: false, ...stored }, members), id: id ?? newId('id') } as Automated;
    const automated = withRecord(state.automated, record);
    return withSlug({ ...state, automated }, record.id, record.name);
  });
}

/** A condition may go on naming a deleted record that the category has stored for its type. */
export function canNameRecords(state: State, stored: Automated | undefined, conditions: readonly Condition[]): boolean {
  return conditions.every(({ conditionType, valueList }) => {
    const known = stored?.conditions.filter((one) => one.conditionType === conditionType) ?? [];
    const kind = REFERRED[conditionType];
    const ids = known.flatMap((one) => one.valueList);
    return kind === undefined || canRefer(state, kind, valueList, ids);
  });
}

/** First those that it was saved into, then those whose conditions it meets. A deleted product meets none. */
export function shownCategoryIds({ automated }: State, product: Product): string[] {
  const met = shown(automated).filter((one) => !product.deleted && isMet(one, product));
  return [...product.categoryIds, ...idsOf(met)];
}

function isMet({ shouldMatchAllConditions, conditions }: Automated, product: Product): boolean {
  const met = conditions.map(
    ({ conditionType, method, valueList }) => MEETS[conditionType]!(product, valueList) === (method === 'IN'),
  );
  return shouldMatchAllConditions ? met.every(Boolean) : met.some(Boolean);
}

/** The products that lists show, with all their categories. */
export function shownProducts(state: State): Product[] {
  return shown(state.products).map((one) => ({ ...one, categoryIds: shownCategoryIds(state, one) }));
}

import { isDeepStrictEqual } from 'node:util';
import { UNIQUE } from './named.ts';
import { channelsOf, comparableVariant, hasTwins, withProduct } from './product.ts';
import {
  byId,
  canRefer,
  KINDS,
  type Moment,
  type Price,
  type Product,
  type Refusal,
  refusedWith,
  type State,
  type Variant,
  type Verdict,
} from './state.ts';
import { takeBackCounts } from './revert-counts.ts';

type Row = { id: string; deleted: boolean };
/** Members that are not compared as values. */
const PARTS = ['id', 'version', 'variants', 'prices'];

/**
 * Each member that the change set changed gets its former value, and what it created is deleted. A member that has
 * changed since is a conflict. The positions of variants are members too, which the model does not know: if a record has
 * changed since, a conflict is right as well.
 */
export function revertSet(state: State, moment: Moment | undefined): Verdict {
  if (!moment) return { refusals: ['NOT_FOUND'] };
  const { before, after } = moment;
  const counts = takeBackCounts(state, moment);
  const reverted = takeBackRecords(counts.state, moment);
  const erased = state.erasures.flat();
  const isErased = after.customers.some(
    (one) => erased.includes(one.id) && !isDeepStrictEqual(one, byId(before.customers, one.id)),
  );
  const refused = refusedWith(
    ...counts.refusals,
    ...(isErased ? (['NOT_FOUND', 'ARGUMENT_VALIDATION_ERROR'] as const) : []),
    before.webhooks !== after.webhooks && 'ARGUMENT_VALIDATION_ERROR',
    reverted.hasConflict && 'CONFLICT',
    ...referencesRefused(state, reverted.state, moment),
    hasTaken(reverted.state) && 'CONFLICT',
  );
  if (refused) return refused;
  return { settle: () => reverted.state, ...(reverted.isTouched && { refusals: ['CONFLICT'] }) };
}

type Reverted = { state: State; hasConflict: boolean; isTouched: boolean };

function takeBackRecords(state: State, { before, after }: Moment): Reverted {
  let hasConflict = false;
  let isTouched = false;
  const takenBack = <T extends Row>(now: readonly T[], of: (state: State) => readonly T[]): T[] =>
    now.map((one) => {
      const [former, later] = [byId(of(before), one.id), byId(of(after), one.id)];
      if (!later || isDeepStrictEqual(former, later)) return one;
      isTouched ||= !isDeepStrictEqual(later, one);
      return takeBack(former, later, one, () => (hasConflict = true));
    });
  const named = Object.fromEntries(
    KINDS.map((kind) => [kind, takenBack(state.named[kind], (of) => of.named[kind])]),
  ) as State['named'];
  const customers = takenBack(state.customers, (of) => of.customers);
  const products = takenBack(state.products, (of) => of.products);
  const changed = products.reduce((last, product) => withProduct(last, product, byId(state.products, product.id)), {
    ...state,
    named,
    customers,
  });
  return { state: changed, hasConflict, isTouched };
}

function takeBack<T extends Row>(before: T | undefined, after: T, now: T, onConflict: () => void): T {
  // What it created is deleted already.
  if (!before && now.deleted) return now;
  const row = before ? takeBackMembers(before, after, now, onConflict) : takeBackCreation(after, now, onConflict);
  if (!('variants' in now)) return row;
  const [former, later] = [before, after].map((one) => (one as unknown as Product | undefined)?.variants ?? []);
  const variants = (now as unknown as Product).variants.map((variant) => {
    const [was, became] = [byId(former!, variant.id), byId(later!, variant.id)];
    return became && !isDeepStrictEqual(was, became) ? takeBackVariant(was, became, variant, onConflict) : variant;
  });
  return { ...row, variants };
}

function takeBackVariant(before: Variant | undefined, after: Variant, now: Variant, onConflict: () => void): Variant {
  if (!before) {
    if (!now.deleted && !isDeepStrictEqual(valuesOf(after.prices), valuesOf(now.prices))) onConflict();
    return takeBackCreation(after, now, onConflict);
  }
  const prices = takeBackPrices(before.prices, after.prices, now.prices, onConflict);
  return { ...takeBackMembers(before, after, now, onConflict), prices };
}

function takeBackCreation<T extends Row>(after: T, now: T, onConflict: () => void): T {
  if (now.deleted) return now;
  const found = membersOf(now);
  // A change has the members with a value.
  const created = Object.entries(membersOf(after)).filter(([, value]) => value !== null && !isEmpty(value));
  if (created.some(([member, value]) => !isDeepStrictEqual(value, found[member]))) onConflict();
  return { ...now, deleted: true };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function takeBackMembers<T extends Row>(before: T, after: T, now: T, onConflict: () => void): T {
  const [former, later, found] = [before, after, now].map(membersOf);
  const taken = takeBackValues(Object.entries(former!), new Map(Object.entries(later!)), found!, onConflict);
  return { ...now, ...taken };
}

function takeBackValues(
  before: Iterable<[string, unknown]>,
  after: ReadonlyMap<string, unknown>,
  now: Record<string, unknown>,
  onConflict: () => void,
): Record<string, unknown> {
  const former = new Map(before);
  const taken = { ...now };
  for (const member of new Set([...former.keys(), ...after.keys()])) {
    const [was, became, found] = [former.get(member), after.get(member), now[member]];
    if (isDeepStrictEqual(was, became) || isDeepStrictEqual(found, was)) continue;
    if (!isDeepStrictEqual(found, became)) onConflict();
    taken[member] = was;
  }
  return taken;
}

function membersOf(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([member]) => !PARTS.includes(member)));
}

/** Each member of a price is taken back by itself. */
function takeBackPrices(before: Price[], after: Price[], now: Price[], onConflict: () => void): Price[] {
  const values = takeBackValues(valuesOf(before), valuesOf(after), Object.fromEntries(valuesOf(now)), onConflict);
  const lists = new Set([...before, ...now].map(({ priceListId }) => priceListId));
  return [...lists].flatMap((priceListId): Price[] => {
    const [sellPrice, discountPrice = null, currency = null] = ['sellPrice', 'discountPrice', 'currency'].map(
      (member) => values[`${priceListId} ${member}`],
    ) as [number | undefined, number?, string?];
    return sellPrice === undefined ? [] : [{ sellPrice, discountPrice, currency, priceListId }];
  });
}

function valuesOf(prices: readonly Price[]): Map<string, number | string> {
  return new Map(
    prices.flatMap(({ priceListId, ...values }) =>
      Object.entries(values).flatMap(([member, value]): [string, number | string][] =>
        value === null ? [] : [[`${priceListId} ${member}`, value]],
      ),
    ),
  );
}

/** As a save: a reference to a deleted record is refused, unless the product or a variant that is taken back has it. */
function referencesRefused(state: State, after: State, moment: Moment): (Refusal | false)[] {
  return after.products.flatMap((product) => {
    const stored = byId(state.products, product.id)!;
    const [was, became] = [moment.before, moment.after].map(
      ({ products }) => byId(products, product.id)?.variants ?? [],
    );
    const isNamed = ({ id }: Variant) => !isDeepStrictEqual(byId(was!, id), byId(became!, id));
    const shown = stored.variants.filter((one) => !one.deleted || isNamed(one));
    const lists = [
      ['tag', product.tagIds, stored.tagIds],
      ['category', product.categoryIds, stored.categoryIds],
      ['channel', channelsOf(product), channelsOf(stored)],
      ['brand', product.brandId ? [product.brandId] : [], stored.brandId ? [stored.brandId] : []],
      ['priceList', listsOf(product.variants.filter((one) => isRepriced(one, stored))), listsOf(shown)],
    ] as const;
    return lists.map(([kind, ids, known]) => !canRefer(after, kind, ids, known) && ('NOT_FOUND' as const));
  });
}

function isRepriced(variant: Variant, stored: Product): boolean {
  const [now, before] = [variant, byId(stored.variants, variant.id)!].map(comparableVariant);
  return !isDeepStrictEqual(now!.prices, before!.prices);
}

function listsOf(variants: readonly Variant[]): string[] {
  return variants.flatMap(({ prices }) => prices.flatMap(({ priceListId }) => priceListId ?? []));
}

/** Whether a value of a unique member is another record's. */
function hasTaken({ products, named }: State): boolean {
  return (
    hasTwins(products.flatMap(({ sourceId }) => sourceId ?? [])) ||
    UNIQUE.some((kind) => hasTwins(named[kind].filter(({ deleted }) => !deleted).map(({ name }) => name)))
  );
}

import { isDeepStrictEqual } from 'node:util';
import { canNameRecords } from './automated.ts';
import { UNIQUE } from './named.ts';
import { parentRefused } from './tree.ts';
import { comparableVariant, hasTwins, listsOf, membersRefused, withProduct } from './product.ts';
import { takeBackCounts } from './revert-counts.ts';
import {
  byId,
  canRefer,
  KINDS,
  type Moment,
  type Price,
  type Product,
  type Refusal,
  refusedWith,
  shown,
  type State,
  type Variant,
  type Verdict,
} from './state.ts';

type Row = {
  id: string;
  deleted: boolean;
  slug?: string | undefined;
  version?: number;
  variants?: Row[];
  prices?: Price[];
};
/** Whether a member has changed since, and whether anything of the records has. */
type Found = { hasConflict: boolean; isTouched: boolean };

/**
 * Each member that the change set changed gets its former value, and what it created is deleted. Erased customers are left out. A member that has
 * changed since is a conflict. The positions of variants are members too, which the model does not know: if a record has
 * changed since, a conflict is right as well.
 */
export function revertSet(state: State, moment: Moment | undefined): Verdict {
  if (!moment) return { refusals: ['NOT_FOUND'] };
  const { before, after } = moment;
  const counts = takeBackCounts(state, moment);
  const found = { hasConflict: false, isTouched: false };
  const reverted = takeBackRecords(counts.state, moment, found);
  const erased = state.erasures.flat();
  const isErased = after.customers.some(
    (one) => erased.includes(one.id) && !isDeepStrictEqual(one, byId(before.customers, one.id)),
  );
  const [others, othersBefore] = [after, before].map(({ named, automated, products, stocks, slugs, customers }) => [
    named,
    automated,
    products,
    stocks,
    slugs,
    customers.filter(({ id }) => !erased.includes(id)),
  ]);
  const refusals = [
    ...counts.refusals,
    ...(isErased && isDeepStrictEqual(others, othersBefore)
      ? (['NOT_FOUND', 'ARGUMENT_VALIDATION_ERROR'] as const)
      : []),
    before.webhooks !== after.webhooks && ('ARGUMENT_VALIDATION_ERROR' as const),
    (found.hasConflict || hasTaken(reverted)) && ('CONFLICT' as const),
    ...referencesRefused(state, reverted, moment),
    ...reverted.named.category.flatMap((one) => parentRefused(reverted, one, byId(state.named.category, one.id)!)),
    reverted.automated.some((one) => !canNameRecords(reverted, byId(state.automated, one.id), one.conditions)) &&
      ('NOT_FOUND' as const),
  ];
  const refused = refusedWith(refusals);
  return refused ?? { settle: () => reverted, ...(found.isTouched && { refusals: ['CONFLICT'] }) };
}

function takeBackRecords(state: State, { before, after }: Moment, found: Found): State {
  const slugs: Record<string, string> = {};
  const takenBack = <T extends Row>(of: (state: State) => readonly T[]): T[] => {
    const lists = [before, after, state].map((one) => of(one).map((row): T => ({ ...row, slug: one.slugs[row.id] })));
    return takeBack(lists, found).map(({ slug, ...row }) => {
      if (slug !== undefined) slugs[row.id] = slug;
      return row as unknown as T;
    });
  };
  const named = Object.fromEntries(KINDS.map((kind) => [kind, takenBack((one) => one.named[kind])])) as State['named'];
  const products = takenBack((one) => one.products);
  const automated = takenBack((one) => one.automated);
  const erased = new Set(state.erasures.flat());
  // Nothing of erased customers is taken back.
  const left = takenBack((one) => one.customers.filter(({ id }) => !erased.has(id)));
  const customers = state.customers.map((one) => byId(left, one.id) ?? one);
  // The slug of a product is changed together with the product, because that moves its version.
  const ofOthers = Object.entries(slugs).filter(([id]) => !byId(products, id));
  const others = { ...state, named, automated, customers, slugs: { ...state.slugs, ...Object.fromEntries(ofOthers) } };
  found.hasConflict ||= hasTwins(Object.values(slugs));
  return products.reduce(
    (last, product) => withProduct(last, product, byId(state.products, product.id), slugs[product.id]),
    others,
  );
}

/** The records as they are now, without what the change set changed. The lists: before it, after it, and now. */
function takeBack<T extends Row>([before, after, now]: (readonly T[])[], found: Found): T[] {
  return now!.map((one) => {
    const [was, became] = [byId(before!, one.id), byId(after!, one.id)];
    if (!became || isDeepStrictEqual(was, became)) return one;
    found.isTouched ||= !isDeepStrictEqual(became, one);
    // What it created is deleted already.
    if (!was && one.deleted) return one;
    const row = was ? takeBackMembers(was, became, one, found) : takeBackCreation(became, one, found);
    const variants = [was, became, one].map((of) => of?.variants ?? []);
    return one.variants ? { ...row, variants: takeBack(variants, found) } : row;
  });
}

function takeBackCreation<T extends Row>(after: T, now: T, found: Found): T {
  const [created, members] = [membersOf(after), membersOf(now)];
  // A change has the members with a value, and all prices.
  const compared = [...created, ...members].filter(([member]) => isPrice(member) || !isEmpty(created.get(member)));
  found.hasConflict ||= compared.some(([member]) => !isDeepStrictEqual(created.get(member), members.get(member)));
  return { ...now, deleted: true };
}

function isEmpty(value: unknown): boolean {
  return value === null || isDeepStrictEqual(value, []);
}

function takeBackMembers<T extends Row>(before: T, after: T, now: T, found: Found): T {
  const [former, later, members] = [before, after, now].map(membersOf) as [Members, Members, Members];
  for (const member of new Set([...former.keys(), ...later.keys()])) {
    const [was, became, is] = [former, later, members].map((one) => one.get(member));
    if (isDeepStrictEqual(was, became) || isDeepStrictEqual(is, was)) continue;
    found.hasConflict ||= !isDeepStrictEqual(is, became);
    members.set(member, was);
  }
  found.hasConflict ||= losesValues(membersOf(now), members);
  const prices = now.prices && { prices: pricesOf(members, [...before.prices!, ...now.prices]) };
  return { ...now, ...Object.fromEntries([...members].filter(([member]) => !isPrice(member))), ...prices };
}

type Members = Map<string, unknown>;

/** What is compared by value. Each member of a price is one of its own. */
function membersOf({ id: _id, version: _version, variants: _variants, prices = [], ...members }: Row): Members {
  const ofPrices = prices.flatMap(({ priceListId, ...values }) =>
    Object.entries(values).map(([member, value]) => [`prices ${priceListId} ${member}`, value] as const),
  );
  return new Map<string, unknown>([...Object.entries(members), ...ofPrices.filter(([, value]) => value !== null)]);
}

function isPrice(member: string): boolean {
  return member.startsWith('prices ');
}

/** Whether a price loses its `sellPrice`, and has another value that it got since. */
function losesValues(before: Members, after: Members): boolean {
  return [...after].some(([member, value]) => {
    const sellPrice = member.replace(/\w+$/, 'sellPrice');
    return isPrice(member) && value !== undefined && before.has(sellPrice) && after.get(sellPrice) === undefined;
  });
}

function pricesOf(members: Members, known: readonly Price[]): Price[] {
  const lists = new Set(known.map(({ priceListId }) => priceListId));
  return [...lists].flatMap((priceListId): Price[] => {
    const [sellPrice, discountPrice = null, currency = null] = ['sellPrice', 'discountPrice', 'currency'].map(
      (member) => members.get(`prices ${priceListId} ${member}`),
    ) as [number | undefined, number?, string?];
    return sellPrice === undefined ? [] : [{ sellPrice, discountPrice, currency, priceListId }];
  });
}

/** As a save: a reference to a deleted record is refused, unless the product or a variant that is taken back has it. */
function referencesRefused(state: State, after: State, moment: Moment): (Refusal | false)[] {
  return after.products.flatMap((product) => {
    const stored = byId(state.products, product.id)!;
    const [was, became] = [moment.before, moment.after].map(
      ({ products }) => byId(products, product.id)?.variants ?? [],
    );
    const isNamed = ({ id }: Variant) => !isDeepStrictEqual(byId(was!, id), byId(became!, id));
    const known = stored.variants.filter((one) => !one.deleted || isNamed(one));
    const repriced = listsOf(product.variants.filter((one) => isRepriced(one, stored)));
    return [
      ...membersRefused(after, stored, product),
      !canRefer(after, 'priceList', repriced, listsOf(known)) && ('NOT_FOUND' as const),
    ];
  });
}

function isRepriced(variant: Variant, stored: Product): boolean {
  const [now, before] = [variant, byId(stored.variants, variant.id)!].map(comparableVariant);
  return !isDeepStrictEqual(now!.prices, before!.prices);
}

/** Whether a name is another record's. */
function hasTaken({ named }: State): boolean {
  return UNIQUE.some((kind) => hasTwins(shown(named[kind]).map(({ name }) => name)));
}

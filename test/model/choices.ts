import fc, { type Arbitrary } from 'fast-check';

/** The slot of a record that does not exist. */
export const NOWHERE = 11;

/** The number of a record in the model's list. Few, so that operations meet. */
export const slot = fc.oneof(
  { weight: 60, arbitrary: fc.nat({ max: 4 }) },
  { weight: 1, arbitrary: fc.constant(NOWHERE) },
);
export const slots = fc.uniqueArray(slot, { minLength: 1, maxLength: 3 });
export const isNew = fc.constantFrom(true, false, false);
export const name = fc.constantFrom('Ada', 'Bo', 'Ça', 'd');
/** Mostly none is sent. */
export const slug = fc.constantFrom('ada', 'ada-2', 'first', 'x', undefined, undefined, undefined, undefined);
export const text = fc.constantFrom('one', 'two', 'Two', 'three', 'four', 'five', 'six', 'seven', 'eight');
/** Whether a list may name the same record twice. Mostly not, because such a request is refused. */
export const mayRepeat = fc.constantFrom(true, ...Array.from({ length: 15 }, () => false));
export const deleted = fc.constantFrom(true, false, false, false, false);
export const amount = fc.constantFrom(0, 1, 1.5, 12.34, 0.000001, 999_999_999.999999);
/** Null once in `freq` times. */
export const orNull = <T>(value: Arbitrary<T>, freq = 4): Arbitrary<T | null> => fc.option(value, { nil: null, freq });

/** Kinds of events, mostly known ones; a repeated one counts once. */
export const scopes = fc.array(
  fc.oneof(
    {
      weight: 30,
      arbitrary: fc.constantFrom('store/customer/created', 'store/product/updated', 'store/stock/created'),
    },
    { weight: 1, arbitrary: fc.constant('store/product/unknown') },
  ),
  { minLength: 1, maxLength: 3 },
);

/** That of new merchants, and another one. */
export const currency = fc.constantFrom('USD', 'EUR');
/** `isAsRead`: the price that the variant has, if it has one. */
export const price = fc.record(
  {
    isAsRead: fc.boolean(),
    sellPrice: amount,
    discountPrice: orNull(amount),
    currency: orNull(currency),
    priceList: orNull(slot),
  },
  { requiredKeys: ['isAsRead', 'priceList'] },
);
const variantChoices = {
  slot: orNull(slot, 8),
  sku: orNull(text),
  isActive: fc.boolean(),
  prices: fc.array(price, { maxLength: 2 }),
};
export const variant = fc.record(
  { ...variantChoices, sellIfOutOfStock: orNull(fc.boolean()), deleted },
  { requiredKeys: ['slot'] },
);
const bulkVariant = fc.record(variantChoices, { requiredKeys: ['slot'] });
export const memberChoices = {
  sourceId: orNull(text),
  vendorId: orNull(text),
  maxQuantityPerCart: orNull(amount),
  deleted,
  brand: orNull(slot),
  tags: orNull(fc.uniqueArray(slot, { maxLength: 3 })),
  categories: orNull(fc.uniqueArray(slot, { maxLength: 3 })),
  channels: orNull(fc.uniqueArray(slot, { maxLength: 2 })),
  hidden: orNull(fc.uniqueArray(slot, { maxLength: 2 })),
  settings: orNull(
    fc.uniqueArray(
      fc.record({
        channel: slot,
        status: fc.constantFrom('VISIBLE', 'HIDDEN', 'PASSIVE', 'PASSIVE'),
        maxQuantityPerCart: orNull(amount),
      }),
      { minLength: 1, maxLength: 2, selector: ({ channel }) => channel },
    ),
  ),
};
/**
 * `find`: whether an entry names its product by `id`, by `sourceId`, or not at all, so that a new one is created.
 * `categories`: null sends the categories that the product has.
 */
export const bulkEntry = fc.record(
  {
    find: fc.constantFrom('id', 'id', 'id', 'sourceId', 'none'),
    slot,
    name,
    sourceId: text,
    deleted,
    settings: memberChoices.settings,
    brand: orNull(name),
    tags: orNull(fc.subarray(['Ada', 'Bo', 'd', 'Ça'], { maxLength: 2 })),
    categories: orNull(fc.array(fc.constantFrom('First', 'Ada', 'Bo'), { maxLength: 2 }), 2),
    variants: fc.array(bulkVariant, { maxLength: 2 }),
  },
  { requiredKeys: ['find', 'slot', 'name', 'sourceId', 'categories', 'variants'] },
);
export const members = fc.record(memberChoices, { requiredKeys: [] });
export const version = fc.constantFrom(undefined, undefined, undefined, undefined, 0, 0, 0, 1);

export type Members = typeof members extends Arbitrary<infer T> ? T : never;
export type BulkChoice = typeof bulkEntry extends Arbitrary<infer T> ? T : never;
export type VariantChoice = typeof variant extends Arbitrary<infer T> ? T : never;

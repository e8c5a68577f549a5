import fc, { type Arbitrary } from 'fast-check';
import { deleteCustomers, saveCustomer } from './customer.ts';
import { deleteNamed, saveNamed } from './named.ts';
import { deleteProducts, patchProduct, savePrices, saveProduct, setActive } from './product.ts';
import { byId, type Kind, KINDS, type Product, type State, type Verdict } from './state.ts';
import { saveStocks } from './stock.ts';

/** A request that the service gets, and what the model says of it. */
export type Request = { operation: string; variables: object; verdict: Verdict };
/** A choice of an operation and of records by number, so that a shorter sequence still has a meaning. */
export type Command = { name: string; choices: unknown; mode: Mode };
/** `dry run`: nothing is stored. `twice`: sent twice with one idempotency key, and stored once. */
export type Mode = 'once' | 'dry run' | 'twice';

type Definition<Choices> = {
  choices: Arbitrary<Choices>;
  weight: number;
  request(state: State, choices: Choices): Request;
};

const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000';
/** The slot of a record that does not exist. */
const NOWHERE = 11;

const OPERATIONS: Record<Kind, { save: string; remove: string; required: object }> = {
  tag: { save: 'saveProductTag', remove: 'deleteProductTagList', required: {} },
  brand: { save: 'saveProductBrand', remove: 'deleteProductBrandList', required: {} },
  category: { save: 'saveCategory', remove: 'deleteCategoryList', required: {} },
  channel: { save: 'saveSalesChannel', remove: 'deleteSalesChannelList', required: { type: 'STOREFRONT' } },
  location: { save: 'saveStockLocation', remove: 'deleteStockLocationList', required: {} },
  priceList: { save: 'savePriceList', remove: 'deletePriceListList', required: { currency: 'EUR' } },
};

const slot = fc.oneof({ weight: 60, arbitrary: fc.nat({ max: 4 }) }, { weight: 1, arbitrary: fc.constant(NOWHERE) });
const slots = fc.uniqueArray(slot, { minLength: 1, maxLength: 3 });
const isNew = fc.constantFrom(true, false, false);
const name = fc.constantFrom('Ada', 'Bo', 'Ça', 'd');
const text = fc.constantFrom('one', 'two', 'Two', 'three', 'four', 'five', 'six', 'seven', 'eight');
/** Whether a list may name the same record twice. Mostly not, because such a request is refused. */
const mayRepeat = fc.constantFrom(true, ...Array.from({ length: 15 }, () => false));
const deleted = fc.constantFrom(true, false, false, false, false);
const amount = fc.constantFrom(0, 1, 1.5, 12.34, 0.000001, 999_999_999.999999);
const orNull = <T>(value: Arbitrary<T>): Arbitrary<T | null> => fc.option(value, { nil: null, freq: 4 });

const price = fc.record(
  { sellPrice: amount, discountPrice: orNull(amount), priceList: orNull(slot) },
  { requiredKeys: ['priceList'] },
);
const variant = fc.record(
  { slot: orNull(slot), sku: orNull(text), isActive: fc.boolean(), deleted, prices: fc.array(price, { maxLength: 2 }) },
  { requiredKeys: ['slot'] },
);
const memberChoices = {
  sourceId: orNull(text),
  vendorId: orNull(text),
  maxQuantityPerCart: orNull(amount),
  deleted,
  brand: orNull(slot),
  tags: orNull(fc.uniqueArray(slot, { maxLength: 3 })),
  categories: orNull(fc.uniqueArray(slot, { maxLength: 3 })),
  channels: orNull(fc.uniqueArray(slot, { maxLength: 2 })),
  hidden: orNull(fc.uniqueArray(slot, { maxLength: 2 })),
};
const members = fc.record(memberChoices, { requiredKeys: [] });
const version = fc.constantFrom(undefined, undefined, undefined, undefined, 0, 0, 0, 1);

type Members = typeof members extends Arbitrary<infer T> ? T : never;
type VariantChoice = typeof variant extends Arbitrary<infer T> ? T : never;

function definition<Choices>(one: Definition<Choices>): Definition<Choices> {
  return one;
}

const DEFINITIONS = {
  saveNamed: definition({
    weight: 6,
    choices: fc.record(
      { kind: fc.constantFrom(...KINDS), isNew, slot, name, deleted },
      { requiredKeys: ['kind', 'isNew', 'slot', 'name'] },
    ),
    request: (state, { kind, isNew, slot, name, deleted }) => {
      const input = defined({ id: isNew ? undefined : idAt(state.named[kind], slot), name, deleted });
      const { save, required } = OPERATIONS[kind];
      return {
        operation: save,
        variables: { input: { ...required, ...input } },
        verdict: saveNamed(state, kind, input),
      };
    },
  }),
  deleteNamed: definition({
    weight: 1,
    choices: fc.record({ kind: fc.constantFrom(...KINDS), slots }),
    request: (state, { kind, slots }) => {
      const idList = slots.map((one) => idAt(state.named[kind], one));
      return { operation: OPERATIONS[kind].remove, variables: { idList }, verdict: deleteNamed(state, kind, idList) };
    },
  }),
  saveCustomer: definition({
    weight: 3,
    choices: fc.record(
      { isNew, slot, firstName: name, lastName: orNull(name), email: orNull(fc.constant('a@example.com')), deleted },
      { requiredKeys: ['isNew', 'slot', 'firstName'] },
    ),
    request: (state, { isNew, slot, ...members }) => {
      const input = defined({ id: isNew ? undefined : idAt(state.customers, slot), ...members });
      return { operation: 'saveCustomer', variables: { input }, verdict: saveCustomer(state, input) };
    },
  }),
  deleteCustomers: definition({
    weight: 1,
    choices: slots,
    request: (state, chosen) => {
      const idList = chosen.map((one) => idAt(state.customers, one));
      return { operation: 'deleteCustomerList', variables: { idList }, verdict: deleteCustomers(state, idList) };
    },
  }),
  saveProduct: definition({
    weight: 8,
    choices: fc.record({
      mayRepeat,
      isNew,
      slot,
      name,
      version,
      members,
      variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
    }),
    request: (state, { mayRepeat, isNew, slot, name, version, members, variants }) => {
      const id = isNew ? undefined : idAt(state.products, slot);
      const stored = id === undefined ? undefined : byId(state.products, id);
      const input = defined({
        id,
        name,
        version: version === undefined || !stored ? undefined : stored.version + version,
        variants: variantInputs(state, stored, variants, mayRepeat).map(withWholePrices),
        ...memberInputs(state, members),
      });
      return {
        operation: 'saveProduct',
        variables: { input: { type: 'PHYSICAL', ...input } },
        verdict: saveProduct(state, input),
      };
    },
  }),
  updateProduct: definition({
    weight: 6,
    choices: fc.record({
      mayRepeat,
      slot,
      version,
      patch: fc.record({ ...memberChoices, name, variants: fc.array(variant, { maxLength: 2 }) }, { requiredKeys: [] }),
    }),
    request: (state, { mayRepeat, slot, version, patch: { name, variants, ...members } }) => {
      const id = idAt(state.products, slot);
      const stored = byId(state.products, id);
      const patch = defined({
        name,
        variants: variants && variantInputs(state, stored, variants, mayRepeat),
        ...memberInputs(state, members),
      });
      const read = version === undefined || !stored ? undefined : stored.version + version;
      return {
        operation: 'updateProduct',
        variables: defined({ id, patch, version: read }),
        verdict: patchProduct(state, id, patch, read),
      };
    },
  }),
  deleteProducts: definition({
    weight: 1,
    choices: slots,
    request: (state, chosen) => {
      const idList = chosen.map((one) => idAt(state.products, one));
      return { operation: 'deleteProductList', variables: { idList }, verdict: deleteProducts(state, idList) };
    },
  }),
  savePrices: definition({
    weight: 4,
    choices: fc.record({
      mayRepeat,
      list: orNull(slot),
      rows: fc.array(
        fc.record(
          { product: slot, variant: slot, sellPrice: amount, discountPrice: orNull(amount), deleted },
          { requiredKeys: ['product', 'variant', 'sellPrice'] },
        ),
        { maxLength: 3 },
      ),
    }),
    request: (state, { mayRepeat, list, rows }) => {
      const priceListId = list === null ? null : idAt(state.named.priceList, list);
      const inputs = rows.map(({ product, variant, sellPrice, discountPrice = null, deleted = false }) => {
        const productId = idAt(state.products, product);
        const variantId = idAt(byId(state.products, productId)?.variants ?? [], variant);
        return { productId, variantId, price: { sellPrice, discountPrice }, deleted };
      });
      const variantPriceInputs = distinct(inputs, ({ variantId }) => variantId, mayRepeat);
      return {
        operation: 'saveVariantPrices',
        variables: { input: { priceListId, variantPriceInputs } },
        verdict: savePrices(state, priceListId, variantPriceInputs),
      };
    },
  }),
  setActive: definition({
    weight: 2,
    choices: fc.record({
      mayRepeat,
      channel: slot,
      entries: fc.array(fc.record({ product: slot, active: fc.boolean() }), { minLength: 1, maxLength: 2 }),
    }),
    request: (state, { mayRepeat, channel, entries }) => {
      const salesChannelId = idAt(state.named.channel, channel);
      const sent = entries.map(({ product, active }) => ({ productId: idAt(state.products, product), active }));
      const input = distinct(sent, ({ productId }) => productId, mayRepeat);
      return {
        operation: 'updateProductSalesChannelStatus',
        variables: { salesChannelId, input },
        verdict: setActive(state, salesChannelId, input),
      };
    },
  }),
  saveStocks: definition({
    weight: 4,
    choices: fc.record({
      mayRepeat,
      entries: fc.array(
        fc.record({ product: slot, variant: slot, location: slot, stockCount: fc.constantFrom(-1, 0, 2.5, 7) }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    request: (state, { mayRepeat, entries }) => {
      const sent = entries.map(({ product, variant, location, stockCount }) => {
        const productId = idAt(state.products, product);
        const variantId = idAt(byId(state.products, productId)?.variants ?? [], variant);
        return { productId, variantId, stockLocationId: idAt(state.named.location, location), stockCount };
      });
      const inputs = distinct(sent, (one) => `${one.variantId} ${one.stockLocationId}`, mayRepeat);
      return {
        operation: 'saveProductStockLocations',
        variables: { input: { productStockLocationInputs: inputs } },
        verdict: saveStocks(state, inputs),
      };
    },
  }),
} as const;

const FIRST_PRODUCT = {
  mayRepeat: false,
  isNew: true,
  slot: 0,
  name: 'First',
  members: {},
  variants: [{ slot: null }, { slot: null, sku: 'first' }],
};

/** Sequences of commands: the first ones create records of each kind, so that the others have something to change. */
export const sequences: Arbitrary<Command[]> = fc
  .tuple(
    fc.tuple(
      ...KINDS.map((kind) => first('saveNamed', { kind, isNew: true, slot: 0, name: 'First' })),
      first('saveProduct', FIRST_PRODUCT),
    ),
    fc.array(
      fc.oneof(
        ...Object.entries(DEFINITIONS).map(([name, { choices, weight }]) => ({
          weight,
          arbitrary: fc.record({
            name: fc.constant(name),
            choices: choices as Arbitrary<unknown>,
            mode: fc.constantFrom<Mode>('once', 'once', 'once', 'once', 'dry run', 'twice'),
          }),
        })),
      ),
      { minLength: 1, maxLength: 80, size: 'max' },
    ),
  )
  .map(([begin, rest]) => [...begin, ...rest]);

export function requestOf(state: State, { name, choices }: Command): Request {
  const chosen = DEFINITIONS[name as keyof typeof DEFINITIONS] as unknown as Definition<unknown>;
  return chosen.request(state, choices);
}

function first(name: keyof typeof DEFINITIONS, choices: object): Arbitrary<Command> {
  return fc.constant({ name, choices, mode: 'once' });
}

function idAt(list: readonly { id: string }[], slot: number): string {
  return slot === NOWHERE || list.length === 0 ? UNKNOWN_ID : list[slot % list.length]!.id;
}

/** Without the members that are undefined. */
function defined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

function memberInputs(state: State, { brand, tags, categories, channels, hidden, ...plain }: Members) {
  const ids = (kind: Kind, chosen: readonly number[] | null | undefined) =>
    chosen && [...new Set(chosen.map((one) => idAt(state.named[kind], one)))];
  return {
    ...plain,
    brandId: typeof brand === 'number' ? idAt(state.named.brand, brand) : brand,
    tagIds: ids('tag', tags),
    categoryIds: ids('category', categories),
    salesChannelIds: ids('channel', channels),
    hiddenSalesChannelIds: ids('channel', hidden),
  };
}

function variantInputs(
  state: State,
  product: Product | undefined,
  variants: readonly VariantChoice[],
  mayRepeat: boolean,
) {
  const inputs = variants.map((one) => variantInput(state, product, one, mayRepeat));
  return distinct(inputs, ({ id }, index) => id ?? `new ${index}`, mayRepeat);
}

/** A new variant is never sent as deleted: clients would not learn its id. */
function variantInput(
  state: State,
  product: Product | undefined,
  { slot, prices = [], deleted, ...members }: VariantChoice,
  mayRepeat: boolean,
) {
  const id = slot === null || !product ? undefined : idAt(product.variants, slot);
  const rows = prices.map(({ priceList, ...row }) => ({
    ...row,
    priceListId: priceList === null ? null : idAt(state.named.priceList, priceList),
  }));
  const hasBase = rows.some(({ priceListId }) => priceListId === null);
  const sent = id === undefined && !hasBase ? [...rows, { priceListId: null }] : rows;
  return defined({
    id,
    ...members,
    deleted: id === undefined ? undefined : deleted,
    prices: distinct(sent, ({ priceListId }) => priceListId, mayRepeat).map((row) =>
      id === undefined ? { sellPrice: 5, ...row } : row,
    ),
  });
}

/** Without entries that have the key of an earlier one. */
function distinct<T>(list: readonly T[], key: (entry: T, index: number) => string | null, mayRepeat: boolean): T[] {
  const keys = list.map(key);
  return list.filter((_, index) => mayRepeat || keys.indexOf(keys[index]!) === index);
}

/** As `ProductInput` wants them: the list of prices is required, and so is the price of a row. */
function withWholePrices<T extends { prices?: { sellPrice?: number; priceListId: string | null }[] }>(variant: T) {
  return { ...variant, prices: (variant.prices ?? []).map((row) => ({ sellPrice: 5, ...row })) };
}

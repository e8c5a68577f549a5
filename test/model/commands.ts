import fc, { type Arbitrary } from 'fast-check';
import {
  amount,
  deleted,
  isNew,
  mayRepeat,
  memberChoices,
  members,
  name,
  orNull,
  slot,
  slots,
  variant,
  version,
} from './choices.ts';
import { setActive } from './channel-status.ts';
import { deleteCustomers, eraseCustomers, saveCustomer } from './customer.ts';
import { defined, distinct, idAt, memberInputs, variantInputs, withWholePrices } from './inputs.ts';
import { deleteNamed, saveNamed } from './named.ts';
import { deleteProducts, patchProduct, saveProduct } from './product.ts';
import { byId, type Kind, KINDS, type State, type Verdict } from './state.ts';
import { saveStocks } from './stock.ts';
import { savePrices } from './variant-prices.ts';

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

const OPERATIONS: Record<Kind, { save: string; remove: string; required: object }> = {
  tag: { save: 'saveProductTag', remove: 'deleteProductTagList', required: {} },
  brand: { save: 'saveProductBrand', remove: 'deleteProductBrandList', required: {} },
  category: { save: 'saveCategory', remove: 'deleteCategoryList', required: {} },
  channel: { save: 'saveSalesChannel', remove: 'deleteSalesChannelList', required: { type: 'STOREFRONT' } },
  location: { save: 'saveStockLocation', remove: 'deleteStockLocationList', required: {} },
  priceList: { save: 'savePriceList', remove: 'deletePriceListList', required: { currency: 'EUR' } },
};

function definition<Choices>(one: Definition<Choices>): Definition<Choices> {
  return one;
}

export const DEFINITIONS = {
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
  eraseCustomers: definition({
    weight: 1,
    choices: slots,
    request: (state, chosen) => {
      const idList = chosen.map((one) => idAt(state.customers, one));
      return { operation: 'eraseCustomerList', variables: { idList }, verdict: eraseCustomers(state, idList) };
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

export function requestOf(state: State, { name, choices }: Command): Request {
  const chosen = DEFINITIONS[name as keyof typeof DEFINITIONS] as unknown as Definition<unknown>;
  return chosen.request(state, choices);
}

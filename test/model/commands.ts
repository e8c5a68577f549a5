import fc from 'fast-check';
import {
  amount,
  deleted,
  isNew,
  mayRepeat,
  memberChoices,
  members,
  name,
  orNull,
  price,
  slot,
  text,
  variant,
  version,
} from './choices.ts';
import { type Command, type Definition, definition, listDefinition, type Request } from './command.ts';
import { bulkUpdate, categoryNames } from './bulk.ts';
import { setActive } from './channel-status.ts';
import { defined, distinct, idAt, memberInputs, variantInputs, withWholePrices } from './inputs.ts';
import { deleteProducts, patchProduct, type PatchProduct, saveProduct } from './product.ts';
import { CUSTOMER_COMMANDS, RECORD_COMMANDS } from './record-commands.ts';
import { SQL_COMMANDS } from './sql-commands.ts';
import { byId, type Product, type State } from './state.ts';
import { STOCK_COMMANDS } from './stock-commands.ts';
import { savePrices } from './variant-prices.ts';

const PRODUCT_COMMANDS = {
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
      sendsBack: fc.constantFrom(true, ...Array.from({ length: 7 }, () => false)),
      patch: fc.record({ ...memberChoices, name, variants: fc.array(variant, { maxLength: 2 }) }, { requiredKeys: [] }),
    }),
    request: (state, { mayRepeat, slot, version, sendsBack, patch: { name, variants, ...members } }) => {
      const id = idAt(state.products, slot);
      const stored = byId(state.products, id);
      const random = defined({
        name,
        variants: variants && variantInputs(state, stored, variants, mayRepeat),
        ...memberInputs(state, members),
      });
      const patch = sendsBack && stored ? asRead(stored) : random;
      const read = version === undefined || !stored ? undefined : stored.version + version;
      return {
        operation: 'updateProduct',
        variables: defined({ id, patch, version: read }),
        verdict: patchProduct(state, id, patch, read),
      };
    },
  }),
  bulkUpdate: definition({
    weight: 3,
    choices: fc.record({
      slot,
      name,
      deleted: fc.option(deleted, { nil: undefined }),
      keepsCategories: fc.boolean(),
      variants: fc.array(
        fc.record({ slot, sku: orNull(text), isActive: fc.boolean(), prices: fc.array(price, { maxLength: 2 }) }),
        { maxLength: 2 },
      ),
    }),
    request: (state, { slot, name, deleted, keepsCategories, variants }) => {
      const id = idAt(state.products, slot);
      const stored = byId(state.products, id);
      const live = stored && { ...stored, variants: stored.variants.filter((one) => !one.deleted) };
      const sent = variantInputs(state, live, variants, false).flatMap(({ id: own, ...members }) =>
        own === undefined
          ? []
          : [{ ...members, id: own, prices: members.prices.map((row) => ({ sellPrice: 5, ...row })) }],
      );
      const entry = defined({
        id,
        name,
        deleted,
        categories: stored && keepsCategories ? categoryNames(state, stored) : [],
        variants: sent,
      });
      return {
        operation: 'bulkUpdateProducts',
        variables: { input: [{ ...entry, type: 'PHYSICAL', productVariantTypes: [] }] },
        verdict: bulkUpdate(state, entry),
      };
    },
  }),
  deleteProducts: listDefinition('deleteProductList', 1, ({ products }) => products, deleteProducts),
  savePrices: definition({
    weight: 4,
    choices: fc.record({
      mayRepeat,
      list: orNull(slot),
      /** Prices of a deleted list can only be removed, all of a request. */
      removesAll: fc.constantFrom(true, false, false),
      rows: fc.array(
        fc.record(
          { product: slot, variant: slot, sellPrice: amount, discountPrice: orNull(amount), deleted },
          { requiredKeys: ['product', 'variant', 'sellPrice'] },
        ),
        { maxLength: 3 },
      ),
    }),
    request: (state, { mayRepeat, list, removesAll, rows }) => {
      const priceListId = list === null ? null : idAt(state.named.priceList, list);
      const inputs = rows.map(({ product, variant, sellPrice, discountPrice = null, deleted = false }) => {
        const productId = idAt(state.products, product);
        const variantId = idAt(byId(state.products, productId)?.variants ?? [], variant);
        return { productId, variantId, price: { sellPrice, discountPrice }, deleted: deleted || removesAll };
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
} as const;

/** The members as a client has read them: sending them changes nothing. */
function asRead({ id: _id, version: _version, variants: _variants, ...members }: Product): PatchProduct {
  return members;
}

export const DEFINITIONS = { ...RECORD_COMMANDS, ...PRODUCT_COMMANDS, ...STOCK_COMMANDS, ...SQL_COMMANDS } as const;

/** Sequences have the commands of one theme, so that those that belong together meet more often. */
export const THEMES: readonly Record<string, Pick<Definition<unknown>, 'choices' | 'weight'>>[] = [
  DEFINITIONS,
  PRODUCT_COMMANDS,
  { ...PRODUCT_COMMANDS, ...RECORD_COMMANDS },
  { ...STOCK_COMMANDS, ...SQL_COMMANDS, revertChanges: RECORD_COMMANDS.revertChanges },
  RECORD_COMMANDS,
  CUSTOMER_COMMANDS,
];

export function requestOf(state: State, { name, choices }: Command): Request {
  const chosen = DEFINITIONS[name as keyof typeof DEFINITIONS] as unknown as Definition<unknown>;
  return chosen.request(state, choices);
}

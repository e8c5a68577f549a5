import fc from 'fast-check';
import {
  amount,
  bulkEntry,
  currency,
  deleted,
  isNew,
  mayRepeat,
  memberChoices,
  members,
  name,
  orNull,
  slot,
  slug,
  variant,
  version,
} from './choices.ts';
import { type Command, type Definition, definition, listDefinition, type Request } from './command.ts';
import { shownCategoryIds } from './automated.ts';
import { AUTOMATED_COMMANDS } from './automated-commands.ts';
import { bulkUpdate } from './bulk.ts';
import { setActive } from './channel-status.ts';
import {
  asBulkInput,
  bulkEntryOf,
  defined,
  distinct,
  idAt,
  memberInputs,
  variantInputs,
  withPage,
  withWholePrices,
} from './inputs.ts';
import { withShownPrices } from './prices.ts';
import { deleteProducts, patchProduct, type PatchProduct, priceOf, saveProduct } from './product.ts';
import { RECORD_COMMANDS, TREE_COMMANDS } from './record-commands.ts';
import { SQL_COMMANDS } from './sql-commands.ts';
import { byId, type Product, shown, type State, variantAt } from './state.ts';
import { STOCK_COMMANDS } from './stock-commands.ts';
import { savePrices } from './variant-prices.ts';

export const PRODUCT_COMMANDS = {
  saveProduct: definition({
    weight: 8,
    choices: fc.record({
      mayRepeat,
      isNew,
      slot,
      name,
      version,
      slug,
      members,
      variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
    }),
    request: (state, { mayRepeat, isNew, slot, name, version, slug, members, variants }) => {
      const id = isNew ? undefined : idAt(state.products, slot);
      const stored = byId(state.products, id);
      const input = defined({
        id,
        name,
        version: version === undefined || !stored ? undefined : stored.version + version,
        slug,
        variants: variantInputs(state, stored, variants, mayRepeat).map(withWholePrices),
        ...memberInputs(state, members),
      });
      return {
        operation: 'saveProduct',
        variables: { input: withPage({ type: 'PHYSICAL', ...input }) },
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
      /** All that was read, with the slug of the patch if it has one. */
      sendsBack: fc.constantFrom(true, false, false, false),
      patch: fc.record(
        { ...memberChoices, name, slug, variants: fc.array(variant, { maxLength: 2 }) },
        { requiredKeys: [] },
      ),
    }),
    request: (state, { mayRepeat, slot, version, sendsBack, patch: { name, slug, variants, ...members } }) => {
      const id = idAt(state.products, slot);
      const stored = byId(state.products, id);
      const random = defined({
        name,
        slug,
        variants: variants && variantInputs(state, stored, variants, mayRepeat),
        ...memberInputs(state, members),
      });
      const patch = sendsBack && stored ? { ...asRead(state, stored), ...defined({ slug }) } : random;
      const read = version === undefined || !stored ? undefined : stored.version + version;
      return {
        operation: 'updateProduct',
        variables: defined({
          id,
          patch: withPage({ ...patch, ...(sendsBack && shownLists(state, stored)) }),
          version: read,
        }),
        verdict: patchProduct(state, id, patch, read),
      };
    },
  }),
  bulkUpdate: definition({
    weight: 6,
    choices: fc.record({ mayRepeat, entries: fc.array(bulkEntry, { minLength: 1, maxLength: 3 }) }),
    request: (state, { mayRepeat, entries }) => {
      const chosen = entries.map((one) => bulkEntryOf(state, one));
      const sent = distinct(chosen, ({ id, sourceId }, index) => id ?? sourceId ?? `new ${index}`, mayRepeat);
      return {
        operation: 'bulkUpdateProducts',
        variables: { input: sent.map(asBulkInput) },
        verdict: bulkUpdate(state, sent),
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
          {
            product: slot,
            variant: slot,
            isAsRead: fc.boolean(),
            sellPrice: amount,
            discountPrice: orNull(amount),
            currency,
            deleted,
          },
          { requiredKeys: ['product', 'variant', 'sellPrice', 'isAsRead'] },
        ),
        { maxLength: 3 },
      ),
    }),
    request: (state, { mayRepeat, list, removesAll, rows }) => {
      const priceListId = list === null ? null : idAt(state.named.priceList, list);
      const inputs = rows.map(({ product, variant, isAsRead, deleted = false, ...members }) => {
        const productId = idAt(state.products, product);
        const variantId = idAt(byId(state.products, productId)?.variants ?? [], variant);
        const stored = variantAt(state, { productId, variantId });
        const { priceListId: _, ...read } = priceOf(stored && withShownPrices(state, stored), { priceListId }) ?? {};
        const price = { discountPrice: null, currency: null, ...members, ...(isAsRead && read) };
        return { productId, variantId, price, deleted: deleted || removesAll };
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
    weight: 4,
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

/** The lists in which a client reads more than the product has: automated categories that are sent are ignored. */
function shownLists(state: State, stored: Product | undefined): PatchProduct {
  return stored ? { categoryIds: shownCategoryIds(state, stored) } : {};
}

/** A product as a client has read it: sending it changes nothing. */
function asRead(state: State, { id, version: _version, variants, ...members }: Product): PatchProduct {
  return { ...members, slug: state.slugs[id]!, variants: shown(variants).map((one) => withShownPrices(state, one)) };
}

/**
 * Automated categories and trees of categories are left out, and have themes of their own: with automated categories
 * `asOf` shows no categories of products, and in a tree a name of `bulkUpdate` means only a category without a parent.
 */
export const DEFINITIONS = { ...RECORD_COMMANDS, ...PRODUCT_COMMANDS, ...STOCK_COMMANDS, ...SQL_COMMANDS } as const;

export function requestOf(state: State, { name, choices }: Command): Request {
  const chosen = { ...DEFINITIONS, ...AUTOMATED_COMMANDS, ...TREE_COMMANDS }[name] as unknown as Definition<unknown>;
  return chosen.request(state, choices);
}

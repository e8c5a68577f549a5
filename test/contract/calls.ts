import { getNamedType, type GraphQLOutputType, isObjectType, isRequiredArgument } from 'graphql';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { listAccessToken } from '../../src/app/listAccessToken.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { exampleVariables } from '../support/example-input.ts';
import { type CallOperation, operations } from '../support/operation.ts';
import { createOtherApp, settle } from '../webhook/deliveries.ts';

type Saved = {
  id: string;
  values?: Saved[];
  options?: Saved[];
  variants?: Saved[];
  addresses?: Saved[];
  data?: Saved[];
};

/** Ids of the records, by kind. */
export type Shop = Awaited<ReturnType<typeof createShop>>;

/** Saves one record of every kind, and more of a kind if records refer to each other. */
export async function createShop(call: CallOperation, ctx: Context) {
  const answer = async <Result = Saved>(operation: string, variables: object): Promise<Result> => {
    const { data, errors } = await call(ctx, operation, variables);
    if (!data || errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data[operation] as Result;
  };
  const save = async (operation: string, input: object) => await answer(operation, { input });
  const { id: basePriceList } = await save('savePriceList', { name: 'Base', currency: 'EUR' });
  const { id: priceList } = await save('savePriceList', { name: 'List', currency: 'EUR' });
  const { id: stockLocation } = await save('saveStockLocation', { name: 'Location' });
  const { id: otherStockLocation } = await save('saveStockLocation', { name: 'Other location' });
  const { id: salesChannel } = await save('saveSalesChannel', { name: 'Channel', type: 'STOREFRONT' });
  const { id: brand } = await save('saveProductBrand', { name: 'Brand' });
  const { id: tag } = await save('saveProductTag', { name: 'Tag' });
  const { id: parentCategory } = await save('saveCategory', { name: 'Parent' });
  const { id: category } = await save('saveCategory', { name: 'Category', parentId: parentCategory });
  const type = await save('saveVariantType', { name: 'Type', selectionType: 'choice', values: [{ name: 'Value' }] });
  const attribute = await save('saveProductAttribute', {
    name: 'Attribute',
    type: 'CHOICE',
    options: [{ name: 'Option' }],
  });
  const customer = await save('saveCustomer', { firstName: 'Ada', addresses: [address()] });
  const part = await save('saveProduct', {
    name: 'Part',
    type: 'PHYSICAL',
    variants: [{ prices: [{ sellPrice: 1 }] }],
  });
  const shop = {
    merchant: ctx.merchantId,
    app: ctx.session.authorizedAppId,
    basePriceList,
    priceList,
    stockLocation,
    otherStockLocation,
    salesChannel,
    brand,
    tag,
    parentCategory,
    category,
    variantType: type.id,
    variantValue: type.values![0]!.id,
    attribute: attribute.id,
    option: attribute.options![0]!.id,
    customer: customer.id,
    address: customer.addresses![0]!.id,
    part: part.id,
    partVariant: part.variants![0]!.id,
  };
  const product = await save('saveProduct', productInput(shop));
  const variant = product.variants![0]!.id;
  const place = { productId: product.id, variantId: variant, stockLocationId: stockLocation };
  // A bundle cannot be held.
  const partPlace = { productId: part.id, variantId: part.variants![0]!.id, stockLocationId: otherStockLocation };
  const counted = [place, partPlace].map((counted) => ({ ...counted, stockCount: 5 }));
  await save('saveProductStockLocations', { productStockLocationInputs: counted });
  const picture = { imageUrl: 'https://pictures.example/a.png', isMain: true, order: 1 };
  const bulkInput = {
    name: 'Bulk',
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: 1 }], images: [picture] }],
  };
  const bulkOperation = await answer<string>('bulkUpdateProducts', { input: [bulkInput] });
  const [webhook] = await answer<Saved[]>('saveWebhook', {
    input: { endpoint: 'https://receiver.example/', scopes: ['store/customer/created'] },
  });
  const pushed = await save('saveCustomer', { firstName: 'Pushed' });
  const unwanted = await save('saveCustomer', { firstName: 'Unwanted' });
  const forgotten = await save('saveCustomer', { firstName: 'Forgotten' });
  const deliveries = await answer('listWebhookDelivery', {});
  await settle(
    ctx,
    deliveries.data!.map(({ id }) => id),
    'FAILED',
  );
  // One for each operation that ends or extends holds.
  const [hold, releasedHold, extendedHold] = await answer<Saved[]>('holdStock', {
    input: ['a', 'b', 'c'].map((key) => ({ ...partPlace, quantity: 1, key, expiresAt: Date.now() + 3_600_000 })),
  });
  const stocks = await answer('listProductStockLocation', { stockLocationId: { eq: stockLocation } });
  const changes = await answer<{ data: { id: string; changeSet: Saved }[] }>('listChange', { recordId: { eq: brand } });
  return {
    ...shop,
    change: changes.data[0]!.id,
    changeSet: changes.data[0]!.changeSet.id,
    product: product.id,
    variant,
    stock: stocks.data![0]!.id,
    hold: hold!.id,
    releasedHold: releasedHold!.id,
    extendedHold: extendedHold!.id,
    bulkOperation,
    webhook: webhook!.id,
    pushed: pushed.id,
    unwanted: unwanted.id,
    erasure: (await answer('eraseCustomerList', { idList: [forgotten.id] })).id,
    delivery: deliveries.data![0]!.id,
    otherApp: (await createOtherApp(ctx, [])).session.authorizedAppId,
    accessToken: await createToken(ctx),
  };
}

async function createToken(ctx: Context): Promise<string> {
  await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: ['read_products'] });
  return (await listAccessToken(ctx, {}, { data: { id: {} } })).data[0]!.id;
}

function ownPlace(own: Shop) {
  return { productId: own.product, variantId: own.variant, stockLocationId: own.stockLocation };
}

type Call = (own: Shop) => { [argument: string]: unknown };

/**
 * A successful call of each operation by the owner of the shop, with an id of the shop wherever an id is accepted. A
 * filter is only the id, and the tests replace it by each member of the filter. Calls that are not in WRITTEN_CALLS are
 * derived from the schema.
 */
export const calls: { [operation: string]: Call } = Object.fromEntries(
  Array.from(operations.keys(), (name) => [name, (own: Shop) => WRITTEN_CALLS[name]?.(own) ?? derivedCall(name, own)]),
);

/** The variables of a call, in which an id or another text in the place of a filter becomes a filter with `eq`. */
export function callWithFilters(name: string, own: Shop): { [argument: string]: unknown } {
  const filters = operations.get(name)!.field.args.filter(({ type }) => type.toString().endsWith('FilterInput'));
  const isFilter = (argument: string): boolean => filters.some((filter) => filter.name === argument);
  const given = Object.entries(calls[name]!(own));
  return Object.fromEntries(given.map(([argument, value]) => [argument, isFilter(argument) ? { in: [value] } : value]));
}

/** `id` and `idList` of the operation's own type, and examples of the other required arguments. */
function derivedCall(name: string, own: Shop): { [argument: string]: unknown } {
  const { field } = operations.get(name)!;
  const has = (argument: string) => field.args.some((candidate) => candidate.name === argument);
  return {
    ...exampleVariables(field.args.filter(isRequiredArgument)),
    ...(has('id') && { id: ownId(name, own) }),
    ...(has('idList') && { idList: [ownId(name, own)] }),
  };
}

/** The shop's record of the operation's type: `deleteProductTagList` and `listProductTag` get the id of `tag`. */
function ownId(name: string, own: Shop): string {
  const type = /^delete(\w+)List$/.exec(name)?.[1] ?? recordType(operations.get(name)!.field.type);
  const kind = type.replace(/^Product(?=[A-Z])/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  if (kind in own) return own[kind as keyof Shop];
  throw new Error(`calls.ts: the shop has no ${kind}. Add one to createShop, or a call of ${name} to WRITTEN_CALLS.`);
}

/** The type of the records. For a page, the type of its entries. */
function recordType(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  const data = isObjectType(named) ? named.getFields()['data'] : undefined;
  return data ? getNamedType(data.type).name : named.name;
}

/** Calls with inputs, and with ids of other types. */
const WRITTEN_CALLS: { [operation: string]: Call } = {
  listAuthorizedApp: (own) => ({ id: own.app }),
  listAccessToken: (own) => ({ id: own.accessToken, authorizedAppId: own.app }),
  revokeAuthorizedApp: (own) => ({ id: own.otherApp }),
  revokeAccessTokenList: (own) => ({ idList: [own.accessToken] }),

  listProduct: (own) => ({
    id: own.product,
    attributeId: own.attribute,
    brandId: own.brand,
    bundleProductsProductId: own.part,
    categoryIds: own.category,
    salesChannelIds: own.salesChannel,
    tagIds: own.tag,
    variantStockLocationId: own.stockLocation,
    variantTypeId: own.variantType,
  }),
  eraseCustomerList: (own) => ({ idList: [own.unwanted] }),
  exportCustomer: (own) => ({ id: own.pushed }),

  saveProduct: (own) => ({ input: { ...productInput(own), id: own.product } }),
  updateProduct: (own) => ({ id: own.product, patch: productInput(own) }),
  updateProductSalesChannelStatus: (own) => ({
    salesChannelId: own.salesChannel,
    input: [{ productId: own.product, active: true }],
  }),
  saveVariantPrices: (own) => ({
    input: {
      priceListId: own.priceList,
      variantPriceInputs: [
        { productId: own.product, variantId: own.variant, price: { sellPrice: 8, priceListId: own.priceList } },
      ],
    },
  }),
  bulkUpdateProducts: (own) => ({
    input: [
      {
        id: own.product,
        name: 'Bundle',
        type: 'BUNDLE',
        categories: [{ name: ['Parent', 'New'] }],
        tags: [{ name: 'Tag' }],
        brand: { name: 'Brand' },
        salesChannelIds: [own.salesChannel],
        salesChannels: [{ id: own.salesChannel, status: 'PASSIVE' }],
        productVariantTypes: [{ order: 1, variantTypeName: 'Type', variantValues: [{ name: 'New' }] }],
        variants: [
          {
            id: own.variant,
            prices: [{ sellPrice: 3, priceListId: own.priceList }, { sellPrice: 4 }],
            stocks: [{ stockLocationId: own.stockLocation, stockCount: 3 }],
            variantValues: [{ variantTypeName: 'Type', variantValueName: 'New' }],
          },
        ],
      },
    ],
  }),
  searchProducts: (own) => ({
    input: {
      query: 'Bundle',
      productIdList: [own.product],
      attributeId: { in: [own.attribute] },
      brandId: { in: [own.brand] },
      categoryIds: { in: [own.category] },
      salesChannelIds: { in: [own.salesChannel] },
      tagIds: { in: [own.tag] },
    },
  }),

  listCategory: (own) => ({ id: own.category, categoryPath: own.parentCategory }),
  categoryPage: (own) => ({ id: own.category, categoryPath: own.parentCategory }),
  saveCategory: (own) => ({
    input: {
      id: own.category,
      name: 'Category',
      parentId: own.parentCategory,
      salesChannelIds: [own.salesChannel],
      salesChannels: [{ id: own.salesChannel, status: 'VISIBLE' }],
    },
  }),

  saveProductBrand: (own) => ({ input: { id: own.brand, name: 'Brand', salesChannelIds: [own.salesChannel] } }),

  saveProductTag: (own) => ({ input: { id: own.tag, name: 'Renamed' } }),

  saveVariantType: (own) => ({
    input: {
      id: own.variantType,
      name: 'Type',
      selectionType: 'choice',
      values: [{ id: own.variantValue, name: 'Value' }],
      translations: [{ locale: 'de', values: [{ id: own.variantValue, name: 'Wert' }] }],
    },
  }),

  saveProductAttribute: (own) => ({
    input: {
      id: own.attribute,
      name: 'Attribute',
      type: 'CHOICE',
      options: [{ id: own.option, name: 'Option' }],
      translations: [{ locale: 'de', options: [{ id: own.option, name: 'Auswahl' }] }],
    },
  }),

  saveSalesChannel: (own) => ({
    input: {
      id: own.salesChannel,
      name: 'Channel',
      type: 'STOREFRONT',
      priceListId: own.priceList,
      stockLocations: [{ id: own.stockLocation, order: 1 }],
    },
  }),

  savePriceList: (own) => ({
    input: {
      id: own.priceList,
      name: 'List',
      currency: 'EUR',
      ruleList: [{ basePriceListId: own.basePriceList, currencySettings: {}, rules: [] }],
    },
  }),

  saveStockLocation: (own) => ({ input: { id: own.stockLocation, name: 'Renamed' } }),
  listProductStockLocation: (own) => ({
    id: own.stock,
    productId: own.product,
    variantId: own.variant,
    stockLocationId: own.stockLocation,
  }),
  saveProductStockLocations: (own) => ({
    input: {
      productStockLocationInputs: [
        {
          id: own.stock,
          productId: own.product,
          variantId: own.variant,
          stockLocationId: own.stockLocation,
          stockCount: 7,
        },
      ],
    },
  }),
  adjustStock: (own) => ({ input: [{ ...ownPlace(own), delta: 1, key: 'adjustStock' }] }),
  moveStock: (own) => ({
    input: [
      {
        productId: own.product,
        variantId: own.variant,
        fromStockLocationId: own.stockLocation,
        toStockLocationId: own.otherStockLocation,
        quantity: 1,
        key: 'moveStock',
      },
    ],
  }),
  holdStock: (own) => ({
    input: [
      {
        productId: own.part,
        variantId: own.partVariant,
        stockLocationId: own.otherStockLocation,
        quantity: 1,
        key: 'holdStock',
        expiresAt: Date.now() + 3_600_000,
      },
    ],
  }),
  commitHold: (own) => ({ idList: [own.hold] }),
  releaseHold: (own) => ({ idList: [own.releasedHold] }),
  extendHold: (own) => ({ idList: [own.extendedHold], expiresAt: Date.now() + 7_200_000 }),
  listStockHold: (own) => ({
    variantId: own.partVariant,
    stockLocationId: own.otherStockLocation,
    productId: own.part,
    reference: 'cart',
  }),
  listStockMovement: (own) => ({
    variantId: own.variant,
    stockLocationId: own.stockLocation,
    productId: own.product,
    reference: 'order',
  }),

  listChange: (own) => ({
    recordId: own.brand,
    authorizedAppId: own.app,
    operation: 'saveProductBrand',
    changeSetId: own.changeSet,
    path: 'name',
  }),

  lowestPrice: (own) => ({ variantId: own.variant, priceListId: own.priceList }),

  revertChanges: (own) => ({ input: { changeSetId: own.changeSet } }),

  listCustomer: (own) => ({ id: own.customer, merchantId: own.merchant }),
  saveCustomer: (own) => ({
    input: {
      id: own.customer,
      firstName: 'Ada',
      priceListId: own.priceList,
      lastPriceListId: own.priceList,
      addresses: [{ id: own.address, ...address() }],
      priceListRules: [{ priceListId: own.priceList, value: 1, valueType: 'DISCOUNT_RATE' }],
    },
  }),

  saveWebhook: (own) => ({
    input: {
      endpoint: 'https://other.example/',
      scopes: ['store/customer/created'],
      salesChannelIds: [own.salesChannel],
    },
  }),
  deleteWebhook: () => ({ scopes: ['store/customer/created'] }),
  listWebhook: (own) => ({ authorizedAppId: own.app, scope: 'store/customer/created' }),
  listWebhookDelivery: (own) => ({
    id: own.delivery,
    recordId: own.pushed,
    endpoint: 'https://receiver.example/',
    authorizedAppId: own.app,
    scope: 'store/customer/created',
    status: 'FAILED',
  }),
  listWebhookEvent: () => ({ scopes: ['store/customer/created'], from: Date.now() - 60_000 }),
  redeliverWebhook: (own) => ({ idList: [own.delivery] }),
  explainWebhook: (own) => ({ scope: 'store/customer/created', recordId: own.pushed, authorizedAppId: own.app }),
  explainWebhookList: (own) => ({
    scope: 'store/customer/created',
    recordId: own.pushed,
    authorizedAppId: own.app,
  }),
  redeliverWebhookDeliveryList: (own) => ({ idList: [own.delivery] }),
  redeliverWebhookDeliveryRange: (own) => ({
    scope: 'store/customer/created',
    from: 0,
    to: Date.UTC(2100, 0),
    authorizedAppId: own.app,
  }),
  redeliverWebhookRange: () => ({ scope: 'store/customer/created', from: 0, to: Date.UTC(2100, 0) }),
  resumeWebhook: (own) => ({ id: own.webhook }),
  testWebhook: (own) => ({ scope: 'store/customer/created', authorizedAppId: own.app }),
};

function productInput(
  own: Pick<
    Shop,
    | 'brand'
    | 'category'
    | 'tag'
    | 'attribute'
    | 'option'
    | 'priceList'
    | 'variantType'
    | 'variantValue'
    | 'salesChannel'
    | 'part'
  > &
    Partial<Shop>,
) {
  const attribute = { productAttributeId: own.attribute, productAttributeOptionId: own.option };
  return {
    name: 'Bundle',
    type: 'BUNDLE',
    brandId: own.brand,
    categoryIds: [own.category],
    tagIds: [own.tag],
    attributes: [attribute],
    dynamicPriceListIds: [own.priceList],
    groupVariantsByVariantTypeId: own.variantType,
    salesChannelIds: [own.salesChannel],
    hiddenSalesChannelIds: [own.salesChannel],
    salesChannels: [{ id: own.salesChannel, status: 'VISIBLE' }],
    productVariantTypes: [{ order: 1, variantTypeId: own.variantType, variantValueIds: [own.variantValue] }],
    variants: [
      {
        ...(own.variant ? { id: own.variant } : {}),
        prices: [{ sellPrice: 9, priceListId: own.priceList }, { sellPrice: 10 }],
        attributes: [attribute],
        variantValueIds: [{ variantTypeId: own.variantType, variantValueId: own.variantValue }],
        bundleSettings: {
          products: [{ id: newId(), productId: own.part, quantity: 1, order: 1, filteredVariantIds: [] }],
        },
      },
    ],
  };
}

function address() {
  return {
    title: 'Home',
    firstName: 'Ada',
    lastName: 'L',
    addressLine1: '1 Street',
    city: { name: 'London' },
    country: { name: 'England' },
  };
}

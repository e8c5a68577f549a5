import { type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import { productPrice } from '../../drizzle/product-price.ts';
import {
  bundleProduct, productAttributeValue, productCategory, productDynamicPriceList, productSalesChannel,
  productTagRelation, productVariantType, productVariantValue, variantImage, variantValueRelation,
} from '../../drizzle/product-relation.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import type { TenantTable } from '../db/shape.ts';
import { asOne, type Step, step } from '../db/together.ts';
import { insert, replace, type Replacement, upsert } from '../db/write.ts';

type Row<Table extends { $inferInsert: object }> = Omit<Table['$inferInsert'], 'merchantId'>;
type Listed<Table extends { $inferInsert: object }> = Omit<Row<Table>, 'productId' | 'variantId' | 'position'>;

/** A product as it is to stand in the tables. A list that is absent stays as it is stored. */
export type ProductWrite = {
  isNew: boolean;
  row: Row<typeof product>;
  variants: VariantWrite[];
  categoryIds?: string[];
  tagIds?: string[];
  dynamicPriceListIds?: string[];
  salesChannels?: Omit<Listed<typeof productSalesChannel>, 'position'>[];
  variantTypes?: { variantTypeId: string; order: number; variantValueIds: string[] }[];
  attributes?: AttributeValueWrite[];
};

/** One of all the variants of a product; those it does not have any more are written as deleted. */
export type VariantWrite = {
  /** Whether the row stands in its table already, in this place. */
  isSame: boolean;
  row: Omit<Row<typeof variant>, 'productId' | 'position'>;
  /** Set beside the stored rows of other price lists. */
  prices: Omit<InferInsertModel<typeof productPrice>, 'merchantId' | 'productId' | 'variantId'>[];
  images?: Listed<typeof variantImage>[];
  values?: Listed<typeof variantValueRelation>[];
  attributes?: AttributeValueWrite[];
  bundleProducts?: Listed<typeof bundleProduct>[];
};

export type AttributeValueWrite = Omit<Listed<typeof productAttributeValue>, 'id'>;

/**
 * The steps that write any number of products and their metadata, as many as there are tables at most.
 * Between hold and release a product that is written with its variants and tags gets its search document
 * once. A new product goes before its parts, as its event is told from the first that is known of it.
 */
export function productWrites(ctx: WriteContext, writes: ProductWrite[], metaData: readonly Step[]): Step[] {
  const created = writes.filter(({ isNew }) => isNew);
  return [
    step(sql`select product_search_hold(${ctx.merchantId}::uuid)`),
    ...change(ctx, writes.filter(({ isNew }) => !isNew)).map(step),
    ...insert(ctx, product, created.map(({ row }) => row)).map(step),
    ...asOne([...parts(ctx, created).map(step), ...metaData]),
    step(sql`select product_search_release(${ctx.merchantId}::uuid)`),
  ];
}

/** What is new meets no stored rows. */
function parts(ctx: WriteContext, writes: ProductWrite[]): SQL[] {
  const variants = variantsOf(writes);
  return [
    ...insert(ctx, variant, variants.map(variantRow)),
    ...insert(ctx, productPrice, variants.flatMap(pricesOf)),
    ...lists(writes, variants, (table, { rows }) => insert(ctx, table, rows)),
  ];
}

function change(ctx: WriteContext, writes: ProductWrite[]): SQL[] {
  const variants = variantsOf(writes);
  return [
    ...upsert(ctx, product, ['id'], writes.map(({ row }) => row)),
    ...upsert(ctx, variant, ['id'], variants.filter(({ isSame }) => !isSame).map(variantRow)),
    ...upsert(ctx, productPrice, ['productId', 'variantId', 'priceListId'], variants.flatMap(pricesOf)),
    ...lists(writes, variants, (table, replacement) => replace(ctx, table, replacement)),
  ];
}

type WriteContext = Pick<Context, 'db' | 'merchantId'>;
type PlacedVariant = VariantWrite & { productId: string; position: number };

function variantsOf(writes: ProductWrite[]): PlacedVariant[] {
  return writes.flatMap(({ row, variants }) => variants.map((write, position) => ({ ...write, productId: row.id!, position })));
}

function variantRow({ row, productId, position }: PlacedVariant) {
  return { ...row, productId, position };
}

function pricesOf({ row, productId, prices }: PlacedVariant) {
  return prices.map((price) => ({ productId, variantId: row.id!, ...price }));
}

type WriteList = <Table extends TenantTable>(table: Table, replacement: Replacement<Table>) => SQL[];

function lists(writes: ProductWrite[], variants: PlacedVariant[], write: WriteList): SQL[] {
  return [...productLists(writes, write), ...variantLists(variants, write)];
}

function productLists(writes: ProductWrite[], write: WriteList): SQL[] {
  const list = <Member extends keyof ProductWrite, Made>(member: Member, make: (entry: Entry<ProductWrite[Member]>, productId: string, position: number) => Made) => {
    const sent = writes.filter((write) => write[member] !== undefined);
    const entries = (write: ProductWrite) => write[member] as unknown as Entry<ProductWrite[Member]>[];
    return {
      parent: 'productId' as const,
      parentIds: sent.map(({ row }) => row.id!),
      rows: sent.flatMap((write) => entries(write).map((entry, position) => make(entry, write.row.id!, position))),
    };
  };
  const uses = list('variantTypes', ({ variantTypeId, order }, productId, position) => ({ productId, variantTypeId, order, position }));
  const usedValues = list('variantTypes', ({ variantTypeId, variantValueIds }, productId) =>
    variantValueIds.map((variantValueId, position) => ({ productId, variantTypeId, variantValueId, position })));
  return [
    ...write(productCategory, {
      ...list('categoryIds', (categoryId, productId, position) => ({ productId, categoryId, position })),
      key: ['productId', 'categoryId'],
    }),
    ...write(productTagRelation, {
      ...list('tagIds', (tagId, productId, position) => ({ productId, tagId, position })),
      key: ['productId', 'tagId'],
    }),
    ...write(productDynamicPriceList, {
      ...list('dynamicPriceListIds', (priceListId, productId, position) => ({ productId, priceListId, position })),
      key: ['productId', 'priceListId'],
    }),
    ...write(productSalesChannel, {
      ...list('salesChannels', (channel, productId, position) => ({ ...channel, productId, position })),
      key: ['productId', 'salesChannelId'],
    }),
    ...write(productVariantType, { ...uses, key: ['productId', 'variantTypeId'] }),
    ...write(productVariantValue, { ...usedValues, rows: usedValues.rows.flat(), key: ['productId', 'variantTypeId', 'variantValueId'] }),
    ...write(productAttributeValue, {
      ...list('attributes', (value, productId, position) => ({ productId, variantId: null, position, ...value })),
      key: ['productId', 'variantId', 'position'],
      among: sql`${productAttributeValue.variantId} is null`,
    }),
  ];
}

function variantLists(variants: PlacedVariant[], write: WriteList): SQL[] {
  const list = <Member extends 'images' | 'values' | 'attributes' | 'bundleProducts'>(member: Member) => {
    const sent = variants.filter((write) => write[member] !== undefined);
    const entries = (write: PlacedVariant) => write[member] as (Entry<PlacedVariant[Member]> & object)[];
    return {
      parent: 'variantId' as const,
      parentIds: sent.map(({ row }) => row.id!),
      rows: sent.flatMap((write) =>
        entries(write).map((entry, position) => ({ ...entry, productId: write.productId, variantId: write.row.id!, position }))),
    };
  };
  return [
    ...write(variantImage, { ...list('images'), key: ['productId', 'variantId', 'imageId'] }),
    ...write(variantValueRelation, { ...list('values'), key: ['productId', 'variantId', 'variantTypeId', 'variantValueId'] }),
    ...write(productAttributeValue, { ...list('attributes'), key: ['productId', 'variantId', 'position'] }),
    ...write(bundleProduct, { ...list('bundleProducts'), key: ['productId', 'variantId', 'id'] }),
  ];
}

type Entry<List> = NonNullable<List> extends (infer Element)[] ? Element : never;

import type { InferInsertModel } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { productPrice } from '../../drizzle/product-price.ts';
import {
  bundleProduct, productAttributeValue, productCategory, productDynamicPriceList, productSalesChannel,
  productTagRelation, productVariantType, productVariantValue, variantImage, variantValueRelation,
} from '../../drizzle/product-relation.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { replace, run, upsert } from '../db/write.ts';

type Row<Table extends { $inferInsert: object }> = Omit<Table['$inferInsert'], 'merchantId'>;
type Listed<Table extends { $inferInsert: object }> = Omit<Row<Table>, 'productId' | 'variantId' | 'position'>;

/** A product as it is to stand in the tables. A list that is absent stays as it is stored. */
export type ProductWrite = {
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
  row: Omit<Row<typeof variant>, 'productId' | 'position'>;
  /** Set beside the stored rows of other price lists. */
  prices: Omit<InferInsertModel<typeof productPrice>, 'merchantId' | 'productId' | 'variantId'>[];
  images?: Listed<typeof variantImage>[];
  values?: Listed<typeof variantValueRelation>[];
  attributes?: AttributeValueWrite[];
  bundleProducts?: Listed<typeof bundleProduct>[];
};

export type AttributeValueWrite = Omit<Listed<typeof productAttributeValue>, 'id'>;

/** Writes any number of products with a fixed number of statements, sent together. */
export async function writeProducts(ctx: Context, writes: ProductWrite[]): Promise<void> {
  const variants = writes.flatMap(({ row, variants }) => variants.map((write, position) => ({ ...write, productId: row.id!, position })));
  await run(ctx, [
    sql`select product_search_hold(${ctx.merchantId}::uuid)`,
    ...upsert(ctx, product, ['id'], writes.map(({ row }) => row)),
    ...upsert(ctx, variant, ['id'], variants.map(({ row, productId, position }) => ({ ...row, productId, position }))),
    ...upsert(ctx, productPrice, ['productId', 'variantId', 'priceListId'], variants.flatMap(pricesOf)),
    ...productLists(ctx, writes),
    ...variantLists(ctx, variants),
    sql`select product_search_release(${ctx.merchantId}::uuid)`,
  ]);
}

type PlacedVariant = VariantWrite & { productId: string; position: number };

function pricesOf({ row, productId, prices }: PlacedVariant) {
  return prices.map((price) => ({ productId, variantId: row.id!, ...price }));
}

function productLists(ctx: Context, writes: ProductWrite[]) {
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
    ...replace(ctx, productCategory, {
      ...list('categoryIds', (categoryId, productId, position) => ({ productId, categoryId, position })),
      key: ['productId', 'categoryId'],
    }),
    ...replace(ctx, productTagRelation, {
      ...list('tagIds', (tagId, productId, position) => ({ productId, tagId, position })),
      key: ['productId', 'tagId'],
    }),
    ...replace(ctx, productDynamicPriceList, {
      ...list('dynamicPriceListIds', (priceListId, productId, position) => ({ productId, priceListId, position })),
      key: ['productId', 'priceListId'],
    }),
    ...replace(ctx, productSalesChannel, {
      ...list('salesChannels', (channel, productId, position) => ({ ...channel, productId, position })),
      key: ['productId', 'salesChannelId'],
    }),
    ...replace(ctx, productVariantType, { ...uses, key: ['productId', 'variantTypeId'] }),
    ...replace(ctx, productVariantValue, { ...usedValues, rows: usedValues.rows.flat(), key: ['productId', 'variantTypeId', 'variantValueId'] }),
    ...replace(ctx, productAttributeValue, {
      ...list('attributes', (value, productId, position) => ({ productId, variantId: null, position, ...value })),
      key: ['productId', 'variantId', 'position'],
      among: sql`${productAttributeValue.variantId} is null`,
    }),
  ];
}

function variantLists(ctx: Context, variants: PlacedVariant[]) {
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
    ...replace(ctx, variantImage, { ...list('images'), key: ['productId', 'variantId', 'imageId'] }),
    ...replace(ctx, variantValueRelation, { ...list('values'), key: ['productId', 'variantId', 'variantTypeId', 'variantValueId'] }),
    ...replace(ctx, productAttributeValue, { ...list('attributes'), key: ['productId', 'variantId', 'position'] }),
    ...replace(ctx, bundleProduct, { ...list('bundleProducts'), key: ['productId', 'variantId', 'id'] }),
  ];
}

type Entry<List> = NonNullable<List> extends (infer Element)[] ? Element : never;

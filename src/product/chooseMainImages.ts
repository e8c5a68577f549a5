import { type SQL, sql } from 'drizzle-orm';
import { variantImage } from '../../drizzle/product-relation.ts';
import { idList } from '../db/parameter.ts';
import { of, type Tenant } from '../db/tenant.ts';

type Owner = { productId: string; variantId: string };

/** The statement that gives variants with images and no main one the first of them as their main image. */
export function chooseMainImages(ctx: Tenant, variants: readonly Owner[]): SQL {
  const among = sql`
    ${variantImage.productId} = any(${idList([...new Set(variants.map(({ productId }) => productId))])})
    and ${variantImage.variantId} = any(${idList(variants.map(({ variantId }) => variantId))})`;
  return sql`
    update ${variantImage} set is_main = true
    from (
      select distinct on (${variantImage.variantId}) ${variantImage.productId}, ${variantImage.variantId}, ${variantImage.imageId}
      from ${variantImage} where ${of(ctx, variantImage)} and ${among}
      order by ${variantImage.variantId}, ${variantImage.isMain} desc, ${variantImage.order}, ${variantImage.position}
    ) as main
    where ${of(ctx, variantImage)} and ${variantImage.productId} = main.product_id and ${variantImage.variantId} = main.variant_id
      and ${variantImage.imageId} = main.image_id and not ${variantImage.isMain}`;
}

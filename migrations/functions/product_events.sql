-- Products as GraphQL answers them, and the sales channels each is in.
create or replace function product_events(merchant uuid, products product[]) returns table (id uuid, data text, channels uuid[])
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select p.id, row_to_json(d)::text,
    array(select c.sales_channel_id from product_sales_channel c where c.merchant_id = merchant and c.product_id = p.id and c.listed)
  from unnest(products) p, lateral (
    select
      p.id as "id",
      p.name as "name",
      p.type as "type",
      coalesce((
        select json_agg(v.data order by v.position)
        from (
          select v.position, json_build_object(
            'id', v.id,
            'sku', v.sku,
            'barcodeList', v.barcode_list,
            'isActive', v.is_active,
            'prices', coalesce((
              select json_agg(json_build_object(
                'sellPrice', trim_scale(price.sell_price),
                'buyPrice', trim_scale(price.buy_price),
                'discountPrice', trim_scale(price.discount_price),
                'currency', coalesce(price.currency, case when price.price_list_id is null then m.currency_code else l.currency end),
                'currencyCode', coalesce(price.currency, case when price.price_list_id is null then m.currency_code else coalesce(l.currency_code, l.currency) end),
                'currencySymbol', case
                  when price.price_list_id is null then case when coalesce(price.currency = m.currency_code, true) then m.currency_symbol end
                  when coalesce(price.currency in (l.currency, l.currency_code), true) then l.currency_symbol
                end,
                'priceListId', price.price_list_id
              ) order by price.price_list_id nulls first)
              from product_price price
              join merchant m on m.merchant_id = merchant
              left join price_list l on l.merchant_id = merchant and l.id = price.price_list_id
              where price.merchant_id = merchant and price.product_id = p.id and price.variant_id = v.id), '[]'),
            'stocks', coalesce((
              select json_agg(json_build_object(
                'id', s.id,
                'productId', s.product_id,
                'variantId', s.variant_id,
                'stockLocationId', s.stock_location_id,
                'stockCount', trim_scale(s.stock_count),
                'createdAt', (extract(epoch from s.created_at) * 1000)::bigint,
                'updatedAt', (extract(epoch from s.updated_at) * 1000)::bigint,
                'deleted', s.deleted
              ) order by s.id)
              from product_stock_location s
              where s.merchant_id = merchant and s.product_id = p.id and s.variant_id = v.id and not s.deleted), '[]'),
            'images', coalesce((
              select json_agg(json_build_object(
                'imageId', i.image_id,
                'fileName', i.file_name,
                'isMain', i.is_main,
                'isVideo', i.is_video,
                'order', trim_scale(i."order")
              ) order by i."order", i.position)
              from variant_image i
              where i.merchant_id = merchant and i.product_id = p.id and i.variant_id = v.id), '[]'),
            'attributes', coalesce((
              select json_agg(json_build_object(
                'productAttributeId', a.product_attribute_id,
                'productAttributeOptionId', a.product_attribute_option_id,
                'value', a.value,
                'imageIds', a.image_ids
              ) order by a.position)
              from product_attribute_value a
              where a.merchant_id = merchant and a.product_id = p.id and a.variant_id = v.id), '[]'),
            'variantValueIds', coalesce((
              select json_agg(json_build_object('variantTypeId', r.variant_type_id, 'variantValueId', r.variant_value_id) order by r.position)
              from variant_value_relation r
              where r.merchant_id = merchant and r.product_id = p.id and r.variant_id = v.id), '[]'),
            'sellIfOutOfStock', v.sell_if_out_of_stock,
            'weight', trim_scale(v.weight),
            'unit', v.unit,
            'hsCode', v.hs_code,
            'fileId', v.file_id,
            'bundleSettings', case when v.bundle_settings is not null then json_build_object(
              'maxBundleQuantity', v.bundle_settings -> 'maxBundleQuantity',
              'minBundleQuantity', v.bundle_settings -> 'minBundleQuantity',
              'products', coalesce((
                select json_agg(json_build_object(
                  'id', b.id,
                  'productId', b.contained_product_id,
                  'quantity', trim_scale(b.quantity),
                  'order', trim_scale(b."order"),
                  'filteredVariantIds', b.filtered_variant_ids,
                  'addToBundleBasePrice', b.add_to_bundle_base_price,
                  'discountRatio', trim_scale(b.discount_ratio),
                  'minQuantity', trim_scale(b.min_quantity),
                  'maxQuantity', trim_scale(b.max_quantity)
                ) order by b.position)
                from bundle_product b
                where b.merchant_id = merchant and b.product_id = p.id and b.variant_id = v.id), '[]')) end,
            'subscriptionPlanId', v.subscription_plan_id,
            'createdAt', (extract(epoch from v.created_at) * 1000)::bigint,
            'updatedAt', (extract(epoch from v.updated_at) * 1000)::bigint,
            'deleted', v.deleted
          ) as data
          from variant v
          where v.merchant_id = merchant and v.product_id = p.id and not v.deleted
        ) v), '[]') as "variants",
      coalesce((
        select json_agg(json_build_object(
          'productAttributeId', a.product_attribute_id,
          'productAttributeOptionId', a.product_attribute_option_id,
          'value', a.value,
          'imageIds', a.image_ids
        ) order by a.position)
        from product_attribute_value a
        where a.merchant_id = merchant and a.product_id = p.id and a.variant_id is null), '[]') as "attributes",
      p.base_unit as "baseUnit",
      (
        select json_build_object(
          'id', b.id,
          'name', b.name,
          'createdAt', (extract(epoch from b.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from b.updated_at) * 1000)::bigint,
          'deleted', b.deleted)
        from product_brand b
        where b.merchant_id = merchant and b.id = p.brand_id
      ) as "brand",
      p.brand_id as "brandId",
      coalesce((
        select json_agg(json_build_object(
          'id', c.id,
          'name', c.name,
          'parentId', c.parent_id,
          'createdAt', (extract(epoch from c.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from c.updated_at) * 1000)::bigint,
          'deleted', c.deleted
        ) order by r.position)
        from product_category r join category c on c.merchant_id = merchant and c.id = r.category_id
        where r.merchant_id = merchant and r.product_id = p.id), '[]') as "categories",
      array(
        select r.category_id from product_category r
        where r.merchant_id = merchant and r.product_id = p.id order by r.position) as "categoryIds",
      p.description as "description",
      p.short_description as "shortDescription",
      array(
        select r.price_list_id from product_dynamic_price_list r
        where r.merchant_id = merchant and r.product_id = p.id order by r.position) as "dynamicPriceListIds",
      p.google_taxonomy_id as "googleTaxonomyId",
      p.group_variants_by_variant_type_id as "groupVariantsByVariantTypeId",
      array(
        select c.sales_channel_id from product_sales_channel c
        where c.merchant_id = merchant and c.product_id = p.id and c.hidden order by c.position) as "hiddenSalesChannelIds",
      array(
        select c.sales_channel_id from product_sales_channel c
        where c.merchant_id = merchant and c.product_id = p.id and c.listed order by c.position) as "salesChannelIds",
      coalesce((
        select json_agg(json_build_object(
          'id', c.sales_channel_id,
          'status', c.status,
          'maxQuantityPerCart', trim_scale(c.max_quantity_per_cart),
          'minQuantityPerCart', trim_scale(c.min_quantity_per_cart),
          'productVolumeDiscountId', c.product_volume_discount_id,
          'quantitySettings', c.quantity_settings
        ) order by c.position)
        from product_sales_channel c
        where c.merchant_id = merchant and c.product_id = p.id and c.status is not null), '[]') as "salesChannels",
      trim_scale(p.max_quantity_per_cart) as "maxQuantityPerCart",
      (
        select json_build_object(
          'id', h.id,
          'slug', h.slug,
          'pageTitle', h.page_title,
          'description', h.description,
          'canonicals', h.canonicals,
          'disableIndex', h.disable_index,
          'redirectTo', h.redirect_to,
          'targetId', h.target_id,
          'targetType', h.target_type,
          'metadataOverrides', h.metadata_overrides,
          'translations', h.translations,
          'createdAt', (extract(epoch from h.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from h.updated_at) * 1000)::bigint,
          'deleted', h.deleted)
        from html_meta_data h
        where h.merchant_id = merchant and h.target_id = p.id
      ) as "metaData",
      p.product_option_set_id as "productOptionSetId",
      coalesce((
        select json_agg(json_build_object(
          'id', t.id,
          'name', t.name,
          'selectionType', t.selection_type,
          'translations', t.translations,
          'values', coalesce((
            select json_agg(json_build_object(
              'id', value.id,
              'name', value.name,
              'colorCode', value.color_code,
              'thumbnailImageId', value.thumbnail_image_id,
              'createdAt', (extract(epoch from value.created_at) * 1000)::bigint,
              'updatedAt', (extract(epoch from value.updated_at) * 1000)::bigint,
              'deleted', value.deleted
            ) order by value.position)
            from variant_value value
            where value.merchant_id = merchant and value.variant_type_id = t.id and not value.deleted), '[]'),
          'order', trim_scale(r."order"),
          'variantTypeId', t.id,
          'variantValueIds', array(
            select used.variant_value_id from product_variant_value used
            where used.merchant_id = merchant and used.product_id = p.id and used.variant_type_id = t.id order by used.position),
          'createdAt', (extract(epoch from t.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t.updated_at) * 1000)::bigint,
          'deleted', t.deleted
        ) order by r.position)
        from product_variant_type r join variant_type t on t.merchant_id = merchant and t.id = r.variant_type_id
        where r.merchant_id = merchant and r.product_id = p.id), '[]') as "productVariantTypes",
      p.product_volume_discount_id as "productVolumeDiscountId",
      (extract(epoch from p.release_date) * 1000)::bigint as "releaseDate",
      p.subscription_plan_id as "subscriptionPlanId",
      array(
        select r.tag_id from product_tag_relation r
        where r.merchant_id = merchant and r.product_id = p.id order by r.position) as "tagIds",
      coalesce((
        select json_agg(json_build_object(
          'id', t.id,
          'name', t.name,
          'createdAt', (extract(epoch from t.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t.updated_at) * 1000)::bigint,
          'deleted', t.deleted
        ) order by r.position)
        from product_tag_relation r join product_tag t on t.merchant_id = merchant and t.id = r.tag_id
        where r.merchant_id = merchant and r.product_id = p.id), '[]') as "tags",
      (
        select trim_scale(coalesce(sum(s.stock_count), 0))
        from product_stock_location s
        join variant v on v.merchant_id = merchant and v.product_id = p.id and v.id = s.variant_id and not v.deleted
        where s.merchant_id = merchant and s.product_id = p.id and not s.deleted
      ) as "totalStock",
      p.translations as "translations",
      p.vendor_id as "vendorId",
      trim_scale(p.weight) as "weight",
      p.version as "version",
      (extract(epoch from p.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from p.updated_at) * 1000)::bigint as "updatedAt",
      p.deleted as "deleted"
  ) d;
end $$;

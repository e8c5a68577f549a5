-- Products as GraphQL answers them, and the sales channels each is in.
create or replace function product_events(merchant uuid, products product[]) returns table (id uuid, data text, channels uuid[])
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select p.id, row_to_json(d)::text,
    p.sales_channel_ids
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
                'sellPrice', trim_scale((price ->> 'sellPrice')::numeric),
                'buyPrice', trim_scale((price ->> 'buyPrice')::numeric),
                'discountPrice', trim_scale((price ->> 'discountPrice')::numeric),
                'currency', coalesce(price ->> 'currency', case when price ->> 'priceListId' is null then m.currency_code else l.currency end),
                'currencyCode', coalesce(
                  price ->> 'currency', case when price ->> 'priceListId' is null then m.currency_code else coalesce(l.currency_code, l.currency) end),
                'currencySymbol', case
                  when price ->> 'priceListId' is null then case when coalesce(price ->> 'currency' = m.currency_code, true) then m.currency_symbol end
                  when coalesce(price ->> 'currency' in (l.currency, l.currency_code), true) then l.currency_symbol
                end,
                'priceListId', price ->> 'priceListId'
              ) order by place)
              from json_array_elements(v.prices) with ordinality as listed(price, place)
              join merchant m on m.merchant_id = merchant
              left join price_list l on l.merchant_id = merchant and l.id = (price ->> 'priceListId')::uuid), '[]'),
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
                'imageId', image ->> 'imageId',
                'fileName', image ->> 'fileName',
                'isMain', (image ->> 'isMain')::boolean,
                'isVideo', (image ->> 'isVideo')::boolean,
                'order', trim_scale((image ->> 'order')::numeric)
              ) order by place)
              from json_array_elements(v.images) with ordinality as listed(image, place)), '[]'),
            'attributes', coalesce((
              select json_agg(json_build_object(
                'productAttributeId', value ->> 'productAttributeId',
                'productAttributeOptionId', value ->> 'productAttributeOptionId',
                'value', value ->> 'value',
                'imageIds', case when json_typeof(value -> 'imageIds') = 'array' then array(select json_array_elements_text(value -> 'imageIds')) end
              ) order by place)
              from json_array_elements(v.attributes) with ordinality as listed(value, place)), '[]'),
            'variantValueIds', coalesce((
              select json_agg(json_build_object('variantTypeId', value ->> 'variantTypeId', 'variantValueId', value ->> 'variantValueId') order by place)
              from json_array_elements(v.variant_values) with ordinality as listed(value, place)), '[]'),
            'sellIfOutOfStock', v.sell_if_out_of_stock,
            'weight', trim_scale(v.weight),
            'unit', v.unit,
            'hsCode', v.hs_code,
            'fileId', v.file_id,
            'bundleSettings', case when v.bundle is not null then json_build_object(
              'maxBundleQuantity', v.bundle -> 'maxBundleQuantity',
              'minBundleQuantity', v.bundle -> 'minBundleQuantity',
              'products', coalesce((
                select json_agg(json_build_object(
                  'id', entry ->> 'id',
                  'productId', entry ->> 'productId',
                  'quantity', trim_scale((entry ->> 'quantity')::numeric),
                  'order', trim_scale((entry ->> 'order')::numeric),
                  'filteredVariantIds', array(select json_array_elements_text(entry -> 'filteredVariantIds')),
                  'addToBundleBasePrice', (entry ->> 'addToBundleBasePrice')::boolean,
                  'discountRatio', trim_scale((entry ->> 'discountRatio')::numeric),
                  'minQuantity', trim_scale((entry ->> 'minQuantity')::numeric),
                  'maxQuantity', trim_scale((entry ->> 'maxQuantity')::numeric)
                ) order by place)
                from json_array_elements(v.bundle -> 'products') with ordinality as listed(entry, place)), '[]')) end,
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
          'productAttributeId', value ->> 'productAttributeId',
          'productAttributeOptionId', value ->> 'productAttributeOptionId',
          'value', value ->> 'value',
          'imageIds', case when json_typeof(value -> 'imageIds') = 'array' then array(select json_array_elements_text(value -> 'imageIds')) end
        ) order by place)
        from json_array_elements(p.attributes) with ordinality as listed(value, place)), '[]') as "attributes",
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
        ) order by r.place)
        from unnest(p.category_ids) with ordinality as r(id, place) join category c on c.merchant_id = merchant and c.id = r.id), '[]') as "categories",
      p.category_ids as "categoryIds",
      p.description as "description",
      p.short_description as "shortDescription",
      p.dynamic_price_list_ids as "dynamicPriceListIds",
      p.google_taxonomy_id as "googleTaxonomyId",
      p.group_variants_by_variant_type_id as "groupVariantsByVariantTypeId",
      p.hidden_sales_channel_ids as "hiddenSalesChannelIds",
      p.sales_channel_ids as "salesChannelIds",
      coalesce((
        select json_agg(json_build_object(
          'id', channel ->> 'id',
          'status', channel ->> 'status',
          'maxQuantityPerCart', trim_scale((channel ->> 'maxQuantityPerCart')::numeric),
          'minQuantityPerCart', trim_scale((channel ->> 'minQuantityPerCart')::numeric),
          'productVolumeDiscountId', channel ->> 'productVolumeDiscountId',
          'quantitySettings', channel -> 'quantitySettings'
        ) order by place)
        from json_array_elements(p.sales_channels) with ordinality as listed(channel, place)), '[]') as "salesChannels",
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
          'order', trim_scale((use ->> 'order')::numeric),
          'variantTypeId', t.id,
          'variantValueIds', array(select json_array_elements_text(use -> 'variantValueIds')),
          'createdAt', (extract(epoch from t.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t.updated_at) * 1000)::bigint,
          'deleted', t.deleted
        ) order by place)
        from json_array_elements(p.variant_types) with ordinality as listed(use, place)
        join variant_type t on t.merchant_id = merchant and t.id = (use ->> 'variantTypeId')::uuid), '[]') as "productVariantTypes",
      p.product_volume_discount_id as "productVolumeDiscountId",
      (extract(epoch from p.release_date) * 1000)::bigint as "releaseDate",
      p.subscription_plan_id as "subscriptionPlanId",
      p.tag_ids as "tagIds",
      coalesce((
        select json_agg(json_build_object(
          'id', t.id,
          'name', t.name,
          'createdAt', (extract(epoch from t.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t.updated_at) * 1000)::bigint,
          'deleted', t.deleted
        ) order by r.place)
        from unnest(p.tag_ids) with ordinality as r(id, place) join product_tag t on t.merchant_id = merchant and t.id = r.id), '[]') as "tags",
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

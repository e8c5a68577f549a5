-- Written by `npm run codegen` from the fields of Product in schema/ and src/. Do not edit.
create or replace function product_events(merchant uuid, records product[]) returns table (id uuid, data text)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select r.id, row_to_json(d)::text
  from unnest(records) r, lateral (
    select
      r.id as "id",
      r.name as "name",
      r.type as "type",
      coalesce((
        select json_agg(json_build_object(
          'id', t1.id,
          'sku', t1.sku,
          'barcodeList', t1.barcode_list,
          'isActive', t1.is_active,
          'prices', coalesce((
            select json_agg(json_build_object(
              'sellPrice', trim_scale((entry2 ->> 'sellPrice')::numeric),
              'buyPrice', trim_scale((entry2 ->> 'buyPrice')::numeric),
              'discountPrice', trim_scale((entry2 ->> 'discountPrice')::numeric),
              'currency', coalesce(entry2 ->> 'currency', case when entry2 ->> 'priceListId' is null then t3.currency_code else t4.currency end),
              'currencyCode', coalesce(entry2 ->> 'currency', case
              when entry2 ->> 'priceListId' is null then t3.currency_code else coalesce(t4.currency_code, t4.currency) end),
              'currencySymbol', case
              when entry2 ->> 'priceListId' is null then case when coalesce(entry2 ->> 'currency' = t3.currency_code, true) then t3.currency_symbol end
              when entry2 ->> 'currency' is null or entry2 ->> 'currency' = t4.currency or entry2 ->> 'currency' = t4.currency_code 
              then t4.currency_symbol end,
              'priceListId', entry2 ->> 'priceListId') order by place)
            from json_array_elements(case when json_typeof(t1.prices) = 'array' then t1.prices end) with ordinality as listed(entry2, place)
            join merchant t3 on t3.merchant_id = merchant
            left join price_list t4 on t4.merchant_id = merchant and t4.id = case when (entry2 ->> 'priceListId') ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then (entry2 ->> 'priceListId')::uuid end
            where t4.id is null or not ((t4.type in ('DYNAMIC', 'DYNAMIC_RATE') and not t4.deleted
            and json_array_length(case when json_typeof(t4.rule_list) = 'array' then t4.rule_list end) > 0 and exists (
            select from json_array_elements(case when json_typeof(t4.rule_list) = 'array' then t4.rule_list end) as entry
            where entry ->> 'currencyRateSettings' is null
            or entry #>> '{currencyRateSettings,type}' <> 'CURRENT_RATE' and entry #>> '{currencyRateSettings,amount}' is not null
            )) is true)), '[]'),
          'stocks', coalesce((
            select json_agg(json_build_object(
              'id', t5.id,
              'productId', t5.product_id,
              'variantId', t5.variant_id,
              'stockLocationId', t5.stock_location_id,
              'stockCount', trim_scale(t5.stock_count),
              'createdAt', (extract(epoch from t5.created_at) * 1000)::bigint,
              'updatedAt', (extract(epoch from t5.updated_at) * 1000)::bigint,
              'deleted', t5.deleted) order by t5.id)
            from product_stock_location t5
            where t5.merchant_id = merchant and t5.product_id = t1.product_id and t5.variant_id = t1.id and not t5.deleted), '[]'),
          'images', coalesce((
            select json_agg(json_build_object(
              'imageId', entry8 ->> 'imageId',
              'fileName', entry8 ->> 'fileName',
              'isMain', (entry8 ->> 'isMain')::boolean,
              'isVideo', (entry8 ->> 'isVideo')::boolean,
              'order', trim_scale((entry8 ->> 'order')::numeric)) order by place)
            from json_array_elements(case when json_typeof(t1.images) = 'array' then t1.images end) with ordinality as listed(entry8, place)), '[]'),
          'attributes', coalesce((
            select json_agg(json_build_object(
              'productAttributeId', entry9 ->> 'productAttributeId',
              'productAttributeOptionId', entry9 ->> 'productAttributeOptionId',
              'value', entry9 ->> 'value',
              'imageIds', entry9 -> 'imageIds') order by place)
            from json_array_elements(case when json_typeof(t1.attributes) = 'array' then t1.attributes end) with ordinality as listed(entry9, place)), '[]'),
          'variantValueIds', coalesce((
            select json_agg(json_build_object(
              'variantTypeId', entry10 ->> 'variantTypeId',
              'variantValueId', entry10 ->> 'variantValueId') order by place)
            from json_array_elements(case when json_typeof(t1.variant_value_ids) = 'array' then t1.variant_value_ids end) with ordinality as listed(entry10, place)), '[]'),
          'sellIfOutOfStock', t1.sell_if_out_of_stock,
          'weight', trim_scale(t1.weight),
          'unit', t1.unit,
          'hsCode', t1.hs_code,
          'fileId', t1.file_id,
          'bundleSettings', case when t1.bundle_settings is not null then json_build_object(
            'maxBundleQuantity', trim_scale((t1.bundle_settings ->> 'maxBundleQuantity')::numeric),
            'minBundleQuantity', trim_scale((t1.bundle_settings ->> 'minBundleQuantity')::numeric),
            'products', coalesce((
              select json_agg(json_build_object(
                'id', entry14 ->> 'id',
                'productId', entry14 ->> 'productId',
                'quantity', trim_scale((entry14 ->> 'quantity')::numeric),
                'order', trim_scale((entry14 ->> 'order')::numeric),
                'filteredVariantIds', entry14 -> 'filteredVariantIds',
                'addToBundleBasePrice', (entry14 ->> 'addToBundleBasePrice')::boolean,
                'discountRatio', trim_scale((entry14 ->> 'discountRatio')::numeric),
                'minQuantity', trim_scale((entry14 ->> 'minQuantity')::numeric),
                'maxQuantity', trim_scale((entry14 ->> 'maxQuantity')::numeric)) order by place)
              from json_array_elements(case when json_typeof(t1.bundle_settings -> 'products') = 'array' then t1.bundle_settings -> 'products' end) with ordinality as listed(entry14, place)), '[]')) end,
          'subscriptionPlanId', t1.subscription_plan_id,
          'createdAt', (extract(epoch from t1.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t1.updated_at) * 1000)::bigint,
          'deleted', t1.deleted) order by t1.position, t1.id)
        from variant t1
        where t1.merchant_id = merchant and t1.product_id = r.id and not t1.deleted), '[]') as "variants",
      coalesce((
        select json_agg(json_build_object(
          'productAttributeId', entry15 ->> 'productAttributeId',
          'productAttributeOptionId', entry15 ->> 'productAttributeOptionId',
          'value', entry15 ->> 'value',
          'imageIds', entry15 -> 'imageIds') order by place)
        from json_array_elements(case when json_typeof(r.attributes) = 'array' then r.attributes end) with ordinality as listed(entry15, place)), '[]') as "attributes",
      r.base_unit as "baseUnit",
      (
        select json_build_object(
          'id', t17.id,
          'name', t17.name,
          'createdAt', (extract(epoch from t17.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t17.updated_at) * 1000)::bigint,
          'deleted', t17.deleted)
        from product_brand t17
        where t17.merchant_id = merchant and t17.id = r.brand_id) as "brand",
      r.brand_id as "brandId",
      coalesce((
        select json_agg(json_build_object(
          'id', t23.id,
          'name', t23.name,
          'parentId', t23.parent_id,
          'createdAt', (extract(epoch from t23.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t23.updated_at) * 1000)::bigint,
          'deleted', t23.deleted) order by listed.place)
        from unnest(r.category_ids) with ordinality as listed(id, place)
        join category t23 on t23.merchant_id = merchant and t23.id = listed.id), '[]') as "categories",
      r.category_ids as "categoryIds",
      r.description as "description",
      r.short_description as "shortDescription",
      r.dynamic_price_list_ids as "dynamicPriceListIds",
      r.google_taxonomy_id as "googleTaxonomyId",
      r.group_variants_by_variant_type_id as "groupVariantsByVariantTypeId",
      r.hidden_sales_channel_ids as "hiddenSalesChannelIds",
      r.sales_channel_ids as "salesChannelIds",
      coalesce((
        select json_agg(json_build_object(
          'id', entry24 ->> 'id',
          'status', entry24 ->> 'status',
          'maxQuantityPerCart', trim_scale((entry24 ->> 'maxQuantityPerCart')::numeric),
          'minQuantityPerCart', trim_scale((entry24 ->> 'minQuantityPerCart')::numeric),
          'productVolumeDiscountId', entry24 ->> 'productVolumeDiscountId',
          'quantitySettings', entry24 -> 'quantitySettings') order by place)
        from json_array_elements(case when json_typeof(r.sales_channels) = 'array' then r.sales_channels end) with ordinality as listed(entry24, place)), '[]') as "salesChannels",
      trim_scale(r.max_quantity_per_cart) as "maxQuantityPerCart",
      (
        select json_build_object(
          'id', t25.id,
          'slug', t25.slug,
          'pageTitle', t25.page_title,
          'description', t25.description,
          'canonicals', t25.canonicals,
          'disableIndex', t25.disable_index,
          'redirectTo', t25.redirect_to,
          'targetId', t25.target_id,
          'targetType', t25.target_type,
          'metadataOverrides', t25.metadata_overrides,
          'translations', t25.translations,
          'createdAt', (extract(epoch from t25.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t25.updated_at) * 1000)::bigint,
          'deleted', t25.deleted)
        from html_meta_data t25
        where t25.merchant_id = merchant and t25.target_id = r.id) as "metaData",
      r.product_option_set_id as "productOptionSetId",
      coalesce((
        select case when max(total) > 33554432 then refuse_large_list(max(total))::json
          else json_agg(data order by place) filter (where total <= 33554432) end
        from (
          select data, place, sum(octet_length(data::text)) over (rows unbounded preceding) as total
          from (
            select json_build_object(
              'id', t27.id,
              'name', t27.name,
              'selectionType', t27.selection_type,
              'translations', t27.translations,
              'values', coalesce((
                select json_agg(json_build_object(
                  'id', t29.id,
                  'name', t29.name,
                  'colorCode', t29.color_code,
                  'thumbnailImageId', t29.thumbnail_image_id,
                  'createdAt', (extract(epoch from t29.created_at) * 1000)::bigint,
                  'updatedAt', (extract(epoch from t29.updated_at) * 1000)::bigint,
                  'deleted', t29.deleted) order by t29.position, t29.id)
                from variant_value t29
                where t29.merchant_id = merchant and t29.variant_type_id = t27.id and not t29.deleted), '[]'),
              'order', trim_scale((entry28 ->> 'order')::numeric),
              'variantTypeId', t27.id,
              'variantValueIds', entry28 -> 'variantValueIds',
              'createdAt', (extract(epoch from t27.created_at) * 1000)::bigint,
              'updatedAt', (extract(epoch from t27.updated_at) * 1000)::bigint,
              'deleted', t27.deleted) as data, place
            from json_array_elements(case when json_typeof(r.product_variant_types) = 'array' then r.product_variant_types end) with ordinality as listed(entry28, place)
            join variant_type t27 on t27.merchant_id = merchant and t27.id = case when (entry28 ->> 'variantTypeId') ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then (entry28 ->> 'variantTypeId')::uuid end
            offset 0) as element) as counted), '[]') as "productVariantTypes",
      r.product_volume_discount_id as "productVolumeDiscountId",
      (extract(epoch from r.release_date) * 1000)::bigint as "releaseDate",
      r.subscription_plan_id as "subscriptionPlanId",
      r.tag_ids as "tagIds",
      coalesce((
        select json_agg(json_build_object(
          'id', t31.id,
          'name', t31.name,
          'createdAt', (extract(epoch from t31.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t31.updated_at) * 1000)::bigint,
          'deleted', t31.deleted) order by listed.place)
        from unnest(r.tag_ids) with ordinality as listed(id, place)
        join product_tag t31 on t31.merchant_id = merchant and t31.id = listed.id), '[]') as "tags",
      (select trim_scale(coalesce(sum(t32.stock_count), 0)) from product_stock_location t32 where t32.merchant_id = merchant
      and t32.product_id = r.id and not t32.deleted and exists (select from variant t33 where t33.merchant_id = merchant and t33.id = t32.variant_id and not t33.deleted) and exists (select from stock_location t34 where t34.merchant_id = merchant and t34.id = t32.stock_location_id and not t34.deleted)) as "totalStock",
      r.translations as "translations",
      r.vendor_id as "vendorId",
      trim_scale(r.weight) as "weight",
      r.version as "version",
      (extract(epoch from r.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from r.updated_at) * 1000)::bigint as "updatedAt",
      r.deleted as "deleted"
  ) d;
end $$;

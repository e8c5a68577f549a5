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
          'id', t22.id,
          'name', t22.name,
          'parentId', t22.parent_id,
          'createdAt', (extract(epoch from t22.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t22.updated_at) * 1000)::bigint,
          'deleted', t22.deleted) order by listed.place)
        from unnest(r.category_ids) with ordinality as listed(id, place)
        join category t22 on t22.merchant_id = merchant and t22.id = listed.id), '[]') as "categories",
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
          'id', entry23 ->> 'id',
          'status', entry23 ->> 'status',
          'maxQuantityPerCart', trim_scale((entry23 ->> 'maxQuantityPerCart')::numeric),
          'minQuantityPerCart', trim_scale((entry23 ->> 'minQuantityPerCart')::numeric),
          'productVolumeDiscountId', entry23 ->> 'productVolumeDiscountId',
          'quantitySettings', entry23 -> 'quantitySettings') order by place)
        from json_array_elements(case when json_typeof(r.sales_channels) = 'array' then r.sales_channels end) with ordinality as listed(entry23, place)), '[]') as "salesChannels",
      trim_scale(r.max_quantity_per_cart) as "maxQuantityPerCart",
      (
        select json_build_object(
          'id', t24.id,
          'slug', t24.slug,
          'pageTitle', t24.page_title,
          'description', t24.description,
          'canonicals', t24.canonicals,
          'disableIndex', t24.disable_index,
          'redirectTo', t24.redirect_to,
          'targetId', t24.target_id,
          'targetType', t24.target_type,
          'metadataOverrides', t24.metadata_overrides,
          'translations', t24.translations,
          'createdAt', (extract(epoch from t24.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t24.updated_at) * 1000)::bigint,
          'deleted', t24.deleted)
        from html_meta_data t24
        where t24.merchant_id = merchant and t24.target_id = r.id) as "metaData",
      r.product_option_set_id as "productOptionSetId",
      coalesce((
        select case when max(total) > 33554432 then refuse_large_list(max(total))::json
          else json_agg(data order by place) filter (where total <= 33554432) end
        from (
          select data, place, sum(octet_length(data::text)) over (rows unbounded preceding) as total
          from (
            select json_build_object(
              'id', t26.id,
              'name', t26.name,
              'selectionType', t26.selection_type,
              'translations', t26.translations,
              'values', coalesce((
                select json_agg(json_build_object(
                  'id', t28.id,
                  'name', t28.name,
                  'colorCode', t28.color_code,
                  'thumbnailImageId', t28.thumbnail_image_id,
                  'createdAt', (extract(epoch from t28.created_at) * 1000)::bigint,
                  'updatedAt', (extract(epoch from t28.updated_at) * 1000)::bigint,
                  'deleted', t28.deleted) order by t28.position, t28.id)
                from variant_value t28
                where t28.merchant_id = merchant and t28.variant_type_id = t26.id and not t28.deleted), '[]'),
              'order', trim_scale((entry27 ->> 'order')::numeric),
              'variantTypeId', t26.id,
              'variantValueIds', entry27 -> 'variantValueIds',
              'createdAt', (extract(epoch from t26.created_at) * 1000)::bigint,
              'updatedAt', (extract(epoch from t26.updated_at) * 1000)::bigint,
              'deleted', t26.deleted) as data, place
            from json_array_elements(case when json_typeof(r.product_variant_types) = 'array' then r.product_variant_types end) with ordinality as listed(entry27, place)
            join variant_type t26 on t26.merchant_id = merchant and t26.id = case when (entry27 ->> 'variantTypeId') ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then (entry27 ->> 'variantTypeId')::uuid end
            offset 0) as element) as counted), '[]') as "productVariantTypes",
      r.product_volume_discount_id as "productVolumeDiscountId",
      (extract(epoch from r.release_date) * 1000)::bigint as "releaseDate",
      r.subscription_plan_id as "subscriptionPlanId",
      r.tag_ids as "tagIds",
      coalesce((
        select json_agg(json_build_object(
          'id', t30.id,
          'name', t30.name,
          'createdAt', (extract(epoch from t30.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t30.updated_at) * 1000)::bigint,
          'deleted', t30.deleted) order by listed.place)
        from unnest(r.tag_ids) with ordinality as listed(id, place)
        join product_tag t30 on t30.merchant_id = merchant and t30.id = listed.id), '[]') as "tags",
      (select trim_scale(coalesce(sum(t31.stock_count), 0)) from product_stock_location t31 where t31.merchant_id = merchant
      and t31.product_id = r.id and not t31.deleted and exists (select from variant t32 where t32.merchant_id = merchant and t32.id = t31.variant_id and not t32.deleted) and exists (select from stock_location t33 where t33.merchant_id = merchant and t33.id = t31.stock_location_id and not t33.deleted)) as "totalStock",
      r.translations as "translations",
      r.vendor_id as "vendorId",
      trim_scale(r.weight) as "weight",
      r.version as "version",
      (extract(epoch from r.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from r.updated_at) * 1000)::bigint as "updatedAt",
      r.deleted as "deleted"
  ) d;
end $$;

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
            from json_array_elements(t1.prices) with ordinality as listed(entry2, place)
            join merchant t3 on t3.merchant_id = merchant
            left join price_list t4 on t4.merchant_id = merchant and t4.id = (entry2 ->> 'priceListId')::uuid
            where t4.id is null or not (t4.type in ('DYNAMIC', 'DYNAMIC_RATE') and not t4.deleted and t4.rule_list is not null and exists (
            select from json_array_elements(case when json_typeof(t4.rule_list) = 'array' then t4.rule_list end) as entry
            where entry ->> 'currencyRateSettings' is null
            or entry #>> '{currencyRateSettings,type}' <> 'CURRENT_RATE' and entry #>> '{currencyRateSettings,amount}' is not null
            ))), '[]'),
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
              'imageId', entry6 ->> 'imageId',
              'fileName', entry6 ->> 'fileName',
              'isMain', (entry6 ->> 'isMain')::boolean,
              'isVideo', (entry6 ->> 'isVideo')::boolean,
              'order', trim_scale((entry6 ->> 'order')::numeric)) order by place)
            from json_array_elements(t1.images) with ordinality as listed(entry6, place)), '[]'),
          'attributes', coalesce((
            select json_agg(json_build_object(
              'productAttributeId', entry7 ->> 'productAttributeId',
              'productAttributeOptionId', entry7 ->> 'productAttributeOptionId',
              'value', entry7 ->> 'value',
              'imageIds', entry7 -> 'imageIds') order by place)
            from json_array_elements(t1.attributes) with ordinality as listed(entry7, place)), '[]'),
          'variantValueIds', coalesce((
            select json_agg(json_build_object(
              'variantTypeId', entry8 ->> 'variantTypeId',
              'variantValueId', entry8 ->> 'variantValueId') order by place)
            from json_array_elements(t1.variant_value_ids) with ordinality as listed(entry8, place)), '[]'),
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
                'id', entry9 ->> 'id',
                'productId', entry9 ->> 'productId',
                'quantity', trim_scale((entry9 ->> 'quantity')::numeric),
                'order', trim_scale((entry9 ->> 'order')::numeric),
                'filteredVariantIds', entry9 -> 'filteredVariantIds',
                'addToBundleBasePrice', (entry9 ->> 'addToBundleBasePrice')::boolean,
                'discountRatio', trim_scale((entry9 ->> 'discountRatio')::numeric),
                'minQuantity', trim_scale((entry9 ->> 'minQuantity')::numeric),
                'maxQuantity', trim_scale((entry9 ->> 'maxQuantity')::numeric)) order by place)
              from json_array_elements(t1.bundle_settings -> 'products') with ordinality as listed(entry9, place)), '[]')) end,
          'subscriptionPlanId', t1.subscription_plan_id,
          'createdAt', (extract(epoch from t1.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t1.updated_at) * 1000)::bigint,
          'deleted', t1.deleted) order by t1.position)
        from variant t1
        where t1.merchant_id = merchant and t1.product_id = r.id and not t1.deleted), '[]') as "variants",
      coalesce((
        select json_agg(json_build_object(
          'productAttributeId', entry10 ->> 'productAttributeId',
          'productAttributeOptionId', entry10 ->> 'productAttributeOptionId',
          'value', entry10 ->> 'value',
          'imageIds', entry10 -> 'imageIds') order by place)
        from json_array_elements(r.attributes) with ordinality as listed(entry10, place)), '[]') as "attributes",
      r.base_unit as "baseUnit",
      (
        select json_build_object(
          'id', t12.id,
          'name', t12.name,
          'createdAt', (extract(epoch from t12.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t12.updated_at) * 1000)::bigint,
          'deleted', t12.deleted)
        from product_brand t12
        where t12.merchant_id = merchant and t12.id = r.brand_id) as "brand",
      r.brand_id as "brandId",
      coalesce((
        select json_agg(json_build_object(
          'id', t17.id,
          'name', t17.name,
          'parentId', t17.parent_id,
          'createdAt', (extract(epoch from t17.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t17.updated_at) * 1000)::bigint,
          'deleted', t17.deleted) order by listed.place)
        from unnest(r.category_ids) with ordinality as listed(id, place)
        join category t17 on t17.merchant_id = merchant and t17.id = listed.id), '[]') as "categories",
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
          'id', entry18 ->> 'id',
          'status', entry18 ->> 'status',
          'maxQuantityPerCart', trim_scale((entry18 ->> 'maxQuantityPerCart')::numeric),
          'minQuantityPerCart', trim_scale((entry18 ->> 'minQuantityPerCart')::numeric),
          'productVolumeDiscountId', entry18 ->> 'productVolumeDiscountId',
          'quantitySettings', entry18 -> 'quantitySettings') order by place)
        from json_array_elements(r.sales_channels) with ordinality as listed(entry18, place)), '[]') as "salesChannels",
      trim_scale(r.max_quantity_per_cart) as "maxQuantityPerCart",
      (
        select json_build_object(
          'id', t19.id,
          'slug', t19.slug,
          'pageTitle', t19.page_title,
          'description', t19.description,
          'canonicals', t19.canonicals,
          'disableIndex', t19.disable_index,
          'redirectTo', t19.redirect_to,
          'targetId', t19.target_id,
          'targetType', t19.target_type,
          'metadataOverrides', t19.metadata_overrides,
          'translations', t19.translations,
          'createdAt', (extract(epoch from t19.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t19.updated_at) * 1000)::bigint,
          'deleted', t19.deleted)
        from html_meta_data t19
        where t19.merchant_id = merchant and t19.target_id = r.id) as "metaData",
      r.product_option_set_id as "productOptionSetId",
      coalesce((
        select json_agg(json_build_object(
          'id', t21.id,
          'name', t21.name,
          'selectionType', t21.selection_type,
          'translations', t21.translations,
          'values', coalesce((
            select json_agg(json_build_object(
              'id', t23.id,
              'name', t23.name,
              'colorCode', t23.color_code,
              'thumbnailImageId', t23.thumbnail_image_id,
              'createdAt', (extract(epoch from t23.created_at) * 1000)::bigint,
              'updatedAt', (extract(epoch from t23.updated_at) * 1000)::bigint,
              'deleted', t23.deleted) order by t23.position)
            from variant_value t23
            where t23.merchant_id = merchant and t23.variant_type_id = t21.id and not t23.deleted), '[]'),
          'order', trim_scale((entry22 ->> 'order')::numeric),
          'variantTypeId', t21.id,
          'variantValueIds', entry22 -> 'variantValueIds',
          'createdAt', (extract(epoch from t21.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t21.updated_at) * 1000)::bigint,
          'deleted', t21.deleted) order by place)
        from json_array_elements(r.product_variant_types) with ordinality as listed(entry22, place)
        join variant_type t21 on t21.merchant_id = merchant and t21.id = (entry22 ->> 'variantTypeId')::uuid), '[]') as "productVariantTypes",
      r.product_volume_discount_id as "productVolumeDiscountId",
      (extract(epoch from r.release_date) * 1000)::bigint as "releaseDate",
      r.subscription_plan_id as "subscriptionPlanId",
      r.tag_ids as "tagIds",
      coalesce((
        select json_agg(json_build_object(
          'id', t25.id,
          'name', t25.name,
          'createdAt', (extract(epoch from t25.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t25.updated_at) * 1000)::bigint,
          'deleted', t25.deleted) order by listed.place)
        from unnest(r.tag_ids) with ordinality as listed(id, place)
        join product_tag t25 on t25.merchant_id = merchant and t25.id = listed.id), '[]') as "tags",
      (select trim_scale(coalesce(sum(t26.stock_count), 0)) from product_stock_location t26 where t26.merchant_id = merchant
      and t26.product_id = r.id and not t26.deleted and exists (select from variant t27 where t27.merchant_id = merchant and t27.id = t26.variant_id and not t27.deleted) and exists (select from stock_location t28 where t28.merchant_id = merchant and t28.id = t26.stock_location_id and not t28.deleted)) as "totalStock",
      r.translations as "translations",
      r.vendor_id as "vendorId",
      trim_scale(r.weight) as "weight",
      r.version as "version",
      (extract(epoch from r.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from r.updated_at) * 1000)::bigint as "updatedAt",
      r.deleted as "deleted"
  ) d;
end $$;

-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records what a statement changes in product: the members before and after it, by their names in the SDL.
create or replace function product_history() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchants uuid[];
  merchant uuid;
  transaction_key uuid;
  statement_number integer;
  is_full boolean;
  ids uuid[];
  types text[];
  row_changes text[];
  befores text[];
  afters text[];
begin
  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    select * from begin_changes(merchant) into transaction_key, statement_number, is_full;
    continue when statement_number is null;
    if tg_op = 'INSERT' then
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
      from (
        select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
        from (
          select n.id as record, n.id, 'PRODUCT' as type, 'INSERTED' as row_change, null::text as before, concat_ws(',',
            '"version":' || n.version::text,
            '"name":' || to_json(n.name)::text,
            '"type":' || to_json(n.type)::text,
            '"baseUnit":' || n.base_unit::text,
            '"brandId":' || '"' || n.brand_id || '"',
            '"description":' || to_json(n.description)::text,
            '"shortDescription":' || to_json(n.short_description)::text,
            '"googleTaxonomyId":' || to_json(n.google_taxonomy_id)::text,
            '"groupVariantsByVariantTypeId":' || '"' || n.group_variants_by_variant_type_id || '"',
            '"maxQuantityPerCart":' || trim_scale(n.max_quantity_per_cart)::text,
            '"productOptionSetId":' || to_json(n.product_option_set_id)::text,
            '"productVolumeDiscountId":' || to_json(n.product_volume_discount_id)::text,
            '"releaseDate":' || (extract(epoch from n.release_date) * 1000)::bigint::text,
            case when n.category_ids <> '{}' then '"categoryIds":' || to_json(n.category_ids)::text end,
            case when n.tag_ids <> '{}' then '"tagIds":' || to_json(n.tag_ids)::text end,
            case when n.dynamic_price_list_ids <> '{}' then '"dynamicPriceListIds":' || to_json(n.dynamic_price_list_ids)::text end,
            case when n.sales_channel_ids <> '{}' then '"salesChannelIds":' || to_json(n.sales_channel_ids)::text end,
            case when n.hidden_sales_channel_ids <> '{}' then '"hiddenSalesChannelIds":' || to_json(n.hidden_sales_channel_ids)::text end,
            '"salesChannels":' || n.sales_channels::text,
            '"productVariantTypes":' || n.product_variant_types::text,
            '"attributes":' || n.attributes::text,
            '"subscriptionPlanId":' || to_json(n.subscription_plan_id)::text,
            '"translations":' || n.translations::text,
            '"vendorId":' || to_json(n.vendor_id)::text,
            '"weight":' || trim_scale(n.weight)::text,
            '"sourceId":' || to_json(n.source_id)::text,
            '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text,
            '"deleted":' || n.deleted::text
          ) as after
          from new_rows n where n.merchant_id = merchant
        ) r
      ) c;
    elsif tg_op = 'DELETE' then
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
      from (
        select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
        from (
          select o.id as record, o.id, 'PRODUCT' as type, 'REMOVED' as row_change, null::text as after, concat_ws(',',
            '"version":' || o.version::text,
            '"name":' || to_json(o.name)::text,
            '"type":' || to_json(o.type)::text,
            '"baseUnit":' || o.base_unit::text,
            '"brandId":' || '"' || o.brand_id || '"',
            '"description":' || to_json(o.description)::text,
            '"shortDescription":' || to_json(o.short_description)::text,
            '"googleTaxonomyId":' || to_json(o.google_taxonomy_id)::text,
            '"groupVariantsByVariantTypeId":' || '"' || o.group_variants_by_variant_type_id || '"',
            '"maxQuantityPerCart":' || trim_scale(o.max_quantity_per_cart)::text,
            '"productOptionSetId":' || to_json(o.product_option_set_id)::text,
            '"productVolumeDiscountId":' || to_json(o.product_volume_discount_id)::text,
            '"releaseDate":' || (extract(epoch from o.release_date) * 1000)::bigint::text,
            case when o.category_ids <> '{}' then '"categoryIds":' || to_json(o.category_ids)::text end,
            case when o.tag_ids <> '{}' then '"tagIds":' || to_json(o.tag_ids)::text end,
            case when o.dynamic_price_list_ids <> '{}' then '"dynamicPriceListIds":' || to_json(o.dynamic_price_list_ids)::text end,
            case when o.sales_channel_ids <> '{}' then '"salesChannelIds":' || to_json(o.sales_channel_ids)::text end,
            case when o.hidden_sales_channel_ids <> '{}' then '"hiddenSalesChannelIds":' || to_json(o.hidden_sales_channel_ids)::text end,
            '"salesChannels":' || o.sales_channels::text,
            '"productVariantTypes":' || o.product_variant_types::text,
            '"attributes":' || o.attributes::text,
            '"subscriptionPlanId":' || to_json(o.subscription_plan_id)::text,
            '"translations":' || o.translations::text,
            '"vendorId":' || to_json(o.vendor_id)::text,
            '"weight":' || trim_scale(o.weight)::text,
            '"sourceId":' || to_json(o.source_id)::text,
            '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text,
            '"deleted":' || o.deleted::text
          ) as before
          from old_rows o where o.merchant_id = merchant
        ) r
      ) c;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
      from (
        select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
        from (
          select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
            concat_ws(',', d.before, d.former_stamps) as before, concat_ws(',', d.after, d.stamps) as after
          from (
            select
              n.id as record, n.id, 'PRODUCT' as type,
              case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end as row_change,
              nullif(concat_ws(',',
                case when o.name <> n.name then '"name":' || to_json(o.name)::text end,
                case when o.type <> n.type then '"type":' || to_json(o.type)::text end,
                case when o.base_unit::text is distinct from n.base_unit::text then '"baseUnit":' || coalesce(o.base_unit::text, 'null') end,
                case when o.brand_id is distinct from n.brand_id then '"brandId":' || coalesce('"' || o.brand_id || '"', 'null') end,
                case when o.description is distinct from n.description then '"description":' || coalesce(to_json(o.description)::text, 'null') end,
                case when o.short_description is distinct from n.short_description then '"shortDescription":' || coalesce(to_json(o.short_description)::text, 'null') end,
                case when o.google_taxonomy_id is distinct from n.google_taxonomy_id then '"googleTaxonomyId":' || coalesce(to_json(o.google_taxonomy_id)::text, 'null') end,
                case when o.group_variants_by_variant_type_id is distinct from n.group_variants_by_variant_type_id then '"groupVariantsByVariantTypeId":' || coalesce('"' || o.group_variants_by_variant_type_id || '"', 'null') end,
                case when o.max_quantity_per_cart is distinct from n.max_quantity_per_cart then '"maxQuantityPerCart":' || coalesce(trim_scale(o.max_quantity_per_cart)::text, 'null') end,
                case when o.product_option_set_id is distinct from n.product_option_set_id then '"productOptionSetId":' || coalesce(to_json(o.product_option_set_id)::text, 'null') end,
                case when o.product_volume_discount_id is distinct from n.product_volume_discount_id then '"productVolumeDiscountId":' || coalesce(to_json(o.product_volume_discount_id)::text, 'null') end,
                case when o.release_date is distinct from n.release_date then '"releaseDate":' || coalesce((extract(epoch from o.release_date) * 1000)::bigint::text, 'null') end,
                case when o.category_ids <> n.category_ids then '"categoryIds":' || to_json(o.category_ids)::text end,
                case when o.tag_ids <> n.tag_ids then '"tagIds":' || to_json(o.tag_ids)::text end,
                case when o.dynamic_price_list_ids <> n.dynamic_price_list_ids then '"dynamicPriceListIds":' || to_json(o.dynamic_price_list_ids)::text end,
                case when o.sales_channel_ids <> n.sales_channel_ids then '"salesChannelIds":' || to_json(o.sales_channel_ids)::text end,
                case when o.hidden_sales_channel_ids <> n.hidden_sales_channel_ids then '"hiddenSalesChannelIds":' || to_json(o.hidden_sales_channel_ids)::text end,
                case when o.sales_channels::text is distinct from n.sales_channels::text then '"salesChannels":' || coalesce(o.sales_channels::text, 'null') end,
                case when o.product_variant_types::text is distinct from n.product_variant_types::text then '"productVariantTypes":' || coalesce(o.product_variant_types::text, 'null') end,
                case when o.attributes::text is distinct from n.attributes::text then '"attributes":' || coalesce(o.attributes::text, 'null') end,
                case when o.subscription_plan_id is distinct from n.subscription_plan_id then '"subscriptionPlanId":' || coalesce(to_json(o.subscription_plan_id)::text, 'null') end,
                case when o.translations::text is distinct from n.translations::text then '"translations":' || coalesce(o.translations::text, 'null') end,
                case when o.vendor_id is distinct from n.vendor_id then '"vendorId":' || coalesce(to_json(o.vendor_id)::text, 'null') end,
                case when o.weight is distinct from n.weight then '"weight":' || coalesce(trim_scale(o.weight)::text, 'null') end,
                case when o.source_id is distinct from n.source_id then '"sourceId":' || coalesce(to_json(o.source_id)::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || o.deleted::text end
              ), '') as before,
              nullif(concat_ws(',',
                case when o.name <> n.name then '"name":' || to_json(n.name)::text end,
                case when o.type <> n.type then '"type":' || to_json(n.type)::text end,
                case when o.base_unit::text is distinct from n.base_unit::text then '"baseUnit":' || coalesce(n.base_unit::text, 'null') end,
                case when o.brand_id is distinct from n.brand_id then '"brandId":' || coalesce('"' || n.brand_id || '"', 'null') end,
                case when o.description is distinct from n.description then '"description":' || coalesce(to_json(n.description)::text, 'null') end,
                case when o.short_description is distinct from n.short_description then '"shortDescription":' || coalesce(to_json(n.short_description)::text, 'null') end,
                case when o.google_taxonomy_id is distinct from n.google_taxonomy_id then '"googleTaxonomyId":' || coalesce(to_json(n.google_taxonomy_id)::text, 'null') end,
                case when o.group_variants_by_variant_type_id is distinct from n.group_variants_by_variant_type_id then '"groupVariantsByVariantTypeId":' || coalesce('"' || n.group_variants_by_variant_type_id || '"', 'null') end,
                case when o.max_quantity_per_cart is distinct from n.max_quantity_per_cart then '"maxQuantityPerCart":' || coalesce(trim_scale(n.max_quantity_per_cart)::text, 'null') end,
                case when o.product_option_set_id is distinct from n.product_option_set_id then '"productOptionSetId":' || coalesce(to_json(n.product_option_set_id)::text, 'null') end,
                case when o.product_volume_discount_id is distinct from n.product_volume_discount_id then '"productVolumeDiscountId":' || coalesce(to_json(n.product_volume_discount_id)::text, 'null') end,
                case when o.release_date is distinct from n.release_date then '"releaseDate":' || coalesce((extract(epoch from n.release_date) * 1000)::bigint::text, 'null') end,
                case when o.category_ids <> n.category_ids then '"categoryIds":' || to_json(n.category_ids)::text end,
                case when o.tag_ids <> n.tag_ids then '"tagIds":' || to_json(n.tag_ids)::text end,
                case when o.dynamic_price_list_ids <> n.dynamic_price_list_ids then '"dynamicPriceListIds":' || to_json(n.dynamic_price_list_ids)::text end,
                case when o.sales_channel_ids <> n.sales_channel_ids then '"salesChannelIds":' || to_json(n.sales_channel_ids)::text end,
                case when o.hidden_sales_channel_ids <> n.hidden_sales_channel_ids then '"hiddenSalesChannelIds":' || to_json(n.hidden_sales_channel_ids)::text end,
                case when o.sales_channels::text is distinct from n.sales_channels::text then '"salesChannels":' || coalesce(n.sales_channels::text, 'null') end,
                case when o.product_variant_types::text is distinct from n.product_variant_types::text then '"productVariantTypes":' || coalesce(n.product_variant_types::text, 'null') end,
                case when o.attributes::text is distinct from n.attributes::text then '"attributes":' || coalesce(n.attributes::text, 'null') end,
                case when o.subscription_plan_id is distinct from n.subscription_plan_id then '"subscriptionPlanId":' || coalesce(to_json(n.subscription_plan_id)::text, 'null') end,
                case when o.translations::text is distinct from n.translations::text then '"translations":' || coalesce(n.translations::text, 'null') end,
                case when o.vendor_id is distinct from n.vendor_id then '"vendorId":' || coalesce(to_json(n.vendor_id)::text, 'null') end,
                case when o.weight is distinct from n.weight then '"weight":' || coalesce(trim_scale(n.weight)::text, 'null') end,
                case when o.source_id is distinct from n.source_id then '"sourceId":' || coalesce(to_json(n.source_id)::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || n.deleted::text end
              ), '') as after,
              nullif(concat_ws(',',
                case when o.version <> n.version then '"version":' || o.version::text end,
                case when o.updated_at <> n.updated_at then '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text end
              ), '') as former_stamps,
              nullif(concat_ws(',',
                case when o.version <> n.version then '"version":' || n.version::text end,
                case when o.updated_at <> n.updated_at then '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text end
              ), '') as stamps
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant
          ) d
          where d.before is not null or d.stamps is not null
        ) r
      ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when ids is null;
    perform write_change_parts(
      merchant, transaction_key, statement_number, is_full, '', ids, types, row_changes, befores,
      afters);
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: these before those of events, which may contain what was recorded.
create or replace trigger change_inserted after insert on product referencing new table as new_rows
  for each statement execute function product_history();--> statement-breakpoint
create or replace trigger change_updated after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function product_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on product referencing old table as old_rows
  for each statement execute function product_history();

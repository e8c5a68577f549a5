-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes product.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function product_history() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  set enable_seqscan = off as $$
declare
  merchants uuid[];
  merchant uuid;
  transaction_key uuid;
  is_kept boolean;
  is_full boolean;
  ids uuid[];
  types text[];
  row_changes text[];
  befores text[];
  afters text[];
  is_unusual boolean;
  statement_number integer;
  bytes_at_once constant integer := 16777216;
  changes refcursor;
  change record;
  bytes bigint;
begin
  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    select t.id, t.is_kept, t.is_full into transaction_key, is_kept, is_full from change_transaction t
    where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
    if not found then
      continue when not keeps_history(merchant);
      select * into transaction_key, is_kept, is_full from begin_changes(merchant);
    end if;
    continue when not is_kept;
    if tg_op = 'INSERT' then
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
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
              '"releaseDate":' || (date_part('epoch', n.release_date) * 1000)::bigint::text,
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
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n where n.merchant_id = merchant
          ) r
          offset 0
        ) c;
    elsif tg_op = 'DELETE' then
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
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
              '"releaseDate":' || (date_part('epoch', o.release_date) * 1000)::bigint::text,
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
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from old_rows o where o.merchant_id = merchant
          ) r
          offset 0
        ) c;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
        from (
          select r.record, r.type, r.row_change, '{' || r.before || '}' as before, '{' || r.after || '}' as after
          from (
            select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
              concat_ws(',', d.before, d.former_stamps) as before, concat_ws(',', d.after, d.stamps) as after
            from (
              select e.record, e.id, e.type, e.row_change,
                nullif(concat_ws(',',
                  case when e.name_differs then '"name":' || to_json(e.o_name)::text end,
                  case when e.type_differs then '"type":' || to_json(e.o_type)::text end,
                  case when e.base_unit_differs then '"baseUnit":' || coalesce(e.o_base_unit::text, 'null') end,
                  case when e.brand_id_differs then '"brandId":' || coalesce('"' || e.o_brand_id || '"', 'null') end,
                  case when e.description_differs then '"description":' || coalesce(to_json(e.o_description)::text, 'null') end,
                  case when e.short_description_differs then '"shortDescription":' || coalesce(to_json(e.o_short_description)::text, 'null') end,
                  case when e.google_taxonomy_id_differs then '"googleTaxonomyId":' || coalesce(to_json(e.o_google_taxonomy_id)::text, 'null') end,
                  case when e.group_variants_by_variant_type_id_differs then '"groupVariantsByVariantTypeId":' || coalesce('"' || e.o_group_variants_by_variant_type_id || '"', 'null') end,
                  case when e.max_quantity_per_cart_differs then '"maxQuantityPerCart":' || coalesce(trim_scale(e.o_max_quantity_per_cart)::text, 'null') end,
                  case when e.product_option_set_id_differs then '"productOptionSetId":' || coalesce(to_json(e.o_product_option_set_id)::text, 'null') end,
                  case when e.product_volume_discount_id_differs then '"productVolumeDiscountId":' || coalesce(to_json(e.o_product_volume_discount_id)::text, 'null') end,
                  case when e.release_date_differs then '"releaseDate":' || coalesce((date_part('epoch', e.o_release_date) * 1000)::bigint::text, 'null') end,
                  case when e.category_ids_differs then '"categoryIds":' || to_json(e.o_category_ids)::text end,
                  case when e.tag_ids_differs then '"tagIds":' || to_json(e.o_tag_ids)::text end,
                  case when e.dynamic_price_list_ids_differs then '"dynamicPriceListIds":' || to_json(e.o_dynamic_price_list_ids)::text end,
                  case when e.sales_channel_ids_differs then '"salesChannelIds":' || to_json(e.o_sales_channel_ids)::text end,
                  case when e.hidden_sales_channel_ids_differs then '"hiddenSalesChannelIds":' || to_json(e.o_hidden_sales_channel_ids)::text end,
                  case when e.sales_channels_differs then '"salesChannels":' || coalesce(e.o_sales_channels::text, 'null') end,
                  case when e.product_variant_types_differs then '"productVariantTypes":' || coalesce(e.o_product_variant_types::text, 'null') end,
                  case when e.attributes_differs then '"attributes":' || coalesce(e.o_attributes::text, 'null') end,
                  case when e.subscription_plan_id_differs then '"subscriptionPlanId":' || coalesce(to_json(e.o_subscription_plan_id)::text, 'null') end,
                  case when e.translations_differs then '"translations":' || coalesce(e.o_translations::text, 'null') end,
                  case when e.vendor_id_differs then '"vendorId":' || coalesce(to_json(e.o_vendor_id)::text, 'null') end,
                  case when e.weight_differs then '"weight":' || coalesce(trim_scale(e.o_weight)::text, 'null') end,
                  case when e.source_id_differs then '"sourceId":' || coalesce(to_json(e.o_source_id)::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.o_deleted::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.name_differs then '"name":' || to_json(e.n_name)::text end,
                  case when e.type_differs then '"type":' || to_json(e.n_type)::text end,
                  case when e.base_unit_differs then '"baseUnit":' || coalesce(e.n_base_unit::text, 'null') end,
                  case when e.brand_id_differs then '"brandId":' || coalesce('"' || e.n_brand_id || '"', 'null') end,
                  case when e.description_differs then '"description":' || coalesce(to_json(e.n_description)::text, 'null') end,
                  case when e.short_description_differs then '"shortDescription":' || coalesce(to_json(e.n_short_description)::text, 'null') end,
                  case when e.google_taxonomy_id_differs then '"googleTaxonomyId":' || coalesce(to_json(e.n_google_taxonomy_id)::text, 'null') end,
                  case when e.group_variants_by_variant_type_id_differs then '"groupVariantsByVariantTypeId":' || coalesce('"' || e.n_group_variants_by_variant_type_id || '"', 'null') end,
                  case when e.max_quantity_per_cart_differs then '"maxQuantityPerCart":' || coalesce(trim_scale(e.n_max_quantity_per_cart)::text, 'null') end,
                  case when e.product_option_set_id_differs then '"productOptionSetId":' || coalesce(to_json(e.n_product_option_set_id)::text, 'null') end,
                  case when e.product_volume_discount_id_differs then '"productVolumeDiscountId":' || coalesce(to_json(e.n_product_volume_discount_id)::text, 'null') end,
                  case when e.release_date_differs then '"releaseDate":' || coalesce((date_part('epoch', e.n_release_date) * 1000)::bigint::text, 'null') end,
                  case when e.category_ids_differs then '"categoryIds":' || to_json(e.n_category_ids)::text end,
                  case when e.tag_ids_differs then '"tagIds":' || to_json(e.n_tag_ids)::text end,
                  case when e.dynamic_price_list_ids_differs then '"dynamicPriceListIds":' || to_json(e.n_dynamic_price_list_ids)::text end,
                  case when e.sales_channel_ids_differs then '"salesChannelIds":' || to_json(e.n_sales_channel_ids)::text end,
                  case when e.hidden_sales_channel_ids_differs then '"hiddenSalesChannelIds":' || to_json(e.n_hidden_sales_channel_ids)::text end,
                  case when e.sales_channels_differs then '"salesChannels":' || coalesce(e.n_sales_channels::text, 'null') end,
                  case when e.product_variant_types_differs then '"productVariantTypes":' || coalesce(e.n_product_variant_types::text, 'null') end,
                  case when e.attributes_differs then '"attributes":' || coalesce(e.n_attributes::text, 'null') end,
                  case when e.subscription_plan_id_differs then '"subscriptionPlanId":' || coalesce(to_json(e.n_subscription_plan_id)::text, 'null') end,
                  case when e.translations_differs then '"translations":' || coalesce(e.n_translations::text, 'null') end,
                  case when e.vendor_id_differs then '"vendorId":' || coalesce(to_json(e.n_vendor_id)::text, 'null') end,
                  case when e.weight_differs then '"weight":' || coalesce(trim_scale(e.n_weight)::text, 'null') end,
                  case when e.source_id_differs then '"sourceId":' || coalesce(to_json(e.n_source_id)::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.n_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.n_deleted::text end
                ), '') as after,
                nullif(concat_ws(',',
                  case when e.version_differs then '"version":' || e.o_version::text end,
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.o_updated_at) * 1000)::bigint::text end
                ), '') as former_stamps,
                nullif(concat_ws(',',
                  case when e.version_differs then '"version":' || e.n_version::text end,
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.n_updated_at) * 1000)::bigint::text end
                ), '') as stamps
              from (
                select
                  n.id as record, n.id, 'PRODUCT' as type,
                  case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end as row_change,
                  o.version as o_version, n.version as n_version, o.version <> n.version as version_differs,
                  o.name as o_name, n.name as n_name, o.name <> n.name as name_differs,
                  o.type as o_type, n.type as n_type, o.type <> n.type as type_differs,
                  o.base_unit as o_base_unit, n.base_unit as n_base_unit, (o.base_unit::text is distinct from n.base_unit::text and json_differs(o.base_unit::text, n.base_unit::text)) as base_unit_differs,
                  o.brand_id as o_brand_id, n.brand_id as n_brand_id, o.brand_id is distinct from n.brand_id as brand_id_differs,
                  o.description as o_description, n.description as n_description, o.description is distinct from n.description as description_differs,
                  o.short_description as o_short_description, n.short_description as n_short_description, o.short_description is distinct from n.short_description as short_description_differs,
                  o.google_taxonomy_id as o_google_taxonomy_id, n.google_taxonomy_id as n_google_taxonomy_id, o.google_taxonomy_id is distinct from n.google_taxonomy_id as google_taxonomy_id_differs,
                  o.group_variants_by_variant_type_id as o_group_variants_by_variant_type_id, n.group_variants_by_variant_type_id as n_group_variants_by_variant_type_id, o.group_variants_by_variant_type_id is distinct from n.group_variants_by_variant_type_id as group_variants_by_variant_type_id_differs,
                  o.max_quantity_per_cart as o_max_quantity_per_cart, n.max_quantity_per_cart as n_max_quantity_per_cart, o.max_quantity_per_cart is distinct from n.max_quantity_per_cart as max_quantity_per_cart_differs,
                  o.product_option_set_id as o_product_option_set_id, n.product_option_set_id as n_product_option_set_id, o.product_option_set_id is distinct from n.product_option_set_id as product_option_set_id_differs,
                  o.product_volume_discount_id as o_product_volume_discount_id, n.product_volume_discount_id as n_product_volume_discount_id, o.product_volume_discount_id is distinct from n.product_volume_discount_id as product_volume_discount_id_differs,
                  o.release_date as o_release_date, n.release_date as n_release_date, o.release_date is distinct from n.release_date as release_date_differs,
                  o.category_ids as o_category_ids, n.category_ids as n_category_ids, o.category_ids <> n.category_ids as category_ids_differs,
                  o.tag_ids as o_tag_ids, n.tag_ids as n_tag_ids, o.tag_ids <> n.tag_ids as tag_ids_differs,
                  o.dynamic_price_list_ids as o_dynamic_price_list_ids, n.dynamic_price_list_ids as n_dynamic_price_list_ids, o.dynamic_price_list_ids <> n.dynamic_price_list_ids as dynamic_price_list_ids_differs,
                  o.sales_channel_ids as o_sales_channel_ids, n.sales_channel_ids as n_sales_channel_ids, o.sales_channel_ids <> n.sales_channel_ids as sales_channel_ids_differs,
                  o.hidden_sales_channel_ids as o_hidden_sales_channel_ids, n.hidden_sales_channel_ids as n_hidden_sales_channel_ids, o.hidden_sales_channel_ids <> n.hidden_sales_channel_ids as hidden_sales_channel_ids_differs,
                  o.sales_channels as o_sales_channels, n.sales_channels as n_sales_channels, (o.sales_channels::text is distinct from n.sales_channels::text and json_differs(o.sales_channels::text, n.sales_channels::text)) as sales_channels_differs,
                  o.product_variant_types as o_product_variant_types, n.product_variant_types as n_product_variant_types, (o.product_variant_types::text is distinct from n.product_variant_types::text and json_differs(o.product_variant_types::text, n.product_variant_types::text)) as product_variant_types_differs,
                  o.attributes as o_attributes, n.attributes as n_attributes, (o.attributes::text is distinct from n.attributes::text and json_differs(o.attributes::text, n.attributes::text)) as attributes_differs,
                  o.subscription_plan_id as o_subscription_plan_id, n.subscription_plan_id as n_subscription_plan_id, o.subscription_plan_id is distinct from n.subscription_plan_id as subscription_plan_id_differs,
                  o.translations as o_translations, n.translations as n_translations, (o.translations::text is distinct from n.translations::text and json_differs(o.translations::text, n.translations::text)) as translations_differs,
                  o.vendor_id as o_vendor_id, n.vendor_id as n_vendor_id, o.vendor_id is distinct from n.vendor_id as vendor_id_differs,
                  o.weight as o_weight, n.weight as n_weight, o.weight is distinct from n.weight as weight_differs,
                  o.source_id as o_source_id, n.source_id as n_source_id, o.source_id is distinct from n.source_id as source_id_differs,
                  o.created_at as o_created_at, n.created_at as n_created_at, o.created_at <> n.created_at as created_at_differs,
                  o.updated_at as o_updated_at, n.updated_at as n_updated_at, o.updated_at <> n.updated_at as updated_at_differs,
                  o.deleted as o_deleted, n.deleted as n_deleted, o.deleted <> n.deleted as deleted_differs
                from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
                where n.merchant_id = merchant
                offset 0
              ) e
              offset 0
            ) d
            where d.before is not null or d.stamps is not null
          ) r
          offset 0
        ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    loop
      ids := '{}';
      types := '{}';
      row_changes := '{}';
      befores := '{}';
      afters := '{}';
      is_unusual := false;
      bytes := 0;
      loop
        fetch changes into change;
        exit when not found;
        ids := ids || change.record;
        types := types || change.type;
        row_changes := row_changes || change.row_change;
        befores := befores || change.before;
        afters := afters || change.after;
        is_unusual := is_unusual or change.is_unusual;
        bytes := bytes + change.bytes;
        exit when bytes > bytes_at_once;
      end loop;
      exit when ids = '{}';
      -- The assignment only calls the function: PERFORM would run a query to call it.
      statement_number := write_change_parts(
        merchant, transaction_key, is_full, is_unusual, '', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
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

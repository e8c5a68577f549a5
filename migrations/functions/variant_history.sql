-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records what a statement changes in variant: the members before and after it, by their names in the SDL.
create or replace function variant_history() returns trigger
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
        select r.record, min(r.type) as type,
          case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
          '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
          '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after
        from (
          select n.product_id as record, n.id, 'PRODUCT' as type, 'UPDATED' as row_change, null::text as before, concat_ws(',',
            '"position":' || n.position::text,
            '"sku":' || to_json(n.sku)::text,
            case when n.barcode_list <> '{}' then '"barcodeList":' || to_json(n.barcode_list)::text end,
            '"isActive":' || n.is_active::text,
            '"sellIfOutOfStock":' || n.sell_if_out_of_stock::text,
            '"weight":' || trim_scale(n.weight)::text,
            '"unit":' || n.unit::text,
            '"hsCode":' || to_json(n.hs_code)::text,
            '"fileId":' || to_json(n.file_id)::text,
            '"subscriptionPlanId":' || to_json(n.subscription_plan_id)::text,
            '"prices":' || n.prices::text,
            '"images":' || n.images::text,
            '"variantValueIds":' || n.variant_value_ids::text,
            '"attributes":' || n.attributes::text,
            '"bundleSettings":' || n.bundle_settings::text,
            '"sourceId":' || to_json(n.source_id)::text,
            '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text,
            '"deleted":' || n.deleted::text
          ) as after
          from new_rows n where n.merchant_id = merchant
        ) r
        group by r.record
      ) c;
    elsif tg_op = 'DELETE' then
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
      from (
        select r.record, min(r.type) as type,
          case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
          '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
          '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after
        from (
          select o.product_id as record, o.id, 'PRODUCT' as type, 'UPDATED' as row_change, null::text as after, concat_ws(',',
            '"position":' || o.position::text,
            '"sku":' || to_json(o.sku)::text,
            case when o.barcode_list <> '{}' then '"barcodeList":' || to_json(o.barcode_list)::text end,
            '"isActive":' || o.is_active::text,
            '"sellIfOutOfStock":' || o.sell_if_out_of_stock::text,
            '"weight":' || trim_scale(o.weight)::text,
            '"unit":' || o.unit::text,
            '"hsCode":' || to_json(o.hs_code)::text,
            '"fileId":' || to_json(o.file_id)::text,
            '"subscriptionPlanId":' || to_json(o.subscription_plan_id)::text,
            '"prices":' || o.prices::text,
            '"images":' || o.images::text,
            '"variantValueIds":' || o.variant_value_ids::text,
            '"attributes":' || o.attributes::text,
            '"bundleSettings":' || o.bundle_settings::text,
            '"sourceId":' || to_json(o.source_id)::text,
            '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text,
            '"deleted":' || o.deleted::text
          ) as before
          from old_rows o where o.merchant_id = merchant
        ) r
        group by r.record
      ) c;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
      into ids, types, row_changes, befores, afters
      from (
        select r.record, min(r.type) as type,
          case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
          '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
          '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after
        from (
          select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
            concat_ws(',', d.before, d.former_stamps) as before, concat_ws(',', d.after, d.stamps) as after
          from (
            select
              n.product_id as record, n.id, 'PRODUCT' as type,
              'UPDATED' as row_change,
              nullif(concat_ws(',',
                case when o.position <> n.position then '"position":' || o.position::text end,
                case when o.sku is distinct from n.sku then '"sku":' || coalesce(to_json(o.sku)::text, 'null') end,
                case when o.barcode_list <> n.barcode_list then '"barcodeList":' || to_json(o.barcode_list)::text end,
                case when o.is_active <> n.is_active then '"isActive":' || o.is_active::text end,
                case when o.sell_if_out_of_stock is distinct from n.sell_if_out_of_stock then '"sellIfOutOfStock":' || coalesce(o.sell_if_out_of_stock::text, 'null') end,
                case when o.weight is distinct from n.weight then '"weight":' || coalesce(trim_scale(o.weight)::text, 'null') end,
                case when o.unit::text is distinct from n.unit::text then '"unit":' || coalesce(o.unit::text, 'null') end,
                case when o.hs_code is distinct from n.hs_code then '"hsCode":' || coalesce(to_json(o.hs_code)::text, 'null') end,
                case when o.file_id is distinct from n.file_id then '"fileId":' || coalesce(to_json(o.file_id)::text, 'null') end,
                case when o.subscription_plan_id is distinct from n.subscription_plan_id then '"subscriptionPlanId":' || coalesce(to_json(o.subscription_plan_id)::text, 'null') end,
                case when o.prices::text is distinct from n.prices::text then '"prices":' || coalesce(o.prices::text, 'null') end,
                case when o.images::text is distinct from n.images::text then '"images":' || coalesce(o.images::text, 'null') end,
                case when o.variant_value_ids::text is distinct from n.variant_value_ids::text then '"variantValueIds":' || coalesce(o.variant_value_ids::text, 'null') end,
                case when o.attributes::text is distinct from n.attributes::text then '"attributes":' || coalesce(o.attributes::text, 'null') end,
                case when o.bundle_settings::text is distinct from n.bundle_settings::text then '"bundleSettings":' || coalesce(o.bundle_settings::text, 'null') end,
                case when o.source_id is distinct from n.source_id then '"sourceId":' || coalesce(to_json(o.source_id)::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || o.deleted::text end
              ), '') as before,
              nullif(concat_ws(',',
                case when o.position <> n.position then '"position":' || n.position::text end,
                case when o.sku is distinct from n.sku then '"sku":' || coalesce(to_json(n.sku)::text, 'null') end,
                case when o.barcode_list <> n.barcode_list then '"barcodeList":' || to_json(n.barcode_list)::text end,
                case when o.is_active <> n.is_active then '"isActive":' || n.is_active::text end,
                case when o.sell_if_out_of_stock is distinct from n.sell_if_out_of_stock then '"sellIfOutOfStock":' || coalesce(n.sell_if_out_of_stock::text, 'null') end,
                case when o.weight is distinct from n.weight then '"weight":' || coalesce(trim_scale(n.weight)::text, 'null') end,
                case when o.unit::text is distinct from n.unit::text then '"unit":' || coalesce(n.unit::text, 'null') end,
                case when o.hs_code is distinct from n.hs_code then '"hsCode":' || coalesce(to_json(n.hs_code)::text, 'null') end,
                case when o.file_id is distinct from n.file_id then '"fileId":' || coalesce(to_json(n.file_id)::text, 'null') end,
                case when o.subscription_plan_id is distinct from n.subscription_plan_id then '"subscriptionPlanId":' || coalesce(to_json(n.subscription_plan_id)::text, 'null') end,
                case when o.prices::text is distinct from n.prices::text then '"prices":' || coalesce(n.prices::text, 'null') end,
                case when o.images::text is distinct from n.images::text then '"images":' || coalesce(n.images::text, 'null') end,
                case when o.variant_value_ids::text is distinct from n.variant_value_ids::text then '"variantValueIds":' || coalesce(n.variant_value_ids::text, 'null') end,
                case when o.attributes::text is distinct from n.attributes::text then '"attributes":' || coalesce(n.attributes::text, 'null') end,
                case when o.bundle_settings::text is distinct from n.bundle_settings::text then '"bundleSettings":' || coalesce(n.bundle_settings::text, 'null') end,
                case when o.source_id is distinct from n.source_id then '"sourceId":' || coalesce(to_json(n.source_id)::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || n.deleted::text end
              ), '') as after,
              nullif(concat_ws(',',
                case when o.updated_at <> n.updated_at then '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text end
              ), '') as former_stamps,
              nullif(concat_ws(',',
                case when o.updated_at <> n.updated_at then '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text end
              ), '') as stamps
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant and o.product_id = n.product_id
          ) d
          where d.before is not null or d.stamps is not null
          union all
          select m.record, m.id, m.type, m.row_change, m.before, m.after
          from (
            select o.product_id as record, o.id, 'PRODUCT' as type, 'UPDATED' as row_change, null::text as after, concat_ws(',',
              '"position":' || o.position::text,
              '"sku":' || to_json(o.sku)::text,
              case when o.barcode_list <> '{}' then '"barcodeList":' || to_json(o.barcode_list)::text end,
              '"isActive":' || o.is_active::text,
              '"sellIfOutOfStock":' || o.sell_if_out_of_stock::text,
              '"weight":' || trim_scale(o.weight)::text,
              '"unit":' || o.unit::text,
              '"hsCode":' || to_json(o.hs_code)::text,
              '"fileId":' || to_json(o.file_id)::text,
              '"subscriptionPlanId":' || to_json(o.subscription_plan_id)::text,
              '"prices":' || o.prices::text,
              '"images":' || o.images::text,
              '"variantValueIds":' || o.variant_value_ids::text,
              '"attributes":' || o.attributes::text,
              '"bundleSettings":' || o.bundle_settings::text,
              '"sourceId":' || to_json(o.source_id)::text,
              '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where o.merchant_id = merchant and not (o.product_id = n.product_id)
          ) m
          union all
          select m.record, m.id, m.type, m.row_change, m.before, m.after
          from (
            select n.product_id as record, n.id, 'PRODUCT' as type, 'UPDATED' as row_change, null::text as before, concat_ws(',',
              '"position":' || n.position::text,
              '"sku":' || to_json(n.sku)::text,
              case when n.barcode_list <> '{}' then '"barcodeList":' || to_json(n.barcode_list)::text end,
              '"isActive":' || n.is_active::text,
              '"sellIfOutOfStock":' || n.sell_if_out_of_stock::text,
              '"weight":' || trim_scale(n.weight)::text,
              '"unit":' || n.unit::text,
              '"hsCode":' || to_json(n.hs_code)::text,
              '"fileId":' || to_json(n.file_id)::text,
              '"subscriptionPlanId":' || to_json(n.subscription_plan_id)::text,
              '"prices":' || n.prices::text,
              '"images":' || n.images::text,
              '"variantValueIds":' || n.variant_value_ids::text,
              '"attributes":' || n.attributes::text,
              '"bundleSettings":' || n.bundle_settings::text,
              '"sourceId":' || to_json(n.source_id)::text,
              '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant and not (o.product_id = n.product_id)
          ) m
        ) r
        group by r.record
      ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when ids is null;
    perform write_change_parts(
      merchant, transaction_key, statement_number, is_full, 'variants', ids, types, row_changes, befores,
      afters);
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: these before those of events, which may contain what was recorded.
create or replace trigger change_inserted after insert on variant referencing new table as new_rows
  for each statement execute function variant_history();--> statement-breakpoint
create or replace trigger change_updated after update on variant
  referencing old table as old_rows new table as new_rows
  for each statement execute function variant_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on variant referencing old table as old_rows
  for each statement execute function variant_history();

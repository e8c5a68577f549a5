-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes variant.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function variant_history() returns trigger
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
  has_moved boolean;
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
          select r.record, min(r.type) as type,
            case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
            '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
            '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after, bool_or(r.is_moved) as is_moved
          from (
            select n.product_id as record, n.id, 'PRODUCT' as type, 'UPDATED' as row_change, false as is_moved, null::text as before, concat_ws(',',
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
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n where n.merchant_id = merchant
          ) r
          group by r.record
        ) c;
    elsif tg_op = 'DELETE' then
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
        from (
          select r.record, min(r.type) as type,
            case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
            '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
            '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after, bool_or(r.is_moved) as is_moved
          from (
            select o.product_id as record, o.id, 'PRODUCT' as type, 'UPDATED' as row_change, false as is_moved, null::text as after, concat_ws(',',
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
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from old_rows o where o.merchant_id = merchant
          ) r
          group by r.record
        ) c;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      open changes for
        select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
          coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
        from (
          select r.record, min(r.type) as type,
            case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
            '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
            '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after, bool_or(r.is_moved) as is_moved
          from (
            select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
              case when not d.is_moved then concat_ws(',', d.before, d.former_stamps) end as before, case when not d.is_moved then concat_ws(',', d.after, d.stamps) end as after, d.is_moved
            from (
              select e.record, e.id, e.type, e.row_change, e.is_moved,
                nullif(concat_ws(',',
                  case when e.position_differs then '"position":' || e.o_position::text end,
                  case when e.sku_differs then '"sku":' || coalesce(to_json(e.o_sku)::text, 'null') end,
                  case when e.barcode_list_differs then '"barcodeList":' || to_json(e.o_barcode_list)::text end,
                  case when e.is_active_differs then '"isActive":' || e.o_is_active::text end,
                  case when e.sell_if_out_of_stock_differs then '"sellIfOutOfStock":' || coalesce(e.o_sell_if_out_of_stock::text, 'null') end,
                  case when e.weight_differs then '"weight":' || coalesce(trim_scale(e.o_weight)::text, 'null') end,
                  case when e.unit_differs then '"unit":' || coalesce(e.o_unit::text, 'null') end,
                  case when e.hs_code_differs then '"hsCode":' || coalesce(to_json(e.o_hs_code)::text, 'null') end,
                  case when e.file_id_differs then '"fileId":' || coalesce(to_json(e.o_file_id)::text, 'null') end,
                  case when e.subscription_plan_id_differs then '"subscriptionPlanId":' || coalesce(to_json(e.o_subscription_plan_id)::text, 'null') end,
                  case when e.prices_differs then '"prices":' || coalesce(e.o_prices::text, 'null') end,
                  case when e.images_differs then '"images":' || coalesce(e.o_images::text, 'null') end,
                  case when e.variant_value_ids_differs then '"variantValueIds":' || coalesce(e.o_variant_value_ids::text, 'null') end,
                  case when e.attributes_differs then '"attributes":' || coalesce(e.o_attributes::text, 'null') end,
                  case when e.bundle_settings_differs then '"bundleSettings":' || coalesce(e.o_bundle_settings::text, 'null') end,
                  case when e.source_id_differs then '"sourceId":' || coalesce(to_json(e.o_source_id)::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.o_deleted::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.position_differs then '"position":' || e.n_position::text end,
                  case when e.sku_differs then '"sku":' || coalesce(to_json(e.n_sku)::text, 'null') end,
                  case when e.barcode_list_differs then '"barcodeList":' || to_json(e.n_barcode_list)::text end,
                  case when e.is_active_differs then '"isActive":' || e.n_is_active::text end,
                  case when e.sell_if_out_of_stock_differs then '"sellIfOutOfStock":' || coalesce(e.n_sell_if_out_of_stock::text, 'null') end,
                  case when e.weight_differs then '"weight":' || coalesce(trim_scale(e.n_weight)::text, 'null') end,
                  case when e.unit_differs then '"unit":' || coalesce(e.n_unit::text, 'null') end,
                  case when e.hs_code_differs then '"hsCode":' || coalesce(to_json(e.n_hs_code)::text, 'null') end,
                  case when e.file_id_differs then '"fileId":' || coalesce(to_json(e.n_file_id)::text, 'null') end,
                  case when e.subscription_plan_id_differs then '"subscriptionPlanId":' || coalesce(to_json(e.n_subscription_plan_id)::text, 'null') end,
                  case when e.prices_differs then '"prices":' || coalesce(e.n_prices::text, 'null') end,
                  case when e.images_differs then '"images":' || coalesce(e.n_images::text, 'null') end,
                  case when e.variant_value_ids_differs then '"variantValueIds":' || coalesce(e.n_variant_value_ids::text, 'null') end,
                  case when e.attributes_differs then '"attributes":' || coalesce(e.n_attributes::text, 'null') end,
                  case when e.bundle_settings_differs then '"bundleSettings":' || coalesce(e.n_bundle_settings::text, 'null') end,
                  case when e.source_id_differs then '"sourceId":' || coalesce(to_json(e.n_source_id)::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.n_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.n_deleted::text end
                ), '') as after,
                nullif(concat_ws(',',
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.o_updated_at) * 1000)::bigint::text end
                ), '') as former_stamps,
                nullif(concat_ws(',',
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.n_updated_at) * 1000)::bigint::text end
                ), '') as stamps
              from (
                select
                  n.product_id as record, n.id, 'PRODUCT' as type,
                  'UPDATED' as row_change,
                  not (o.product_id = n.product_id) as is_moved,
                  o.position as o_position, n.position as n_position, o.position <> n.position as position_differs,
                  o.sku as o_sku, n.sku as n_sku, o.sku is distinct from n.sku as sku_differs,
                  o.barcode_list as o_barcode_list, n.barcode_list as n_barcode_list, o.barcode_list <> n.barcode_list as barcode_list_differs,
                  o.is_active as o_is_active, n.is_active as n_is_active, o.is_active <> n.is_active as is_active_differs,
                  o.sell_if_out_of_stock as o_sell_if_out_of_stock, n.sell_if_out_of_stock as n_sell_if_out_of_stock, o.sell_if_out_of_stock is distinct from n.sell_if_out_of_stock as sell_if_out_of_stock_differs,
                  o.weight as o_weight, n.weight as n_weight, o.weight is distinct from n.weight as weight_differs,
                  o.unit as o_unit, n.unit as n_unit, (o.unit::text is distinct from n.unit::text and json_differs(o.unit::text, n.unit::text)) as unit_differs,
                  o.hs_code as o_hs_code, n.hs_code as n_hs_code, o.hs_code is distinct from n.hs_code as hs_code_differs,
                  o.file_id as o_file_id, n.file_id as n_file_id, o.file_id is distinct from n.file_id as file_id_differs,
                  o.subscription_plan_id as o_subscription_plan_id, n.subscription_plan_id as n_subscription_plan_id, o.subscription_plan_id is distinct from n.subscription_plan_id as subscription_plan_id_differs,
                  o.prices as o_prices, n.prices as n_prices, (o.prices::text is distinct from n.prices::text and json_differs(o.prices::text, n.prices::text)) as prices_differs,
                  o.images as o_images, n.images as n_images, (o.images::text is distinct from n.images::text and json_differs(o.images::text, n.images::text)) as images_differs,
                  o.variant_value_ids as o_variant_value_ids, n.variant_value_ids as n_variant_value_ids, (o.variant_value_ids::text is distinct from n.variant_value_ids::text and json_differs(o.variant_value_ids::text, n.variant_value_ids::text)) as variant_value_ids_differs,
                  o.attributes as o_attributes, n.attributes as n_attributes, (o.attributes::text is distinct from n.attributes::text and json_differs(o.attributes::text, n.attributes::text)) as attributes_differs,
                  o.bundle_settings as o_bundle_settings, n.bundle_settings as n_bundle_settings, (o.bundle_settings::text is distinct from n.bundle_settings::text and json_differs(o.bundle_settings::text, n.bundle_settings::text)) as bundle_settings_differs,
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
            where d.before is not null or d.stamps is not null or d.is_moved
          ) r
          group by r.record
        ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    has_moved := false;
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
        has_moved := has_moved or change.is_moved;
        continue when num_nonnulls(change.before, change.after) = 0;
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
        merchant, transaction_key, is_full, is_unusual, 'variants', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
    continue when not has_moved;
    -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
    perform set_config('enable_nestloop', 'off', true);
    open changes for
      select c.*, octet_length(c.before) > 262144 or strpos(c.before, '\u') > 0 or octet_length(c.after) > 262144 or strpos(c.after, '\u') > 0 as is_unusual,
        coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
      from (
        select r.record, min(r.type) as type,
          case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
          '{' || string_agg('"' || r.id || '":{' || r.before || '}', ',' order by r.id) || '}' as before,
          '{' || string_agg('"' || r.id || '":{' || r.after || '}', ',' order by r.id) || '}' as after, bool_or(r.is_moved) as is_moved
        from (
          select m.record, m.id, m.type, m.row_change, m.is_moved, m.before, m.after
          from (
            select o.product_id as record, o.id, 'PRODUCT' as type, 'UPDATED' as row_change, false as is_moved, null::text as after, concat_ws(',',
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
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where o.merchant_id = merchant and not (o.product_id = n.product_id)
          ) m
          union all
          select m.record, m.id, m.type, m.row_change, m.is_moved, m.before, m.after
          from (
            select n.product_id as record, n.id, 'PRODUCT' as type, 'UPDATED' as row_change, false as is_moved, null::text as before, concat_ws(',',
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
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant and not (o.product_id = n.product_id)
          ) m
        ) r
        group by r.record
      ) c;
    perform set_config('enable_nestloop', 'on', true);
    has_moved := false;
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
        has_moved := has_moved or change.is_moved;
        continue when num_nonnulls(change.before, change.after) = 0;
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
        merchant, transaction_key, is_full, is_unusual, 'variants', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
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

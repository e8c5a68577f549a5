-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes variant_value.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function variant_value_history() returns trigger
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
            select n.variant_type_id as record, n.id, 'PRODUCT_VARIANT_TYPE' as type, 'UPDATED' as row_change, false as is_moved, null::text as before, concat_ws(',',
              '"position":' || n.position::text,
              '"name":' || to_json(n.name)::text,
              '"colorCode":' || to_json(n.color_code)::text,
              '"thumbnailImageId":' || to_json(n.thumbnail_image_id)::text,
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
            select o.variant_type_id as record, o.id, 'PRODUCT_VARIANT_TYPE' as type, 'UPDATED' as row_change, false as is_moved, null::text as after, concat_ws(',',
              '"position":' || o.position::text,
              '"name":' || to_json(o.name)::text,
              '"colorCode":' || to_json(o.color_code)::text,
              '"thumbnailImageId":' || to_json(o.thumbnail_image_id)::text,
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
                  case when e.name_differs then '"name":' || to_json(e.o_name)::text end,
                  case when e.color_code_differs then '"colorCode":' || coalesce(to_json(e.o_color_code)::text, 'null') end,
                  case when e.thumbnail_image_id_differs then '"thumbnailImageId":' || coalesce(to_json(e.o_thumbnail_image_id)::text, 'null') end,
                  case when e.source_id_differs then '"sourceId":' || coalesce(to_json(e.o_source_id)::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.o_deleted::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.position_differs then '"position":' || e.n_position::text end,
                  case when e.name_differs then '"name":' || to_json(e.n_name)::text end,
                  case when e.color_code_differs then '"colorCode":' || coalesce(to_json(e.n_color_code)::text, 'null') end,
                  case when e.thumbnail_image_id_differs then '"thumbnailImageId":' || coalesce(to_json(e.n_thumbnail_image_id)::text, 'null') end,
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
                  n.variant_type_id as record, n.id, 'PRODUCT_VARIANT_TYPE' as type,
                  'UPDATED' as row_change,
                  not (o.variant_type_id = n.variant_type_id) as is_moved,
                  o.position as o_position, n.position as n_position, o.position <> n.position as position_differs,
                  o.name as o_name, n.name as n_name, o.name <> n.name as name_differs,
                  o.color_code as o_color_code, n.color_code as n_color_code, o.color_code is distinct from n.color_code as color_code_differs,
                  o.thumbnail_image_id as o_thumbnail_image_id, n.thumbnail_image_id as n_thumbnail_image_id, o.thumbnail_image_id is distinct from n.thumbnail_image_id as thumbnail_image_id_differs,
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
        merchant, transaction_key, is_full, is_unusual, 'values', ids, types, row_changes, befores, afters);
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
            select o.variant_type_id as record, o.id, 'PRODUCT_VARIANT_TYPE' as type, 'UPDATED' as row_change, false as is_moved, null::text as after, concat_ws(',',
              '"position":' || o.position::text,
              '"name":' || to_json(o.name)::text,
              '"colorCode":' || to_json(o.color_code)::text,
              '"thumbnailImageId":' || to_json(o.thumbnail_image_id)::text,
              '"sourceId":' || to_json(o.source_id)::text,
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where o.merchant_id = merchant and not (o.variant_type_id = n.variant_type_id)
          ) m
          union all
          select m.record, m.id, m.type, m.row_change, m.is_moved, m.before, m.after
          from (
            select n.variant_type_id as record, n.id, 'PRODUCT_VARIANT_TYPE' as type, 'UPDATED' as row_change, false as is_moved, null::text as before, concat_ws(',',
              '"position":' || n.position::text,
              '"name":' || to_json(n.name)::text,
              '"colorCode":' || to_json(n.color_code)::text,
              '"thumbnailImageId":' || to_json(n.thumbnail_image_id)::text,
              '"sourceId":' || to_json(n.source_id)::text,
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant and not (o.variant_type_id = n.variant_type_id)
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
        merchant, transaction_key, is_full, is_unusual, 'values', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: these before those of events, which may contain what was recorded.
create or replace trigger change_inserted after insert on variant_value referencing new table as new_rows
  for each statement execute function variant_value_history();--> statement-breakpoint
create or replace trigger change_updated after update on variant_value
  referencing old table as old_rows new table as new_rows
  for each statement execute function variant_value_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on variant_value referencing old table as old_rows
  for each statement execute function variant_value_history();

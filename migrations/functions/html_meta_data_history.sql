-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes html_meta_data.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function html_meta_data_history() returns trigger
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
            select n.target_id as record, n.id, case n.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, false as is_moved, null::text as before, concat_ws(',',
              '"slug":' || to_json(n.slug)::text,
              '"pageTitle":' || to_json(n.page_title)::text,
              '"description":' || to_json(n.description)::text,
              case when n.canonicals <> '{}' then '"canonicals":' || to_json(n.canonicals)::text end,
              '"disableIndex":' || n.disable_index::text,
              '"redirectTo":' || to_json(n.redirect_to)::text,
              '"metadataOverrides":' || n.metadata_overrides::text,
              '"translations":' || n.translations::text,
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n where n.merchant_id = merchant and n.target_type in ('PRODUCT', 'CATEGORY', 'BRAND')
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
            select o.target_id as record, o.id, case o.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, false as is_moved, null::text as after, concat_ws(',',
              '"slug":' || to_json(o.slug)::text,
              '"pageTitle":' || to_json(o.page_title)::text,
              '"description":' || to_json(o.description)::text,
              case when o.canonicals <> '{}' then '"canonicals":' || to_json(o.canonicals)::text end,
              '"disableIndex":' || o.disable_index::text,
              '"redirectTo":' || to_json(o.redirect_to)::text,
              '"metadataOverrides":' || o.metadata_overrides::text,
              '"translations":' || o.translations::text,
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from old_rows o where o.merchant_id = merchant and o.target_type in ('PRODUCT', 'CATEGORY', 'BRAND')
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
                  case when e.slug_differs then '"slug":' || to_json(e.o_slug)::text end,
                  case when e.page_title_differs then '"pageTitle":' || coalesce(to_json(e.o_page_title)::text, 'null') end,
                  case when e.description_differs then '"description":' || coalesce(to_json(e.o_description)::text, 'null') end,
                  case when e.canonicals_differs then '"canonicals":' || coalesce(to_json(e.o_canonicals)::text, 'null') end,
                  case when e.disable_index_differs then '"disableIndex":' || coalesce(e.o_disable_index::text, 'null') end,
                  case when e.redirect_to_differs then '"redirectTo":' || coalesce(to_json(e.o_redirect_to)::text, 'null') end,
                  case when e.metadata_overrides_differs then '"metadataOverrides":' || coalesce(e.o_metadata_overrides::text, 'null') end,
                  case when e.translations_differs then '"translations":' || coalesce(e.o_translations::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.o_deleted::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.slug_differs then '"slug":' || to_json(e.n_slug)::text end,
                  case when e.page_title_differs then '"pageTitle":' || coalesce(to_json(e.n_page_title)::text, 'null') end,
                  case when e.description_differs then '"description":' || coalesce(to_json(e.n_description)::text, 'null') end,
                  case when e.canonicals_differs then '"canonicals":' || coalesce(to_json(e.n_canonicals)::text, 'null') end,
                  case when e.disable_index_differs then '"disableIndex":' || coalesce(e.n_disable_index::text, 'null') end,
                  case when e.redirect_to_differs then '"redirectTo":' || coalesce(to_json(e.n_redirect_to)::text, 'null') end,
                  case when e.metadata_overrides_differs then '"metadataOverrides":' || coalesce(e.n_metadata_overrides::text, 'null') end,
                  case when e.translations_differs then '"translations":' || coalesce(e.n_translations::text, 'null') end,
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
                  n.target_id as record, n.id, case n.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type,
                  'UPDATED' as row_change,
                  not (o.target_id = n.target_id and o.target_type = n.target_type) as is_moved,
                  o.slug as o_slug, n.slug as n_slug, o.slug <> n.slug as slug_differs,
                  o.page_title as o_page_title, n.page_title as n_page_title, o.page_title is distinct from n.page_title as page_title_differs,
                  o.description as o_description, n.description as n_description, o.description is distinct from n.description as description_differs,
                  o.canonicals as o_canonicals, n.canonicals as n_canonicals, o.canonicals is distinct from n.canonicals as canonicals_differs,
                  o.disable_index as o_disable_index, n.disable_index as n_disable_index, o.disable_index is distinct from n.disable_index as disable_index_differs,
                  o.redirect_to as o_redirect_to, n.redirect_to as n_redirect_to, o.redirect_to is distinct from n.redirect_to as redirect_to_differs,
                  o.metadata_overrides as o_metadata_overrides, n.metadata_overrides as n_metadata_overrides, (o.metadata_overrides::text is distinct from n.metadata_overrides::text and json_differs(o.metadata_overrides::text, n.metadata_overrides::text)) as metadata_overrides_differs,
                  o.translations as o_translations, n.translations as n_translations, (o.translations::text is distinct from n.translations::text and json_differs(o.translations::text, n.translations::text)) as translations_differs,
                  o.created_at as o_created_at, n.created_at as n_created_at, o.created_at <> n.created_at as created_at_differs,
                  o.updated_at as o_updated_at, n.updated_at as n_updated_at, o.updated_at <> n.updated_at as updated_at_differs,
                  o.deleted as o_deleted, n.deleted as n_deleted, o.deleted <> n.deleted as deleted_differs
                from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
                where n.merchant_id = merchant and (n.target_type in ('PRODUCT', 'CATEGORY', 'BRAND') or o.target_type in ('PRODUCT', 'CATEGORY', 'BRAND'))
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
        merchant, transaction_key, is_full, is_unusual, 'metaData', ids, types, row_changes, befores, afters);
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
            select o.target_id as record, o.id, case o.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, false as is_moved, null::text as after, concat_ws(',',
              '"slug":' || to_json(o.slug)::text,
              '"pageTitle":' || to_json(o.page_title)::text,
              '"description":' || to_json(o.description)::text,
              case when o.canonicals <> '{}' then '"canonicals":' || to_json(o.canonicals)::text end,
              '"disableIndex":' || o.disable_index::text,
              '"redirectTo":' || to_json(o.redirect_to)::text,
              '"metadataOverrides":' || o.metadata_overrides::text,
              '"translations":' || o.translations::text,
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where o.merchant_id = merchant and o.target_type in ('PRODUCT', 'CATEGORY', 'BRAND') and not (o.target_id = n.target_id and o.target_type = n.target_type)
          ) m
          union all
          select m.record, m.id, m.type, m.row_change, m.is_moved, m.before, m.after
          from (
            select n.target_id as record, n.id, case n.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, false as is_moved, null::text as before, concat_ws(',',
              '"slug":' || to_json(n.slug)::text,
              '"pageTitle":' || to_json(n.page_title)::text,
              '"description":' || to_json(n.description)::text,
              case when n.canonicals <> '{}' then '"canonicals":' || to_json(n.canonicals)::text end,
              '"disableIndex":' || n.disable_index::text,
              '"redirectTo":' || to_json(n.redirect_to)::text,
              '"metadataOverrides":' || n.metadata_overrides::text,
              '"translations":' || n.translations::text,
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant and n.target_type in ('PRODUCT', 'CATEGORY', 'BRAND') and not (o.target_id = n.target_id and o.target_type = n.target_type)
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
        merchant, transaction_key, is_full, is_unusual, 'metaData', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: these before those of events, which may contain what was recorded.
create or replace trigger change_inserted after insert on html_meta_data referencing new table as new_rows
  for each statement execute function html_meta_data_history();--> statement-breakpoint
create or replace trigger change_updated after update on html_meta_data
  referencing old table as old_rows new table as new_rows
  for each statement execute function html_meta_data_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on html_meta_data referencing old table as old_rows
  for each statement execute function html_meta_data_history();

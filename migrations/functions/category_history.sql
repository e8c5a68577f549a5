-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes category.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function category_history() returns trigger
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
            select n.id as record, n.id, 'CATEGORY' as type, 'INSERTED' as row_change, null::text as before, concat_ws(',',
              '"name":' || to_json(n.name)::text,
              '"parentId":' || '"' || n.parent_id || '"',
              '"conditions":' || n.conditions::text,
              '"description":' || to_json(n.description)::text,
              '"imageId":' || to_json(n.image_id)::text,
              '"isAutomated":' || n.is_automated::text,
              '"orderType":' || to_json(n.order_type)::text,
              case when n.sales_channel_ids <> '{}' then '"salesChannelIds":' || to_json(n.sales_channel_ids)::text end,
              '"salesChannels":' || n.sales_channels::text,
              '"shouldMatchAllConditions":' || n.should_match_all_conditions::text,
              '"translations":' || n.translations::text,
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
            select o.id as record, o.id, 'CATEGORY' as type, 'REMOVED' as row_change, null::text as after, concat_ws(',',
              '"name":' || to_json(o.name)::text,
              '"parentId":' || '"' || o.parent_id || '"',
              '"conditions":' || o.conditions::text,
              '"description":' || to_json(o.description)::text,
              '"imageId":' || to_json(o.image_id)::text,
              '"isAutomated":' || o.is_automated::text,
              '"orderType":' || to_json(o.order_type)::text,
              case when o.sales_channel_ids <> '{}' then '"salesChannelIds":' || to_json(o.sales_channel_ids)::text end,
              '"salesChannels":' || o.sales_channels::text,
              '"shouldMatchAllConditions":' || o.should_match_all_conditions::text,
              '"translations":' || o.translations::text,
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
                  case when e.parent_id_differs then '"parentId":' || coalesce('"' || e.o_parent_id || '"', 'null') end,
                  case when e.conditions_differs then '"conditions":' || coalesce(e.o_conditions::text, 'null') end,
                  case when e.description_differs then '"description":' || coalesce(to_json(e.o_description)::text, 'null') end,
                  case when e.image_id_differs then '"imageId":' || coalesce(to_json(e.o_image_id)::text, 'null') end,
                  case when e.is_automated_differs then '"isAutomated":' || coalesce(e.o_is_automated::text, 'null') end,
                  case when e.order_type_differs then '"orderType":' || coalesce(to_json(e.o_order_type)::text, 'null') end,
                  case when e.sales_channel_ids_differs then '"salesChannelIds":' || to_json(e.o_sales_channel_ids)::text end,
                  case when e.sales_channels_differs then '"salesChannels":' || coalesce(e.o_sales_channels::text, 'null') end,
                  case when e.should_match_all_conditions_differs then '"shouldMatchAllConditions":' || coalesce(e.o_should_match_all_conditions::text, 'null') end,
                  case when e.translations_differs then '"translations":' || coalesce(e.o_translations::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end,
                  case when e.deleted_differs then '"deleted":' || e.o_deleted::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.name_differs then '"name":' || to_json(e.n_name)::text end,
                  case when e.parent_id_differs then '"parentId":' || coalesce('"' || e.n_parent_id || '"', 'null') end,
                  case when e.conditions_differs then '"conditions":' || coalesce(e.n_conditions::text, 'null') end,
                  case when e.description_differs then '"description":' || coalesce(to_json(e.n_description)::text, 'null') end,
                  case when e.image_id_differs then '"imageId":' || coalesce(to_json(e.n_image_id)::text, 'null') end,
                  case when e.is_automated_differs then '"isAutomated":' || coalesce(e.n_is_automated::text, 'null') end,
                  case when e.order_type_differs then '"orderType":' || coalesce(to_json(e.n_order_type)::text, 'null') end,
                  case when e.sales_channel_ids_differs then '"salesChannelIds":' || to_json(e.n_sales_channel_ids)::text end,
                  case when e.sales_channels_differs then '"salesChannels":' || coalesce(e.n_sales_channels::text, 'null') end,
                  case when e.should_match_all_conditions_differs then '"shouldMatchAllConditions":' || coalesce(e.n_should_match_all_conditions::text, 'null') end,
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
                  n.id as record, n.id, 'CATEGORY' as type,
                  case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end as row_change,
                  o.name as o_name, n.name as n_name, o.name <> n.name as name_differs,
                  o.parent_id as o_parent_id, n.parent_id as n_parent_id, o.parent_id is distinct from n.parent_id as parent_id_differs,
                  o.conditions as o_conditions, n.conditions as n_conditions, (o.conditions::text is distinct from n.conditions::text and json_differs(o.conditions::text, n.conditions::text)) as conditions_differs,
                  o.description as o_description, n.description as n_description, o.description is distinct from n.description as description_differs,
                  o.image_id as o_image_id, n.image_id as n_image_id, o.image_id is distinct from n.image_id as image_id_differs,
                  o.is_automated as o_is_automated, n.is_automated as n_is_automated, o.is_automated is distinct from n.is_automated as is_automated_differs,
                  o.order_type as o_order_type, n.order_type as n_order_type, o.order_type is distinct from n.order_type as order_type_differs,
                  o.sales_channel_ids as o_sales_channel_ids, n.sales_channel_ids as n_sales_channel_ids, o.sales_channel_ids <> n.sales_channel_ids as sales_channel_ids_differs,
                  o.sales_channels as o_sales_channels, n.sales_channels as n_sales_channels, (o.sales_channels::text is distinct from n.sales_channels::text and json_differs(o.sales_channels::text, n.sales_channels::text)) as sales_channels_differs,
                  o.should_match_all_conditions as o_should_match_all_conditions, n.should_match_all_conditions as n_should_match_all_conditions, o.should_match_all_conditions is distinct from n.should_match_all_conditions as should_match_all_conditions_differs,
                  o.translations as o_translations, n.translations as n_translations, (o.translations::text is distinct from n.translations::text and json_differs(o.translations::text, n.translations::text)) as translations_differs,
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
create or replace trigger change_inserted after insert on category referencing new table as new_rows
  for each statement execute function category_history();--> statement-breakpoint
create or replace trigger change_updated after update on category
  referencing old table as old_rows new table as new_rows
  for each statement execute function category_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on category referencing old table as old_rows
  for each statement execute function category_history();

-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes webhook.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function webhook_history() returns trigger
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
            select n.id as record, n.id, 'WEBHOOK' as type, 'INSERTED' as row_change, null::text as before, concat_ws(',',
              '"authorizedAppId":' || '"' || n.authorized_app_id || '"',
              '"scope":' || to_json(n.scope)::text,
              '"endpoint":' || to_json(n.endpoint)::text,
              case when n.sales_channel_ids <> '{}' then '"salesChannelIds":' || to_json(n.sales_channel_ids)::text end,
              '"includeChanges":' || n.include_changes::text,
              '"status":' || to_json(n.status)::text,
              '"pausedAt":' || (date_part('epoch', n.paused_at) * 1000)::bigint::text,
              '"createdAt":' || (date_part('epoch', n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', n.updated_at) * 1000)::bigint::text
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
            select o.id as record, o.id, 'WEBHOOK' as type, 'REMOVED' as row_change, null::text as after, concat_ws(',',
              '"authorizedAppId":' || '"' || o.authorized_app_id || '"',
              '"scope":' || to_json(o.scope)::text,
              '"endpoint":' || to_json(o.endpoint)::text,
              case when o.sales_channel_ids <> '{}' then '"salesChannelIds":' || to_json(o.sales_channel_ids)::text end,
              '"includeChanges":' || o.include_changes::text,
              '"status":' || to_json(o.status)::text,
              '"pausedAt":' || (date_part('epoch', o.paused_at) * 1000)::bigint::text,
              '"createdAt":' || (date_part('epoch', o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (date_part('epoch', o.updated_at) * 1000)::bigint::text
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
                  case when e.authorized_app_id_differs then '"authorizedAppId":' || '"' || e.o_authorized_app_id || '"' end,
                  case when e.scope_differs then '"scope":' || to_json(e.o_scope)::text end,
                  case when e.endpoint_differs then '"endpoint":' || to_json(e.o_endpoint)::text end,
                  case when e.sales_channel_ids_differs then '"salesChannelIds":' || to_json(e.o_sales_channel_ids)::text end,
                  case when e.include_changes_differs then '"includeChanges":' || e.o_include_changes::text end,
                  case when e.status_differs then '"status":' || to_json(e.o_status)::text end,
                  case when e.paused_at_differs then '"pausedAt":' || coalesce((date_part('epoch', e.o_paused_at) * 1000)::bigint::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.o_created_at) * 1000)::bigint::text end
                ), '') as before,
                nullif(concat_ws(',',
                  case when e.authorized_app_id_differs then '"authorizedAppId":' || '"' || e.n_authorized_app_id || '"' end,
                  case when e.scope_differs then '"scope":' || to_json(e.n_scope)::text end,
                  case when e.endpoint_differs then '"endpoint":' || to_json(e.n_endpoint)::text end,
                  case when e.sales_channel_ids_differs then '"salesChannelIds":' || to_json(e.n_sales_channel_ids)::text end,
                  case when e.include_changes_differs then '"includeChanges":' || e.n_include_changes::text end,
                  case when e.status_differs then '"status":' || to_json(e.n_status)::text end,
                  case when e.paused_at_differs then '"pausedAt":' || coalesce((date_part('epoch', e.n_paused_at) * 1000)::bigint::text, 'null') end,
                  case when e.created_at_differs then '"createdAt":' || (date_part('epoch', e.n_created_at) * 1000)::bigint::text end
                ), '') as after,
                nullif(concat_ws(',',
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.o_updated_at) * 1000)::bigint::text end
                ), '') as former_stamps,
                nullif(concat_ws(',',
                  case when e.updated_at_differs then '"updatedAt":' || (date_part('epoch', e.n_updated_at) * 1000)::bigint::text end
                ), '') as stamps
              from (
                select
                  n.id as record, n.id, 'WEBHOOK' as type,
                  'UPDATED' as row_change,
                  o.authorized_app_id as o_authorized_app_id, n.authorized_app_id as n_authorized_app_id, o.authorized_app_id <> n.authorized_app_id as authorized_app_id_differs,
                  o.scope as o_scope, n.scope as n_scope, o.scope <> n.scope as scope_differs,
                  o.endpoint as o_endpoint, n.endpoint as n_endpoint, o.endpoint <> n.endpoint as endpoint_differs,
                  o.sales_channel_ids as o_sales_channel_ids, n.sales_channel_ids as n_sales_channel_ids, o.sales_channel_ids <> n.sales_channel_ids as sales_channel_ids_differs,
                  o.include_changes as o_include_changes, n.include_changes as n_include_changes, o.include_changes <> n.include_changes as include_changes_differs,
                  o.status as o_status, n.status as n_status, o.status <> n.status as status_differs,
                  o.paused_at as o_paused_at, n.paused_at as n_paused_at, o.paused_at is distinct from n.paused_at as paused_at_differs,
                  o.created_at as o_created_at, n.created_at as n_created_at, o.created_at <> n.created_at as created_at_differs,
                  o.updated_at as o_updated_at, n.updated_at as n_updated_at, o.updated_at <> n.updated_at as updated_at_differs
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
create or replace trigger change_inserted after insert on webhook referencing new table as new_rows
  for each statement execute function webhook_history();--> statement-breakpoint
create or replace trigger change_updated after update on webhook
  referencing old table as old_rows new table as new_rows
  for each statement execute function webhook_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on webhook referencing old table as old_rows
  for each statement execute function webhook_history();

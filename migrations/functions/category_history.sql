-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records what a statement changes in category: the members before and after it, by their names in the SDL.
create or replace function category_history() returns trigger
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
              n.id as record, n.id, 'CATEGORY' as type,
              case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end as row_change,
              nullif(concat_ws(',',
                case when o.name <> n.name then '"name":' || to_json(o.name)::text end,
                case when o.parent_id is distinct from n.parent_id then '"parentId":' || coalesce('"' || o.parent_id || '"', 'null') end,
                case when o.conditions::text is distinct from n.conditions::text then '"conditions":' || coalesce(o.conditions::text, 'null') end,
                case when o.description is distinct from n.description then '"description":' || coalesce(to_json(o.description)::text, 'null') end,
                case when o.image_id is distinct from n.image_id then '"imageId":' || coalesce(to_json(o.image_id)::text, 'null') end,
                case when o.is_automated is distinct from n.is_automated then '"isAutomated":' || coalesce(o.is_automated::text, 'null') end,
                case when o.order_type is distinct from n.order_type then '"orderType":' || coalesce(to_json(o.order_type)::text, 'null') end,
                case when o.sales_channel_ids <> n.sales_channel_ids then '"salesChannelIds":' || to_json(o.sales_channel_ids)::text end,
                case when o.sales_channels::text is distinct from n.sales_channels::text then '"salesChannels":' || coalesce(o.sales_channels::text, 'null') end,
                case when o.should_match_all_conditions is distinct from n.should_match_all_conditions then '"shouldMatchAllConditions":' || coalesce(o.should_match_all_conditions::text, 'null') end,
                case when o.translations::text is distinct from n.translations::text then '"translations":' || coalesce(o.translations::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || o.deleted::text end
              ), '') as before,
              nullif(concat_ws(',',
                case when o.name <> n.name then '"name":' || to_json(n.name)::text end,
                case when o.parent_id is distinct from n.parent_id then '"parentId":' || coalesce('"' || n.parent_id || '"', 'null') end,
                case when o.conditions::text is distinct from n.conditions::text then '"conditions":' || coalesce(n.conditions::text, 'null') end,
                case when o.description is distinct from n.description then '"description":' || coalesce(to_json(n.description)::text, 'null') end,
                case when o.image_id is distinct from n.image_id then '"imageId":' || coalesce(to_json(n.image_id)::text, 'null') end,
                case when o.is_automated is distinct from n.is_automated then '"isAutomated":' || coalesce(n.is_automated::text, 'null') end,
                case when o.order_type is distinct from n.order_type then '"orderType":' || coalesce(to_json(n.order_type)::text, 'null') end,
                case when o.sales_channel_ids <> n.sales_channel_ids then '"salesChannelIds":' || to_json(n.sales_channel_ids)::text end,
                case when o.sales_channels::text is distinct from n.sales_channels::text then '"salesChannels":' || coalesce(n.sales_channels::text, 'null') end,
                case when o.should_match_all_conditions is distinct from n.should_match_all_conditions then '"shouldMatchAllConditions":' || coalesce(n.should_match_all_conditions::text, 'null') end,
                case when o.translations::text is distinct from n.translations::text then '"translations":' || coalesce(n.translations::text, 'null') end,
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
create or replace trigger change_inserted after insert on category referencing new table as new_rows
  for each statement execute function category_history();--> statement-breakpoint
create or replace trigger change_updated after update on category
  referencing old table as old_rows new table as new_rows
  for each statement execute function category_history();--> statement-breakpoint
create or replace trigger change_deleted after delete on category referencing old table as old_rows
  for each statement execute function category_history();

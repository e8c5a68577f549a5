-- Written by `npm run codegen` from drizzle/. Do not edit.
-- Records what a statement changes in html_meta_data: the members before and after it, by their names in the SDL.
create or replace function html_meta_data_history() returns trigger
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
          select n.target_id as record, n.id, case n.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, null::text as before, concat_ws(',',
            '"slug":' || to_json(n.slug)::text,
            '"pageTitle":' || to_json(n.page_title)::text,
            '"description":' || to_json(n.description)::text,
            case when n.canonicals <> '{}' then '"canonicals":' || to_json(n.canonicals)::text end,
            '"disableIndex":' || n.disable_index::text,
            '"redirectTo":' || to_json(n.redirect_to)::text,
            '"metadataOverrides":' || n.metadata_overrides::text,
            '"translations":' || n.translations::text,
            '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text,
            '"deleted":' || n.deleted::text
          ) as after
          from new_rows n where n.merchant_id = merchant and n.target_type in ('PRODUCT', 'CATEGORY', 'BRAND')
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
          select o.target_id as record, o.id, case o.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, null::text as after, concat_ws(',',
            '"slug":' || to_json(o.slug)::text,
            '"pageTitle":' || to_json(o.page_title)::text,
            '"description":' || to_json(o.description)::text,
            case when o.canonicals <> '{}' then '"canonicals":' || to_json(o.canonicals)::text end,
            '"disableIndex":' || o.disable_index::text,
            '"redirectTo":' || to_json(o.redirect_to)::text,
            '"metadataOverrides":' || o.metadata_overrides::text,
            '"translations":' || o.translations::text,
            '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text,
            '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text,
            '"deleted":' || o.deleted::text
          ) as before
          from old_rows o where o.merchant_id = merchant and o.target_type in ('PRODUCT', 'CATEGORY', 'BRAND')
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
              n.target_id as record, n.id, case n.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type,
              'UPDATED' as row_change,
              nullif(concat_ws(',',
                case when o.slug <> n.slug then '"slug":' || to_json(o.slug)::text end,
                case when o.page_title is distinct from n.page_title then '"pageTitle":' || coalesce(to_json(o.page_title)::text, 'null') end,
                case when o.description is distinct from n.description then '"description":' || coalesce(to_json(o.description)::text, 'null') end,
                case when o.canonicals is distinct from n.canonicals then '"canonicals":' || coalesce(to_json(o.canonicals)::text, 'null') end,
                case when o.disable_index is distinct from n.disable_index then '"disableIndex":' || coalesce(o.disable_index::text, 'null') end,
                case when o.redirect_to is distinct from n.redirect_to then '"redirectTo":' || coalesce(to_json(o.redirect_to)::text, 'null') end,
                case when o.metadata_overrides::text is distinct from n.metadata_overrides::text then '"metadataOverrides":' || coalesce(o.metadata_overrides::text, 'null') end,
                case when o.translations::text is distinct from n.translations::text then '"translations":' || coalesce(o.translations::text, 'null') end,
                case when o.created_at <> n.created_at then '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text end,
                case when o.deleted <> n.deleted then '"deleted":' || o.deleted::text end
              ), '') as before,
              nullif(concat_ws(',',
                case when o.slug <> n.slug then '"slug":' || to_json(n.slug)::text end,
                case when o.page_title is distinct from n.page_title then '"pageTitle":' || coalesce(to_json(n.page_title)::text, 'null') end,
                case when o.description is distinct from n.description then '"description":' || coalesce(to_json(n.description)::text, 'null') end,
                case when o.canonicals is distinct from n.canonicals then '"canonicals":' || coalesce(to_json(n.canonicals)::text, 'null') end,
                case when o.disable_index is distinct from n.disable_index then '"disableIndex":' || coalesce(n.disable_index::text, 'null') end,
                case when o.redirect_to is distinct from n.redirect_to then '"redirectTo":' || coalesce(to_json(n.redirect_to)::text, 'null') end,
                case when o.metadata_overrides::text is distinct from n.metadata_overrides::text then '"metadataOverrides":' || coalesce(n.metadata_overrides::text, 'null') end,
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
            where n.merchant_id = merchant and n.target_type in ('PRODUCT', 'CATEGORY', 'BRAND') and o.target_id = n.target_id and o.target_type = n.target_type
          ) d
          where d.before is not null or d.stamps is not null
          union all
          select m.record, m.id, m.type, m.row_change, m.before, m.after
          from (
            select o.target_id as record, o.id, case o.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, null::text as after, concat_ws(',',
              '"slug":' || to_json(o.slug)::text,
              '"pageTitle":' || to_json(o.page_title)::text,
              '"description":' || to_json(o.description)::text,
              case when o.canonicals <> '{}' then '"canonicals":' || to_json(o.canonicals)::text end,
              '"disableIndex":' || o.disable_index::text,
              '"redirectTo":' || to_json(o.redirect_to)::text,
              '"metadataOverrides":' || o.metadata_overrides::text,
              '"translations":' || o.translations::text,
              '"createdAt":' || (extract(epoch from o.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (extract(epoch from o.updated_at) * 1000)::bigint::text,
              '"deleted":' || o.deleted::text
            ) as before
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where o.merchant_id = merchant and o.target_type in ('PRODUCT', 'CATEGORY', 'BRAND') and not (o.target_id = n.target_id and o.target_type = n.target_type)
          ) m
          union all
          select m.record, m.id, m.type, m.row_change, m.before, m.after
          from (
            select n.target_id as record, n.id, case n.target_type when 'PRODUCT' then 'PRODUCT' when 'CATEGORY' then 'CATEGORY' when 'BRAND' then 'PRODUCT_BRAND' end as type, 'UPDATED' as row_change, null::text as before, concat_ws(',',
              '"slug":' || to_json(n.slug)::text,
              '"pageTitle":' || to_json(n.page_title)::text,
              '"description":' || to_json(n.description)::text,
              case when n.canonicals <> '{}' then '"canonicals":' || to_json(n.canonicals)::text end,
              '"disableIndex":' || n.disable_index::text,
              '"redirectTo":' || to_json(n.redirect_to)::text,
              '"metadataOverrides":' || n.metadata_overrides::text,
              '"translations":' || n.translations::text,
              '"createdAt":' || (extract(epoch from n.created_at) * 1000)::bigint::text,
              '"updatedAt":' || (extract(epoch from n.updated_at) * 1000)::bigint::text,
              '"deleted":' || n.deleted::text
            ) as after
            from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
            where n.merchant_id = merchant and n.target_type in ('PRODUCT', 'CATEGORY', 'BRAND') and not (o.target_id = n.target_id and o.target_type = n.target_type)
          ) m
        ) r
        group by r.record
      ) c;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when ids is null;
    perform write_change_parts(
      merchant, transaction_key, statement_number, is_full, 'metaData', ids, types, row_changes, befores,
      afters);
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

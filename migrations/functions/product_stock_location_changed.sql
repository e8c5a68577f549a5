-- Writes the events of stock counts.
create or replace function product_stock_location_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changed product_stock_location[];
  ids uuid[];
  datas text[];
  channels text[];
  details text[];
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := array(
      select w from webhook w
      where w.merchant_id = merchant and w.scope in ('store/stock/created', 'store/stock/updated'));
    continue when cardinality(hooks) = 0;
    if tg_op = 'INSERT' then
      changed := array(select n from new_rows n where n.merchant_id = merchant order by n.id);
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      changed := array(
        select n from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant
          and jsonb_strip_nulls(to_jsonb(n)) - 'updated_at' <> jsonb_strip_nulls(to_jsonb(o)) - 'updated_at'
        order by n.id);
      perform set_config('enable_nestloop', 'on', true);
      continue when cardinality(changed) = 0;
    end if;
    select array_agg(e.id), array_agg(e.data) into ids, datas from product_stock_location_events(merchant, changed) e;
    channels := product_channels(merchant, array(select c.product_id from unnest(changed) c));
    details := case tg_op when 'UPDATE' then stock_event_details(merchant, ids) end;
    perform write_webhook_events(
      merchant, hooks, case tg_op when 'INSERT' then 'created' else 'updated' end, ids, datas, channels, details);
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger product_stock_location_inserted after insert on product_stock_location
  referencing new table as new_rows
  for each statement execute function product_stock_location_changed();--> statement-breakpoint
create or replace trigger product_stock_location_updated after update on product_stock_location
  referencing old table as old_rows new table as new_rows
  for each statement execute function product_stock_location_changed();

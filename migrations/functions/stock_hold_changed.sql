-- Writes the events of holds: when they are placed, and once when they stop being active. The status then is the
-- reason.
create or replace function stock_hold_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changed stock_hold[];
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
      where w.merchant_id = merchant and w.scope in ('store/stock/held', 'store/stock/released'));
    continue when cardinality(hooks) = 0;
    if tg_op = 'INSERT' then
      changed := array(select n from new_rows n where n.merchant_id = merchant and n.status = 'ACTIVE' order by n.id);
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      changed := array(
        select n from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and n.status <> 'ACTIVE' and o.status = 'ACTIVE' order by n.id);
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when cardinality(changed) = 0;
    ids := array(select c.id from unnest(changed) c order by c.id);
    datas := array(select e.data from stock_hold_events(merchant, changed) e order by e.id);
    details := array(select json_build_object('reason', c.status)::text from unnest(changed) c order by c.id);
    channels := product_channels(merchant, array(select c.product_id from unnest(changed) c order by c.id));
    perform write_webhook_events(
      merchant, hooks, case tg_op when 'INSERT' then 'held' else 'released' end, ids, datas, channels, details);
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger stock_hold_inserted after insert on stock_hold referencing new table as new_rows
  for each statement execute function stock_hold_changed();--> statement-breakpoint
create or replace trigger stock_hold_updated after update on stock_hold
  referencing old table as old_rows new table as new_rows
  for each statement execute function stock_hold_changed();

-- Writes the events of the products that the transaction changed, with their state at its end. A product can have
-- megabytes and a transaction can change a thousand, so they are written in batches that fit into memory. A product
-- that was deleted and then restored was not deleted.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function write_product_events() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  set enable_seqscan = off as $$
declare
  products_at_once constant integer := 250;
  bytes_at_once constant integer := 16777216;
  merchant uuid := new.merchant_id;
  hooks webhook[] := webhooks_for_products(new.merchant_id);
  changes webhook_change[];
  products product[];
  first integer;
  event record;
  action text;
  ids uuid[];
  datas text[];
  channels text[];
  bytes bigint;
begin
  with ended as (
    delete from webhook_change c where c.merchant_id = merchant and c.transaction_id = new.transaction_id returning c
  )
  select array_agg(e.c order by (e.c).product_id) into changes from ended e;
  -- A transaction can change a part of a product without locking the product. The lock serializes the events of such
  -- transactions, so that each event has the state that the one before left.
  perform from product p
  where p.merchant_id = merchant and p.id = any(array(select c.product_id from unnest(changes) c))
  order by p.id for no key update;
  for first in select generate_series(1, cardinality(changes), products_at_once) loop
    products := array(
      select p from product p
      where p.merchant_id = merchant
        and p.id = any(array(select c.product_id from unnest(changes[first : first + products_at_once - 1]) c)));
    ids := '{}';
    for event in
      select a.action, e.id, e.data, (p.sales_channel_ids || c.channels_left)::text as channels
      from product_events(merchant, products) e
      join unnest(products) p on p.id = e.id
      join unnest(changes[first : first + products_at_once - 1]) c on c.product_id = e.id
      cross join unnest(c.actions) with ordinality as a(action, place)
      where a.action <> 'deleted' or p.deleted
      order by a.place, a.action, e.id
    loop
      if ids <> '{}' and (event.action <> action or bytes > bytes_at_once) then
        perform write_webhook_events(merchant, hooks, action, ids, datas, channels);
        ids := '{}';
      end if;
      if ids = '{}' then
        action := event.action;
        datas := '{}';
        channels := '{}';
        bytes := 0;
      end if;
      ids := ids || event.id;
      datas := datas || event.data;
      channels := channels || event.channels;
      bytes := bytes + octet_length(event.data);
    end loop;
    if ids <> '{}' then
      perform write_webhook_events(merchant, hooks, action, ids, datas, channels);
    end if;
  end loop;
  delete from change_transaction t where t.merchant_id = merchant and t.transaction_id = new.transaction_id;
  return null;
end $$;--> statement-breakpoint
-- Constraint triggers have no CREATE OR REPLACE. DROP would wait for all that read the table, such as pg_dump, and all
-- writers would wait for DROP.
do $$
begin
  if not exists (
    select from pg_trigger t where t.tgrelid = 'webhook_change'::regclass and t.tgname = 'write_product_events')
  then
    create constraint trigger write_product_events after insert on webhook_change deferrable initially deferred
      for each row when (new.is_first) execute function write_product_events();
  end if;
end $$;--> statement-breakpoint
-- One plan of `product_events` for all merchants: its planning takes 1.2 ms, its execution for one product 0.4. Citus
-- refuses this setting.
do $$
begin
  if not has_citus() then
    alter function write_product_events set plan_cache_mode = force_generic_plan;
  end if;
end $$;

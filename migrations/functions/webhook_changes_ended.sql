-- Writes the events of a transaction's products, each as it stands at the end of the transaction. A product may have
-- megabytes, and a transaction a thousand of them: as many are put together as fit into memory.
create or replace function webhook_changes_ended() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  products_at_once constant integer := 250;
  bytes_at_once constant integer := 16777216;
  merchant uuid := new.merchant_id;
  hooks webhook[] := product_hooks(new.merchant_id);
  changes webhook_change[];
  products product[];
  first integer;
  told record;
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
  -- A part of a product may be changed without it. Held to the end of the transaction, the product makes the
  -- events of its parts' changes follow each other, each with the state that the one before left behind.
  perform from product p
  where p.merchant_id = merchant and p.id = any(array(select c.product_id from unnest(changes) c)) order by p.id for no key update;
  for first in select generate_series(1, cardinality(changes), products_at_once) loop
    products := array(
      select p from product p
      where p.merchant_id = merchant
        and p.id = any(array(select c.product_id from unnest(changes[first : first + products_at_once - 1]) c)));
    ids := '{}';
    for told in
      select a.action, e.id, e.data, (p.sales_channel_ids || c.channels_left)::text as channels
      from product_events(merchant, products) e
      join unnest(products) p on p.id = e.id
      join unnest(changes[first : first + products_at_once - 1]) c on c.product_id = e.id
      cross join unnest(c.actions) with ordinality as a(action, place)
      order by a.place, a.action, e.id
    loop
      if ids <> '{}' and (told.action <> action or bytes > bytes_at_once) then
        perform record_webhook_events(merchant, hooks, action, ids, datas, channels);
        ids := '{}';
      end if;
      if ids = '{}' then
        action := told.action;
        datas := '{}';
        channels := '{}';
        bytes := 0;
      end if;
      ids := ids || told.id;
      datas := datas || told.data;
      channels := channels || told.channels;
      bytes := bytes + octet_length(told.data);
    end loop;
    if ids <> '{}' then
      perform record_webhook_events(merchant, hooks, action, ids, datas, channels);
    end if;
  end loop;
  return null;
end $$;--> statement-breakpoint
-- CREATE OR REPLACE does not exist for constraint triggers.
drop trigger if exists tell_product_events on webhook_change;--> statement-breakpoint
create constraint trigger tell_product_events after insert on webhook_change deferrable initially deferred
  for each row when (new.is_first) execute function webhook_changes_ended();
